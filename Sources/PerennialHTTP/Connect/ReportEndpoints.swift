import HTTPTypes
import Hummingbird
import NIOCore
import Perennial
import PerennialStore

/// `v1/salesReports` and `v1/financeReports`: the files of Sales and Trends, and of payments.
struct ReportEndpoints: Sendable {
    func add(to routes: ConnectRoutes) {
        routes.get(
            "v1/salesReports", .readSalesReports,
            ["vendorNumber", "reportType", "reportSubType", "frequency", "reportDate", "version"].map {
                .filter($0)
            }, use: salesReport)
        routes.get(
            "v1/financeReports", .readFinanceReports,
            ["vendorNumber", "reportType", "regionCode", "reportDate"].map { .filter($0) }, use: financeReport)
    }

    @Sendable private func salesReport(_ call: ConnectRoutes.Call) async throws -> Response {
        let query = call.query
        let file = try await call.store.reports.salesReport(
            SalesReportRequest(
                vendorNumber: query.text("filter[vendorNumber]"), reportType: query.text("filter[reportType]"),
                reportSubType: query.text("filter[reportSubType]"), frequency: query.text("filter[frequency]"),
                reportDate: query.text("filter[reportDate]"), version: query.text("filter[version]")))
        return Self.response(file, call.backpressure)
    }

    @Sendable private func financeReport(_ call: ConnectRoutes.Call) async throws -> Response {
        let query = call.query
        let file = try await call.store.finance.financeReport(
            vendorNumber: query.text("filter[vendorNumber]"), reportType: query.text("filter[reportType]"),
            regionCode: query.text("filter[regionCode]"), reportDate: query.text("filter[reportDate]"))
        return Self.response(file, call.backpressure)
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
            body: ResponseBody { writer in
                try await file.body { bytes in
                    try await writer.write(ByteBuffer(bytes: bytes))
                    try await backpressure.pass()
                }
                try await writer.finish(nil)
            })
    }
}

extension HTTPField.Name {
    fileprivate static let reportsFilename = Self("x-reports-filename")!
}
