import AppStoreFormats
import HTTPTypes
import Hummingbird
import PerennialStore

/// control/v1/reports: the reports of Sales and Trends, row by row and as files.
struct ReportRoutes {
    struct ReportAnswer: AnswerModel {
        /// The file name without `.txt.gz`.
        var name: String
        /// The names of the columns.
        var columns: [String]
        /// The cells of each row; a blank cell is empty.
        var rows: [[String]]
    }

    /// The reports by their names in paths.
    private static let reports: [String: ReportLayout.Report] = [
        "sales": .sales, "subscription": .subscription, "subscription-event": .subscriptionEvent,
        "subscriber": .subscriber, "offer-code-redemption": .offerCodeRedemption,
    ]
    /// A limit of ours on reports row by row, in bytes of the file.
    private static let maximumSize = 16 << 20

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "reports/:report", "A report of Sales and Trends, row by row", query: QueryParameter.ofReports,
            errors: [409], use: report)
        routes.get(
            "reports/:report/file", "A report of Sales and Trends as a file", query: QueryParameter.ofReports,
            answers: [.bytes("application/a-gzip", "The file, compressed with gzip")], use: file)
    }

    private func report(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ReportAnswer {
        let file = try await Self.requested(call, context)
        let table = try ReportTable(try await Self.bytes(of: file))
        return ReportAnswer(name: file.name, columns: table.headers, rows: table.rows.map(\.cells))
    }

    private func file(_ call: Call<NoBody>, _ context: ControlContext) async throws -> Response {
        let file = try await Self.requested(call, context)
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/a-gzip",
                .contentDisposition: "attachment; filename=\(file.name).txt.gz",
            ],
            body: file.responseBody(WriteBackpressure(context)))
    }

    private static func requested(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ReportFile {
        guard let report = context.parameters.get("report").flatMap({ reports[$0] }) else {
            let names = reports.keys.sorted().joined(separator: ", ")
            throw APIError(.notFound, "reportNotFound", "the reports are \(names)")
        }
        do {
            return try await context.store.reports.report(
                report, frequency: try call.checked(.frequency, /(?:daily|weekly|monthly|yearly)/),
                reportDate: try call.checked(.reportDate, /[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?/),
                version: try call.checked(.reportVersion, /[0-9]_[0-9]/))
        } catch let error as ReportError {
            throw APIError(.notFound, "reportNotFound", error.detail, field: error.parameter.flatMap(fieldName))
        }
    }

    /// Returns the parameter of control/v1 for one of Apple's service.
    private static func fieldName(of parameter: String) -> String? {
        switch parameter {
        case "filter[frequency]": QueryParameter.frequency.name
        case "filter[reportDate]": QueryParameter.reportDate.name
        case "filter[version]": QueryParameter.reportVersion.name
        default: nil
        }
    }

    private static func bytes(of file: ReportFile) async throws -> [UInt8] {
        if let text = file.text { return Array(text.utf8) }
        var bytes: [UInt8] = []
        try await file.body { chunk in
            guard bytes.count + chunk.count <= maximumSize else {
                throw APIError(.conflict, "reportTooLong", "the report is too long to be listed: get its file")
            }
            bytes += chunk
        }
        return bytes
    }
}

extension QueryParameter {
    fileprivate static let frequency = QueryParameter(
        "frequency", .pattern("^(?:daily|weekly|monthly|yearly)$", "Of sales; the other reports are daily"))
    fileprivate static let reportDate = QueryParameter(
        "date",
        .pattern(
            "^[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?$",
            "A day, the Sunday that ends a week, a month or a year; the newest by default"))
    fileprivate static let reportVersion = QueryParameter(
        "version", .pattern("^[0-9]_[0-9]$", "The version of the columns; the newest by default"))
    fileprivate static let ofReports = [frequency, reportDate, reportVersion]
}

extension Call {
    /// Returns a parameter of the query.
    ///
    /// - Throws: ``APIError`` `malformedRequest` for a value of another form.
    fileprivate func checked(_ parameter: QueryParameter, _ form: Regex<Substring>) throws -> String? {
        guard let value = query(parameter) else { return nil }
        guard value.wholeMatch(of: form) != nil else {
            throw APIError(
                .badRequest, "malformedRequest", "\(parameter.name) '\(value.prefix(60))' has another form",
                field: parameter.name)
        }
        return value
    }
}
