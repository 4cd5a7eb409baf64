import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

/// Bindings of `salesReports` and `financeReports`: the files of Sales and Trends, and of payments.
enum ReportBindings {
    static let all = [
        binding("salesReports", salesReport), binding("financeReports", financeReport),
    ]

    private static func binding(
        _ type: String, _ handler: @escaping @Sendable (ConnectCall) async throws -> Response
    ) -> ConnectBinding {
        var binding = ConnectBinding(type: type) { _, _ in nil }
        binding.custom = ["GET v1/\(type)": handler]
        return binding
    }

    @Sendable private static func salesReport(_ call: ConnectCall) async throws -> Response {
        let query = call.query
        let file = try await call.store.reports.salesReport(
            SalesReportRequest(
                vendorNumber: query.text("filter[vendorNumber]"), reportType: query.text("filter[reportType]"),
                reportSubType: query.text("filter[reportSubType]"), frequency: query.text("filter[frequency]"),
                reportDate: query.text("filter[reportDate]"), version: query.text("filter[version]")))
        return response(file, call.backpressure)
    }

    @Sendable private static func financeReport(_ call: ConnectCall) async throws -> Response {
        let query = call.query
        let file = try await call.store.finance.financeReport(
            vendorNumber: query.text("filter[vendorNumber]"), reportType: query.text("filter[reportType]"),
            regionCode: query.text("filter[regionCode]"), reportDate: query.text("filter[reportDate]"))
        return response(file, call.backpressure)
    }

    /// Streams a report. The file is compressed, not the answer, so that clients get it as it is.
    static func response(_ file: ReportFile, _ backpressure: WriteBackpressure) -> Response {
        let name = "\(file.name).txt.gz"
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/a-gzip", .contentDisposition: "attachment; filename=\(name)",
                .reportsFilename: name,
            ],
            body: file.responseBody(backpressure))
    }
}

extension HTTPField.Name {
    fileprivate static let reportsFilename = Self("x-reports-filename")!
}
