import Perennial
import PerennialStore

/// The first page: what needs attention, today, the last seven days, and the line of thirty days.
struct OverviewPage: Sendable {
    let request: PageRequest

    func page() async throws -> Page {
        guard request.app != nil else { return Page(.phrase(NavigationItem.overview.name), .overview, apps) }
        let figures = try await FigureRequest(request)
        guard figures.status != nil else {
            return Page(.phrase(NavigationItem.overview.name), .overview, [first(figures.app)])
        }
        let attention = try await request.store.rolledUp.attention(for: figures.app.bundleID)
        var blocks = figures.notice + AttentionNotices(request: request, attention: attention).blocks
        if request.allows(.viewSales) { blocks += try await sales(figures) }
        return Page(.phrase(NavigationItem.overview.name), .overview, blocks)
    }

    // MARK: - Nothing yet

    /// The apps, where the path names none.
    private var apps: [Block] {
        guard !request.apps.isEmpty else {
            return [
                .empty(
                    EmptyState(
                        text: .phrase(OverviewPhrases.noApps),
                        same: SameCommand("catalog import Examples/Magazine/catalog.yaml")))
            ]
        }
        return [
            .table(
                Table(
                    caption: .phrase(Words.apps),
                    columns: [
                        Table.Column(.phrase(Words.app), .leading, .primary),
                        Table.Column(.phrase(OverviewPhrases.bundleID)),
                    ],
                    rows: request.apps.map { app in
                        let path = ConsolePath.page(
                            "overview", environment: request.environment.name, app: app.bundleID.rawValue)
                        return Table.Row([Cell(.data(app.name), path: path), .id(app.bundleID.rawValue)])
                    }))
        ]
    }

    /// Says what to do first in a store without an entry.
    private func first(_ app: App) -> Block {
        guard let product = app.products.first else {
            return .empty(
                EmptyState(
                    text: .phrase(OverviewPhrases.noProducts),
                    action: .link(
                        Link(.phrase(OverviewPhrases.createProduct), request.path("products/new")), isProminent: true),
                    same: SameCommand("catalog import catalog.yaml")))
        }
        return .empty(
            EmptyState(
                text: .phrase(OverviewPhrases.noSalesYet),
                action: .link(Link(.phrase(OverviewPhrases.watchLive), request.path("live")), isProminent: true),
                same: SameCommand(
                    "buy \(product.id) --app \(app.bundleID) --account ann@example.com "
                        + "--environment \(request.environment.name)",
                    .init(
                        "POST", "control/v1/purchases",
                        "{\"bundleId\": \"\(app.bundleID)\", \"account\": \"ann@example.com\", "
                            + "\"productId\": \"\(product.id)\"}"))))
    }

    // MARK: - Figures

    private func sales(_ figures: FigureRequest) async throws -> [Block] {
        let (bundleID, today) = (figures.app.bundleID, figures.today)
        let measures: [StatisticMeasure] = [.proceeds, .units, .newCustomers]
        let week = today.adding(-6)...today
        let weekBefore = today.adding(-13)...today.adding(-7)
        let now = try await figures.statistics.sums(of: measures, today...today, in: bundleID)
        let last = try await figures.statistics.sums(of: measures, week, in: bundleID)
        let before = try await figures.statistics.sums(of: measures, weekBefore, in: bundleID)
        let active = try await figures.table(.activeSubscriptions, today...today, .day)
        let mrr = try await figures.table(.mrr, today...today, .day)
        let recurring = mrr.lastMoney("mrr")
        let currencies = Set((last.money(.proceeds) + recurring).map(\.currency))
        let currency = figures.currency(of: currencies)
        let headline = Headline(currency: currency, currencies: currencies, figures: figures)
        let chart = try await figures.chart(
            .phrase(FigurePhrases.inCurrency, .phrase(Words.proceeds), .data(currency.rawValue)), .proceeds, "proceeds",
            currency
        ) { figures.explanation(.proceeds, currency: currency, days: $0) }
        return [
            .figures(
                span(OverviewPhrases.today, now, nil, today...today, headline)
                    + [
                        Figure(
                            label: .phrase(FigurePhrases.active),
                            value: .number(active.last("active-subscriptions") ?? 0),
                            definition: .phrase(FigurePhrases.activeDefinition),
                            path: figures.explanation(.activeSubscriptions, "active-subscriptions")),
                        Figure(
                            label: headline.label(FigurePhrases.mrr),
                            value: .money(Money(milliunits: mrr.last("mrr", currency) ?? 0, currency).inWholeCoins),
                            others: FigureRequest.others(recurring.map(\.inWholeCoins), than: currency),
                            definition: .phrase(FigurePhrases.mrrDefinition),
                            path: figures.explanation(.mrr, "mrr", currency)),
                    ]),
            .figures(span(OverviewPhrases.thisWeek, last, before, week, headline)), .chart(chart.chart),
            .links([
                Link(.phrase(SalesPhrases.title), request.path("sales")),
                Link(.phrase(Words.subscriptions), request.path("subscriptions")),
            ]),
        ]
    }

    /// The currency of the page's figures of money, among those that there are.
    private struct Headline {
        var currency: Currency
        var currencies: Set<Currency>
        var figures: FigureRequest

        func label(_ name: Phrase) -> Text { figures.label(name, currency, of: currencies) }
    }

    private func span(
        _ name: Phrase, _ sums: StatisticSums, _ before: StatisticSums?, _ days: ClosedRange<PacificDay>,
        _ headline: Headline
    ) -> [Figure] {
        let (currency, figures) = (headline.currency, headline.figures)
        func figure(
            _ phrase: Phrase, _ definition: Phrase, _ measure: StatisticMeasure, path: String?
        ) -> Figure {
            let key = measure.isMoney ? currency : nil
            let amount = sums[measure, "", key]
            return Figure(
                label: .phrase(
                    OverviewPhrases.labelled, measure.isMoney ? headline.label(phrase) : .phrase(phrase),
                    .phrase(name)),
                value: measure.isMoney ? .money(Money(milliunits: amount, currency)) : .number(amount),
                others: measure.isMoney ? FigureRequest.others(sums.money(measure), than: currency) : nil,
                change: before.flatMap { Change.of(amount, since: $0[measure, "", key]) },
                definition: .phrase(definition), path: path)
        }
        return [
            figure(
                Words.proceeds, FigurePhrases.proceedsDefinition, .proceeds,
                path: figures.explanation(.proceeds, currency: currency, days: days)),
            figure(
                Words.units, FigurePhrases.unitsDefinition, .units, path: figures.explanation(.units, days: days)),
            figure(
                OverviewPhrases.newCustomers, OverviewPhrases.newCustomersDefinition, .newCustomers,
                path: figures.explanation(.newCustomers, "new-customers", days: days)),
        ]
    }
}
