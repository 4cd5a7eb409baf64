import Perennial
import PerennialStore

/// The explanation of an app's proceeds of a fiscal month, of a region or of all.
struct FinancialExplanation: Sendable {
    let page: PageRequest
    let month: FiscalMonth
    let region: FinancialRegion?

    /// - Returns: `nil` for a query that names no month.
    init?(_ page: PageRequest, _ query: [String: String]) {
        guard let month = query["month"].flatMap({ FiscalMonth($0) }) else { return nil }
        self.page = page
        self.month = month
        let region = query["region"].map { FinancialRegion(rawValue: $0) }
        self.region = region?.info == nil ? nil : region
    }

    func page() async throws -> Page {
        let (bundleID, rolledUp) = (try page.bundleID(), page.store.rolledUp)
        let place = page.query["after"].flatMap { Explanation.Place($0) }
        let reported = Explanation.Figure(
            amounts: try await rolledUp.finance.proceeds(of: month, region: region, in: bundleID))
        let entries = try await rolledUp.explain.financialEntries(
            month: month, region: region, in: bundleID,
            .init(after: place ?? .init(app: 0, position: 0), limit: SalesExplanation.pageLength))
        var blocks: [Block] = [
            .figures([
                Figure(
                    label: .phrase(ExplainPhrases.inReport), value: reported.amounts.text,
                    definition: .phrase(ExplainPhrases.inReportDefinition))
            ]),
            .facts([
                Fact(.phrase(ExplainPhrases.figure), Cell(.phrase(Words.proceeds))),
                Fact(.phrase(PaymentPhrases.fiscalMonth), .id("\(month)", path: page.path("payments/\(month)"))),
                Fact(.phrase(ExplainPhrases.days), Cell((month.firstDay...month.lastDay).text)),
                Fact(
                    .phrase(ExplainPhrases.region),
                    Cell(region.map { .region($0, page.language) } ?? .phrase(Words.all))),
            ]),
        ]
        if let sum = entries.sum {
            blocks.append(
                .checks([
                    Check(
                        reported: reported, journal: Explanation.Figure(amounts: sum.amounts),
                        entries: entries.contributions.count, counts: false)
                ]))
        }
        let table = EntryTable(page: page, contributions: entries.contributions, counts: false).table(
            next: entries.next.map(path), first: place == nil ? nil : path(nil),
            empty: .phrase(entries.next == nil ? ExplainPhrases.noEntries : ExplainPhrases.noneHere))
        blocks += [.section(.phrase(ExplainPhrases.entries), [.table(table)]), .same(same)]
        return Page(
            .phrase(ExplainPhrases.title), .payments,
            trail: [Link(.phrase(PaymentPhrases.title), page.path("payments"))], blocks)
    }

    private func path(_ after: Explanation.Place?) -> String {
        page.path(
            "explain",
            [
                "figure": "financial", "month": "\(month)", "region": region?.rawValue ?? "",
                "after": after.map { "\($0.app)-\($0.position)" } ?? "",
            ])
    }

    private var same: SameCommand {
        let (option, field) = (region.map { " --region \($0)" } ?? "", region.map { "&region=\($0)" } ?? "")
        return SameCommand(
            "explain financial --month \(month)\(option) --environment \(page.environment.name)",
            .init("GET", "control/v1/explain/financial?month=\(month)\(field)"))
    }
}
