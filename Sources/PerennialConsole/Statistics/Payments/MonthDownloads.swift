import AppStoreFormats
import Perennial
import PerennialStore

/// The files of a closed fiscal month.
enum MonthDownloads {
    static func path(_ month: FiscalMonth, _ region: FinancialRegion, _ request: PageRequest) -> String {
        request.path("payments/\(month)/report", ["region": region.rawValue])
    }

    /// Returns Apple's financial report of a region, of all or with details, compressed.
    ///
    /// - Throws: ``ConsoleError`` `.notFound`.
    static func report(_ request: PageRequest) async throws -> ConsoleFile {
        let month = try MonthPage(request).month
        do {
            let file = try await request.store.finance.financeReport(
                month, region: request.query["region"] ?? FinancialRegion.consolidated.rawValue)
            return ConsoleFile(
                name: "\(file.name).txt.gz", contentType: SalesDownloads.contentType,
                bytes: try await file.compressed())
        } catch let error as ReportError {
            throw ConsoleError.notFound(RefusalText.text(error.detail, otherwise: error.code.phrase))
        }
    }

    /// Returns the payments summary.
    ///
    /// - Throws: ``ConsoleError`` `.notFound`.
    static func summary(_ request: PageRequest) async throws -> ConsoleFile {
        let month = try MonthPage(request).month
        do {
            let summary = try await request.store.finance.paymentsSummary(month)
            return ConsoleFile(
                name: PaymentsSummary.fileName, contentType: "text/csv; charset=utf-8", bytes: Array(summary.text.utf8))
        } catch let error as FinanceError where error.code == .monthNotClosed {
            throw ConsoleError.notFound(RefusalText.text(error.reason, otherwise: error.code.phrase))
        }
    }
}

/// The comparison of a month's sales with payments, entry by entry.
enum MonthReconciliation {
    static let routePath = "payments/:month/reconcile"

    static func form(_ month: FiscalMonth, _ request: PageRequest) -> Form {
        Form(
            request.path("payments/\(month)/reconcile"), submit: .phrase(PaymentPhrases.reconcile), isQuery: true,
            same: SameCommand(
                "reconcile --from \(month) --to \(month) --environment \(request.environment.name)",
                .init("GET", "control/v1/reconciliation?from=\(month)&to=\(month)")), [])
    }

    /// Returns the comparison of the month, or how far it is.
    static func page(_ request: PageRequest) async throws -> Page {
        let month = try MonthPage(request).month
        return try await request.computed("payments/\(month)/reconcile", page(month, request, [])) { progress in
            let result = try await request.store.finance.reconcile(month.firstDay...month.lastDay) {
                progress.add(entries: $0)
            }
            return page(month, request, blocks(of: result) + [.form(form(month, request))])
        }
    }

    private static func page(_ month: FiscalMonth, _ request: PageRequest, _ blocks: [Block]) -> Page {
        Page(
            .phrase(PaymentPhrases.reconcile), .payments,
            trail: [
                Link(.phrase(PaymentPhrases.title), request.path("payments")),
                Link(.data("\(month)"), request.path("payments/\(month)")),
            ], blocks)
    }

    /// Returns the place of a difference in a journal; `nil` if it has none.
    private static func place(of difference: Reconciliation.Difference) -> Text? {
        difference.position.map { position in
            .list(
                [.phrase(PaymentPhrases.position, .number(position))]
                    + (difference.transactionID.map { [.phrase(PaymentPhrases.transaction, .data($0.description))] }
                        ?? [])
                    + (difference.bundleID.map { [.data($0.rawValue)] } ?? []))
        }
    }

    private static func blocks(of result: Reconciliation) -> [Block] {
        var checks = [
            Check(
                outcome: result.agrees ? .passed : .failed, name: .phrase(PaymentPhrases.reconciled),
                reason: .phrase(PaymentPhrases.entriesRead, .number(result.entries)))
        ]
        checks += result.differences.map { difference in
            Check(outcome: .failed, name: RefusalText.sentence(difference.text), reason: place(of: difference))
        }
        let headings = [
            PaymentPhrases.sales, PaymentPhrases.rollUps, PaymentPhrases.closed, PaymentPhrases.open,
        ]
        let table = Table(
            caption: .phrase(PaymentPhrases.reconcile),
            columns: [Table.Column(.phrase(SpanPhrases.currency), .leading, .primary)]
                + headings.map { Table.Column(.phrase($0), .trailing, .primary) },
            rows: result.totals.map { total in
                Table.Row(
                    [Cell(.data(total.currency.rawValue))]
                        + [total.sales, total.rollUps, total.closed, total.open].map {
                            Cell(.money(Money(milliunits: $0, total.currency)))
                        })
            })
        return [.checks(checks), .table(table)]
    }
}

/// Payments and Financial Reports, which are of all apps.
struct PaymentsChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("payments", .viewMoney, ofAllApps: true) { try await PaymentsPage(request: $0).page() }
        routes.page("payments/:month", .viewMoney, ofAllApps: true) { try await MonthPage($0).page() }
        routes.file("payments/:month/report", .viewMoney, ofAllApps: true) { try await MonthDownloads.report($0) }
        routes.file("payments/:month/summary", .viewMoney, ofAllApps: true) { try await MonthDownloads.summary($0) }
        routes.page("payments/:month/explain", .viewMoney, ofAllApps: true) {
            try await PaymentFigurePage(ofAllApps: $0).page()
        }
        routes.page(MonthReconciliation.routePath, .viewMoney, ofAllApps: true) {
            try await MonthReconciliation.page($0)
        }
        routes.form("payments/:month/close", .administer, ofAllApps: true) {
            try await MonthPage($0.page).close($0.values)
        }
    }
}
