import AppStoreFormats
import Perennial
import PerennialStore

/// The reports of Sales and Trends as Apple's files.
enum SalesDownloads {
    /// The path below the app.
    static let path = "sales/report"
    static let contentType = "application/a-gzip"
    private static let reports: [(report: ReportLayout.Report, phrase: Phrase)] = [
        (.sales, SalesPhrases.salesReport), (.subscription, SalesPhrases.subscriptionReport),
        (.subscriptionEvent, SalesPhrases.eventReport), (.subscriber, SalesPhrases.subscriberReport),
        (.offerCodeRedemption, SalesPhrases.codeReport),
    ]
    private static let frequencies: [(frequency: ReportPeriod.Frequency, phrase: Phrase)] = [
        (.daily, SalesPhrases.daily), (.weekly, SalesPhrases.weekly), (.monthly, SalesPhrases.monthly),
        (.yearly, SalesPhrases.yearly),
    ]

    /// Returns the form of a file: report, frequency and date.
    static func section(_ request: FigureRequest) -> Block {
        let form = Form(
            request.page.path(path), submit: .phrase(Words.download), isQuery: true,
            same: SameCommand(
                "report sales --frequency daily --format tsv --environment \(request.page.environment.name)",
                .init("GET", "control/v1/reports/sales/file?frequency=daily")),
            [
                Field(
                    "report", .phrase(SalesPhrases.report),
                    .choice(reports.map { Field.Option($0.report.rawValue, .phrase($0.phrase)) })),
                Field(
                    "frequency", .phrase(SalesPhrases.frequency),
                    .choice(frequencies.map { Field.Option($0.frequency.rawValue, .phrase($0.phrase)) })),
                Field("date", .phrase(Words.date), hint: .phrase(SalesPhrases.dateHint), maximumLength: 10),
            ])
        return .section(.phrase(SalesPhrases.downloads), id: "files", [.form(form)])
    }

    /// Returns the file that a query names.
    ///
    /// - Throws: ``ConsoleError`` `.notFound` with the reason of Apple's service.
    static func file(_ request: PageRequest) async throws -> ConsoleFile {
        let query = request.query
        guard let report = ReportLayout.Report(rawValue: query["report"] ?? ReportLayout.Report.sales.rawValue) else {
            throw ConsoleError.badRequest(.phrase(SalesPhrases.report))
        }
        // The other reports are daily, whatever the form says.
        let frequency = report == .sales ? query["frequency"] : nil
        let date = query["date"].flatMap { $0.isEmpty ? nil : $0 }
        do {
            let file = try await request.store.reports.report(report, frequency: frequency, reportDate: date)
            return ConsoleFile(
                name: "\(file.name).txt.gz", contentType: contentType, bytes: try await file.compressed())
        } catch let error as ReportError {
            throw ConsoleError.notFound(RefusalText.text(error.detail, otherwise: error.code.phrase))
        }
    }
}
