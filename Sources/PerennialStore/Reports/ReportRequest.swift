/// A request for a report of Sales and Trends, with the words as they came from outside (`filter[reportType]` and its
/// neighbours). ``Reports/salesReport(_:)`` checks them.
package struct SalesReportRequest: Hashable, Sendable {
    package var vendorNumber: String?
    package var reportType: String?
    package var reportSubType: String?
    package var frequency: String?
    package var reportDate: String?
    package var version: String?

    package init(
        vendorNumber: String?, reportType: String?, reportSubType: String?, frequency: String?,
        reportDate: String? = nil, version: String? = nil
    ) {
        self.vendorNumber = vendorNumber
        self.reportType = reportType
        self.reportSubType = reportSubType
        self.frequency = frequency
        self.reportDate = reportDate
        self.version = version
    }
}

/// A report as a file.
package struct ReportFile: Sendable {
    /// The file name without `.txt.gz`.
    package var name: String
    /// The number of rows below the headers.
    package var rows: Int
    /// The file without compression; `nil` for a report that is made while it is sent.
    package var text: String?
    /// Writes the file, compressed with gzip, in chunks of bounded size.
    package var body: @Sendable (_ write: (ArraySlice<UInt8>) async throws -> Void) async throws -> Void

    package init(
        name: String, rows: Int, text: String?,
        body: @escaping @Sendable (_ write: (ArraySlice<UInt8>) async throws -> Void) async throws -> Void
    ) {
        self.name = name
        self.rows = rows
        self.text = text
        self.body = body
    }

    /// Creates the file of a text that is held in memory.
    package init(name: String, rows: Int, text: String) {
        self.init(name: name, rows: rows, text: text) { write in
            try await ReportStream.write(text, write)
        }
    }

    /// Returns the compressed file in memory.
    package func compressed() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await body { bytes += $0 }
        return bytes
    }
}

/// The reason that there is no report.
package struct ReportError: Error, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// A required parameter is missing: HTTP 400.
        case missingParameter
        /// A parameter has a wrong value: HTTP 400.
        case invalidParameter
        /// The period isn't over, or has no row: HTTP 404.
        case notFound
        /// The vendor number isn't that of this store. Apple's service answers with a bare HTTP 5xx.
        case unknownVendor
    }

    package var code: Code
    /// The parameter of the request, as in `filter[version]`.
    package var parameter: String?
    /// The sentence of Apple's service, where it is known.
    package var detail: String

    package init(_ code: Code, parameter: String? = nil, _ detail: String) {
        self.code = code
        self.parameter = parameter
        self.detail = detail
    }

    package var description: String { detail }
}
