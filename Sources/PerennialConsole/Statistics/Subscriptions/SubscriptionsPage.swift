import Perennial
import PerennialStore

/// Statistics of subscriptions: states, MRR and its movement, churn, conversion, retention.
struct SubscriptionsPage: Sendable {
    let request: FigureRequest

    init(_ page: PageRequest) async throws {
        request = try await FigureRequest(page, usual: .year)
    }

    func page() async throws -> Page {
        if let refused = request.refused(Words.subscriptions, .subscriptions) { return refused }
        let product = request.app.products.first { $0.type == .autoRenewable }
        let today = request.today...request.today
        let status = try await request.table(.subscriptionStatus, today, .day)
        let active = try await request.table(.activeSubscriptions, today, .day)
        let trials = try await request.table(.activeTrials, today, .day)
        let mrr = try await request.table(.mrr, today, .day)
        let months = try await Months(request)
        let ended = try await EndedMonth(request)
        let list = Link(.phrase(SubscriptionPhrases.list), request.page.path("subscriptions/list"))
        let actions: [Action] = request.page.allows(.support) ? [.link(list)] : []
        guard months.hasSubscriptions || trials.last("active-trials") != 0 else {
            return Page(
                .phrase(Words.subscriptions), .subscriptions, actions: actions, request.notice + [empty(product)])
        }
        let currencies = months.movement.currencies.union(mrr.lastMoney("mrr").map(\.currency))
        let currency = request.currency(of: currencies)
        var blocks = request.notice
        blocks.append(.filter(request.filter(.subscriptions, [], currencies, currency)))
        blocks.append(.figures(figures(active, trials, mrr, months, ended, currency, currencies)))
        let chart = try await request.chart(
            .phrase(FigurePhrases.active), .activeSubscriptions, "active-subscriptions", nil, isStock: true
        ) { request.explanation(.activeSubscriptions, "active-subscriptions", days: $0) }
        blocks.append(.chart(chart.chart))
        blocks.append(.section(.phrase(SubscriptionPhrases.status), [.facts(facts(status))]))
        blocks.append(.chart(months.movementChart(request, currency)))
        blocks.append(.section(.phrase(SubscriptionPhrases.byMonth), [.table(months.table(request))]))
        blocks.append(
            .section(
                .phrase(SubscriptionPhrases.retention), id: "retention",
                [
                    .table(
                        RetentionTable.table(
                            months.retention, caption: .phrase(SubscriptionPhrases.retention),
                            definition: .phrase(SubscriptionPhrases.retentionDefinition)
                        ) { period, column in
                            PacificDay("\(period)-01").map {
                                request.explanation(.retention, column, days: $0.wholeMonth)
                            }
                        })
                ]))
        blocks.append(.same(request.same(.mrrMovement)))
        return Page(.phrase(Words.subscriptions), .subscriptions, actions: actions, blocks)
    }

    private func empty(_ product: Product?) -> Block {
        let command = product.map { product in
            SameCommand(
                "buy \(product.id) --app \(request.app.bundleID) --account ann@example.com "
                    + "--environment \(request.page.environment.name)")
        }
        let create = Action.link(
            Link(.phrase(SubscriptionPhrases.createGroup), request.page.path("products/new")), isProminent: true)
        return .empty(
            EmptyState(
                text: .phrase(SubscriptionPhrases.none), action: product == nil ? create : nil, same: command))
    }

    private func figures(
        _ active: StatisticTable, _ trials: StatisticTable, _ mrr: StatisticTable, _ months: Months,
        _ ended: EndedMonth, _ currency: Currency, _ currencies: Set<Currency>
    ) -> [Figure] {
        [
            Figure(
                label: .phrase(FigurePhrases.active), value: .number(active.last("active-subscriptions") ?? 0),
                definition: .phrase(FigurePhrases.activeDefinition),
                path: request.explanation(.activeSubscriptions, "active-subscriptions")),
            Figure(
                label: request.label(FigurePhrases.mrr, currency, of: currencies),
                value: .money(Money(milliunits: mrr.last("mrr", currency) ?? 0, currency).inWholeCoins),
                others: FigureRequest.others(mrr.lastMoney("mrr").map(\.inWholeCoins), than: currency),
                definition: .phrase(FigurePhrases.mrrDefinition),
                path: request.explanation(.mrr, "mrr", currency),
                sparkline: months.movement.amounts("mrr", currency).map { Double($0.amount ?? 0) }),
            Figure(
                label: .phrase(FigurePhrases.trials), value: .number(trials.last("active-trials") ?? 0),
                definition: .phrase(FigurePhrases.trialsDefinition),
                path: request.explanation(.activeTrials, "active-trials")),
            Figure(
                label: ended.named(FigurePhrases.churn), value: Self.share(ended.churn), isBetterLower: true,
                definition: .phrase(FigurePhrases.churnDefinition),
                path: request.explanation(.churnRate, "rate", days: ended.first.wholeMonth)),
            Figure(
                label: ended.named(FigurePhrases.conversion), value: Self.share(ended.conversion),
                definition: .phrase(FigurePhrases.conversionDefinition),
                path: request.explanation(.trials, "conversion", days: ended.first.wholeMonth)),
        ]
    }

    static func share(_ hundredths: Int64?) -> Text {
        hundredths.map { .percent(Double($0) / 10_000) } ?? .data("–")
    }

    private func facts(_ status: StatisticTable) -> [Fact] {
        func fact(_ phrase: Phrase, _ column: String, _ mark: Status?, _ definition: Phrase? = nil) -> Fact {
            let path = request.explanation(.subscriptionStatus, column)
            return Fact(
                .phrase(phrase), Cell(.number(status.last(column) ?? 0), path: path, status: mark),
                definition: definition.map { .phrase($0) })
        }
        let issues = status.last("billing-issue") ?? 0
        return [
            fact(SubscriptionPhrases.setToRenew, "set-to-renew", .good),
            fact(SubscriptionPhrases.setToCancel, "set-to-cancel", .neutral),
            fact(
                SubscriptionPhrases.billingIssue, "billing-issue", issues > 0 ? .warning : .neutral,
                SubscriptionPhrases.billingIssueDefinition),
        ]
    }
}

/// Statistics of subscriptions.
struct SubscriptionStatisticsChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("subscriptions", .viewSales) { try await SubscriptionsPage($0).page() }
    }
}
