import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Statistics of a running store, in numbers (docs/reference/statistics.md).
struct StatisticsTests {
    private static let start = Magazine.start
    private static let app: App = {
        var app = Magazine.app(changing: ["month"]) {
            $0.introductoryOffer = Magazine.offer(nil, .freeTrial, .week, 0)
        }
        app.products.append(
            Product(
                id: Product.ID(rawValue: "coins"), type: .consumable, referenceName: "coins",
                basePrice: Money(milliunits: 990, .usd)))
        return app
    }()

    private func values(
        _ shop: TestStore, _ statistic: Statistic, by dimension: StatisticDimension = .all,
        _ interval: StatisticInterval = .month
    ) async throws -> [[StatisticValue?]] {
        try await shop.statistic(statistic, by: dimension, interval).rows.map(\.values)
    }

    private func money(_ amounts: Int64...) -> [StatisticValue?] { amounts.map { StatisticValue.money($0) } }

    @Test(arguments: Engine.allCases)
    func `trials end as converted, pending or abandoned`(engine: Engine) async throws {
        let shop = try await Magazine.shop(.production, app: Self.app, on: engine)
        var trials: [TransactionID] = []
        for account in ["ann", "ben", "cem", "dee"] { trials.append(try await shop.buy("month", as: account).id) }
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: trials[1])
        try await shop.account("cem", payment: .declined)
        #expect(
            try await values(shop, .trials) == [[.count(4), .count(0), .count(3), .count(1), .percent(0)]])
        #expect(try await values(shop, .activeTrials) == [[.count(4)]])
        try await shop.advance(to: Self.start + .days(8))
        // Two were charged, and the third's charge is retried.
        #expect(
            try await values(shop, .trials) == [
                [.count(4), .count(2), .count(1), .count(1), .percent(5000)],
                [.count(0), .count(0), .count(0), .count(0), nil],
            ])
        try await shop.advance(to: Self.start + .days(80))
        #expect(
            try await values(shop, .trials).first == [.count(4), .count(2), .count(0), .count(2), .percent(5000)])
        #expect(try await values(shop, .activeTrials).last == [.count(0)])
    }

    @Test func `MRR moves by new, changed and lost subscriptions`() async throws {
        let shop = try await Magazine.shop(.production, app: Self.app)
        let year = try await shop.buy("year", as: "ann")
        try await shop.buy("other", as: "ben")
        try await shop.advance(to: Self.start + .days(3))
        try await shop.buy("gold", as: "ben")
        _ = try await shop.refund(year)
        // A yearly price of 9.99 is 0.832 a month.
        let rows = try await values(shop, .mrrMovement, .day)
        #expect(rows.first == money(10_822, 0, 0, 0, 0, 10_822, 10_822))
        #expect(rows.last == money(0, 0, 0, 0, -832, -832, 9990))
        #expect(try await values(shop, .arr, .day).last == [.money(12 * 9990)])
        let products = try await shop.statistic(.mrrMovement, by: .product, .day).rows
        let last = products.filter { $0.period == products.last?.period }
        #expect(last.map(\.group) == ["gold", "other", "year"])
        #expect(last.map { $0.counts[6] } == [9990, 0, 0])
        #expect(last.map { $0.counts[2] } == [9990, 0, 0])
        #expect(last.map { $0.counts[3] } == [0, -9990, 0])
    }

    @Test func `sales, refunds and their rates by product and storefront`() async throws {
        let shop = try await Magazine.shop(.production, app: Self.app)
        try await shop.account("ben", storefront: "DEU")
        let coins = try await shop.buy("coins", quantity: 3, as: "ann")
        try await shop.buy("coins", as: "ann")
        try await shop.buy("coins", as: "ben")
        try await shop.advance(to: Self.start + .days(40))
        _ = try await shop.refund(coins)
        #expect(try await values(shop, .units) == [[.count(5)], [.count(0)], [.count(-3)]])
        #expect(try await values(shop, .refunds) == [[.count(0)], [.count(0)], [.count(3)]])
        // The refund counts in the month of its sale.
        #expect(
            try await values(shop, .refundRate) == [
                [.count(3), .count(1), .percent(3333)], [.count(0), .count(0), nil], [.count(0), .count(0), nil],
            ])
        let revenue = try await shop.statistic(.revenue, by: .storefront, .month).rows
        #expect(
            revenue.map { "\($0.period) \($0.group) \($0.currency?.rawValue ?? "") \($0.counts[0])" } == [
                "2025-01 DEU EUR 990", "2025-01 USA USD 3960", "2025-03 USA USD -2970",
            ])
        let proceeds = try await shop.statistic(.proceeds, .month).rows.reduce(0) { $0 + $1.counts[0] }
        let posted = try await shop.journal().flatMap(\.entry.postings).reduce(0) {
            $1.account == .proceeds ? $0 + $1.amount.milliunits : $0
        }
        #expect(proceeds == posted)
    }

    @Test func `customers convert within a window, and have a realised value`() async throws {
        let shop = try await Magazine.shop(.production, app: Self.app)
        try await shop.buy("month", as: "ann")
        try await shop.buy("coins", as: "ben")
        try await shop.advance(to: Self.start + .days(10))
        func table(_ statistic: Statistic, _ window: CustomerWindow) async throws -> [StatisticValue?]? {
            try await shop.store.statistics.table(
                StatisticRequest(
                    bundleID: TestCatalog.bundleID, statistic: statistic, from: PacificDay(Self.start),
                    interval: .month, window: window)
            ).rows.first?.values
        }
        #expect(try await table(.initialConversion, .sameDay) == [.count(2), .count(2), .percent(10_000)])
        #expect(try await table(.conversionToPaying, .sameDay) == [.count(2), .count(1), .percent(5000)])
        #expect(try await table(.conversionToPaying, .week) == [.count(2), .count(2), .percent(10_000)])
        #expect(try await table(.valuePerCustomer, .sameDay) == [.count(2), .money(990), .money(495)])
        #expect(try await table(.valuePerCustomer, .unlimited) == [.count(2), .money(10_980), .money(5490)])
    }

    @Test func `retention is the share of a cohort for which the time has passed`() async throws {
        let shop = try await Magazine.shop(.production, app: Self.app)
        var ids: [TransactionID] = []
        for account in ["ann", "ben", "cem", "dee"] { ids.append(try await shop.buy("other", as: account).id) }
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: ids[0])
        try await shop.advance(to: Self.start + .days(33))
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: ids[1])
        try await shop.advance(to: Self.start + .days(70))
        let table = try await shop.statistic(.retention)
        #expect(table.columns.map(\.name) == ["subscriptions", "month-0", "month-1", "month-2", "month-3"])
        #expect(
            table.rows.first?.values == [.count(4), .percent(10_000), .percent(7500), .percent(5000), nil])
    }

    @Test func `churn is what ended less what returned`() async throws {
        let shop = try await Magazine.shop(.production, app: Self.app)
        var ids: [TransactionID] = []
        for account in ["ann", "ben", "cem"] { ids.append(try await shop.buy("other", as: account).id) }
        for id in ids.prefix(2) { _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: id) }
        try await shop.advance(to: Self.start + .days(40))
        try await shop.buy("other", as: "ann")
        let rows = try await values(shop, .churnRate)
        #expect(rows.last == [.count(-1), .count(1), .percent(-10_000)])
        #expect(try await shop.statistic(.churnRate, .month).rows.reduce(0) { $0 + $1.counts[0] } == 1)
        #expect(
            try await values(shop, .subscriptionStatus).last == [.count(2), .count(0), .count(0)])
    }

    @Test func `questions that can't be answered say why`() async throws {
        let shop = try await Magazine.shop(.production, app: Self.app)
        func reason(_ change: (inout StatisticRequest) -> Void) async -> String {
            var request = StatisticRequest(bundleID: TestCatalog.bundleID, statistic: .revenue)
            change(&request)
            do {
                _ = try await shop.store.statistics.table(request)
                return ""
            } catch let error as StoreError {
                return "\(error.subject): \(error.reason)"
            } catch {
                return "\(error)"
            }
        }
        try await shop.buy("coins", as: "ann")
        let today = PacificDay(Self.start)
        #expect(await reason { $0.from = today.next }.hasPrefix("from: "))
        #expect(
            await reason { ($0.from, $0.to) = (today.adding(-5000), today) }.hasPrefix("from: an answer has at most"))
        #expect(await reason { $0.window = .week } == "window: revenue has no window of days")
        #expect(
            await reason { ($0.statistic, $0.dimension) = (.newCustomers, .product) }
                == "group: new-customers is grouped by one of: all, storefront, device, version")
        #expect(await reason { $0.currency = .eur }.hasPrefix("currency: there is no exchange rate from USD to EUR"))
        #expect(await reason { $0.bundleID = App.BundleID(rawValue: "com.example.none") }.contains("no app"))
    }

    @Test func `money is converted at the rates that were loaded`() async throws {
        let shop = try await Magazine.shop(.production, app: Self.app)
        try await shop.account("ben", storefront: "DEU")
        try await shop.buy("coins", as: "ann")
        try await shop.buy("coins", as: "ben")
        let month = FiscalMonth(containing: PacificDay(Self.start))
        let rate = try #require(DecimalRate("1.1"))
        try await shop.database.write { [environment = shop.store.environment.id] in
            try ExchangeRatesTable.put(
                ExchangeRate(month: month, from: .eur, to: .usd, rate: rate), environment, on: $0)
        }
        let table = try await shop.store.statistics.table(
            StatisticRequest(
                bundleID: TestCatalog.bundleID, statistic: .revenue, from: PacificDay(Self.start),
                currency: .usd))
        #expect(table.rows.map(\.currency) == [.usd])
        // 0.99 EUR is 1.089, rounded to a cent.
        #expect(table.rows.map(\.values) == [[.money(990 + 1090)]])
    }

    @Test func `an emptied environment has no statistics`() async throws {
        let shop = try await Magazine.shop(.production, app: Self.app)
        try await shop.buy("other", as: "ann")
        #expect(try await values(shop, .units) == [[.count(1)]])
        try await shop.store.reset()
        #expect(try await values(shop, .units).last == [.count(0)])
        for table in [
            "subscription_stories", "subscription_standings", "subscription_standing_changes", "subscription_events",
            "subscription_standing_weeks", "subscription_event_positions", "statistic_totals", "statistic_customers",
            "statistic_entries",
        ] {
            #expect(try await shop.count(table) == 0, "\(table)")
        }
    }
}
