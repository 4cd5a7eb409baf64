import Perennial
import PerennialStore

extension SubscriptionsPage {
    /// The rates of the last whole month, whatever the page's span: those of the running month begin with 0.
    struct EndedMonth: Sendable {
        let first: PacificDay
        let churn: Int64?
        let conversion: Int64?

        init(_ request: FigureRequest) async throws {
            let days = FigureSpan(["span": FigureSpan.Choice.lastMonth.rawValue], today: request.today).days
            first = days.lowerBound
            async let churn = request.table(.churnRate, days, .month)
            async let trials = request.table(.trials, days, .month)
            self.churn = try await churn.last("rate")
            conversion = try await trials.last("conversion")
        }

        /// Returns a figure's name with the month.
        func named(_ figure: Phrase) -> Text { .phrase(FigurePhrases.ofMonth, .phrase(figure), first.monthText) }
    }

    /// The statistics of subscriptions by month.
    struct Months: Sendable {
        let movement: StatisticTable
        let subscriptions: StatisticTable
        let churn: StatisticTable
        let trials: StatisticTable
        let retention: StatisticTable

        init(_ request: FigureRequest) async throws {
            let days = request.span.days
            // Side by side: there are as many readers as processors.
            async let movement = request.table(.mrrMovement, days, .month)
            async let subscriptions = request.table(.subscriptionMovement, days, .month)
            async let churn = request.table(.churnRate, days, .month)
            async let trials = request.table(.trials, days, .month)
            async let retention = request.table(.retention, days, .month)
            self.movement = try await movement
            self.subscriptions = try await subscriptions
            self.churn = try await churn
            self.trials = try await trials
            self.retention = try await retention
        }

        var hasSubscriptions: Bool {
            ["new", "churned", "active"].contains { column in
                subscriptions.amounts(column).contains { $0.amount ?? 0 != 0 }
            } || trials.amounts("started").contains { $0.amount ?? 0 != 0 }
        }

        /// Draws what moved MRR: above the line what it gained, below it what it lost, and the net as a line.
        func movementChart(_ request: FigureRequest, _ currency: Currency) -> Chart {
            let columns: [(String, Phrase)] = [
                ("new", SubscriptionPhrases.new), ("returned", SubscriptionPhrases.returned),
                ("expansion", SubscriptionPhrases.expansion), ("contraction", SubscriptionPhrases.contraction),
                ("lost", SubscriptionPhrases.lost),
            ]
            let periods = movement.amounts("net", currency).map(\.period)
            func paths(_ column: String) -> [String?] {
                periods.map { period in
                    PacificDay("\(period)-01").map {
                        request.explanation(.mrrMovement, column, currency, days: $0.wholeMonth)
                    }
                }
            }
            let steps = periods.map { ChartStep(name: .month(named: $0)) }
            let figures = ChartFigures(
                title: .phrase(SubscriptionPhrases.mrrMovement, .data(currency.rawValue)), steps: steps,
                unit: .money(currency),
                series: columns.map { column, phrase in
                    ChartSeries(
                        .phrase(phrase), movement.amounts(column, currency).map { $0.amount ?? 0 },
                        paths: paths(column))
                }, heading: .phrase(ChartPhrases.month))
            return ColumnChart(figures, netPaths: paths("net")).chart
        }

        func table(_ request: FigureRequest) -> Table {
            let (new, churned, net) = (
                subscriptions.amounts("new"), subscriptions.amounts("churned"), subscriptions.amounts("net")
            )
            let (active, rates) = (subscriptions.amounts("active"), churn.amounts("rate"))
            let (started, converted, shares) = (
                trials.amounts("started"), trials.amounts("converted"), trials.amounts("conversion")
            )
            let rows = new.indices.reversed().map { index in
                let days = PacificDay("\(new[index].period)-01")?.wholeMonth
                func cell(_ text: Text, _ statistic: Statistic, _ column: String) -> Cell {
                    Cell(text, path: days.map { request.explanation(statistic, column, days: $0) })
                }
                func count(_ amounts: [(period: String, amount: Int64?)]) -> Text {
                    .number(amounts[index].amount ?? 0)
                }
                return Table.Row([
                    Cell(.month(named: new[index].period)), cell(count(new), .subscriptionMovement, "new"),
                    cell(count(churned), .subscriptionMovement, "churned"),
                    cell(count(net), .subscriptionMovement, "net"),
                    cell(count(active), .subscriptionMovement, "active"),
                    cell(SubscriptionsPage.share(rates[index].amount), .churnRate, "rate"),
                    cell(count(started), .trials, "started"), cell(count(converted), .trials, "converted"),
                    cell(SubscriptionsPage.share(shares[index].amount), .trials, "conversion"),
                ])
            }
            let headings: [(Phrase, Phrase?)] = [
                (SubscriptionPhrases.new, nil), (SubscriptionPhrases.churned, nil), (SubscriptionPhrases.net, nil),
                (FigurePhrases.active, FigurePhrases.activeDefinition),
                (FigurePhrases.churn, FigurePhrases.churnDefinition), (SubscriptionPhrases.started, nil),
                (SubscriptionPhrases.converted, nil), (FigurePhrases.conversion, FigurePhrases.conversionDefinition),
            ]
            return Table(
                caption: .phrase(SubscriptionPhrases.byMonth),
                columns: [Table.Column(.phrase(ChartPhrases.month), .leading, .primary)]
                    + headings.enumerated().map { index, heading in
                        Table.Column(
                            .phrase(heading.0), .trailing, index == 2 || index == 3 ? .primary : .secondary,
                            definition: heading.1.map { .phrase($0) })
                    }, rows: rows)
        }
    }
}

extension StatisticTable {
    /// The currencies in which a row has anything.
    var currencies: Set<Currency> {
        Set(
            rows.compactMap { row in
                row.values.contains { $0?.amount ?? 0 != 0 } ? row.currency : nil
            })
    }
}
