import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Explanations of figures: the journal entries behind them, and the same sums from the journal.
struct ExplainTests {
    private static let day = "2025-12-31"

    /// Sales in two storefronts on 31 December 2025 in Pacific time, with a refund.
    private static func shop(on engine: Engine = .sqliteInMemory) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine)
        try await shop.account("ann")
        try await shop.account("hans", storefront: "DEU")
        try await shop.buy("film.roll", quantity: 3, as: "ann")
        let filter = try await shop.buy("filter.amber", as: "ann")
        try await shop.buy("film.roll", as: "hans")
        try await shop.refund(filter)
        return shop
    }

    private static func figure(
        _ column: SalesFigure.Column, product: String? = nil, country: String? = nil, date: String = day,
        _ frequency: ReportPeriod.Frequency = .daily
    ) -> SalesFigure {
        SalesFigure(
            bundleID: TestCatalog.bundleID, frequency: frequency, date: date, product: product, country: country,
            column: column)
    }

    @Test(arguments: Engine.allCases, SalesFigure.Column.allCases.filter { $0 != .refunds })
    func `a figure of sales is the sum of its entries`(engine: Engine, column: SalesFigure.Column) async throws {
        let shop = try await Self.shop(on: engine)
        let explained = try await shop.store.explain.sales(Self.figure(column))
        #expect(explained.agrees)
        #expect(explained.count == 4)
        #expect(explained.reported.units == 4)
        #expect(explained.reported.amounts.isEmpty == (column == .units))
        #expect(explained.contributions.map(\.units) == [3, 1, 1, -1])
        var sums: [Currency: Int64] = [:]
        for amount in explained.contributions.compactMap(\.amount) {
            sums[amount.currency, default: 0] += amount.milliunits
        }
        for amount in explained.reported.amounts { #expect(sums[amount.currency] == amount.milliunits) }
        // The postings are those of the journal.
        let account: Posting.Account? =
            switch column {
            case .proceeds: .proceeds
            case .tax: .tax
            case .commission: .commission
            case .sales: .customer
            case .units, .refunds: nil
            }
        for contribution in explained.contributions where account != nil {
            let posted = contribution.entry.postings.filter { $0.account == account }
                .reduce(0) { $0 + $1.amount.milliunits }
            #expect(contribution.amount?.milliunits == (column == .sales ? -posted : posted))
        }
    }

    @Test func `a figure is narrowed by product, country, device and period`() async throws {
        let shop = try await Self.shop()
        let explain = shop.store.explain
        #expect(try await explain.sales(Self.figure(.units, product: "film.roll")).reported.units == 4)
        #expect(try await explain.sales(Self.figure(.units, country: "DE")).reported.units == 1)
        #expect(try await explain.sales(Self.figure(.units, country: "deu")).reported.units == 1)
        for (frequency, date) in [
            (ReportPeriod.Frequency.weekly, "2026-01-04"), (.monthly, "2025-12"), (.yearly, "2025"),
        ] {
            let explained = try await explain.sales(Self.figure(.proceeds, date: date, frequency))
            #expect(explained.agrees)
            #expect(explained.count == 4)
        }
    }

    @Test func `entries come in pages, and the sums are of all`() async throws {
        let shop = try await Self.shop()
        var page = Explanation.Page(limit: 3)
        let first = try await shop.store.explain.sales(Self.figure(.units), page)
        #expect(first.contributions.count == 3)
        #expect(first.recomputed.units == 4)
        page.after = try #require(first.next)
        let second = try await shop.store.explain.sales(Self.figure(.units), page)
        #expect(second.contributions.map(\.units) == [-1])
        #expect(second.next == nil)
        #expect(second.recomputed.units == 4)
        #expect(Explanation.Place("\(page.after.app)-\(page.after.position)") == page.after)
    }

    @Test func `a figure that doesn't exist says what there is`() async throws {
        let shop = try await Self.shop()
        func reason(_ figure: SalesFigure) async -> String {
            do {
                _ = try await shop.store.explain.sales(figure)
                return "it was explained"
            } catch let error as ExplainError {
                return error.description
            } catch {
                return "\(error)"
            }
        }
        let products = await reason(Self.figure(.units, product: "monthly"))
        #expect(products.hasPrefix("figureNotFound"))
        #expect(products.contains("film.roll") && products.contains("DE, US"))
        #expect(await reason(Self.figure(.units, date: "2025-11-30")).contains("2025-12"))
        #expect(await reason(Self.figure(.units, date: "2025-13-01")).hasPrefix("malformed"))
        #expect(await reason(Self.figure(.units, country: "Atlantis")).hasPrefix("malformed"))
    }

    @Test(arguments: [
        (Statistic.subscriptionMovement, "active, churned, net, new"), (.retention, "month-0, month-1, month-10"),
        (.units, "units"),
    ])
    func `a column that isn't listed says which are`(statistic: Statistic, columns: String) async throws {
        let shop = try await TestStore.make()
        let day = PacificDay(try await shop.store.now())
        let figure = StatisticColumnFigure(
            bundleID: TestCatalog.bundleID, statistic: statistic, column: "none", days: day...day)
        let error = await #expect(throws: ExplainError(.figureNotFound, "", "")) {
            _ = try await shop.store.explain.column(figure)
        }
        #expect(error?.reason.contains("there are columns \(columns)") == true, "\(error?.reason ?? "")")
    }

    @Test(arguments: Engine.allCases)
    func `a changed roll-up is found`(engine: Engine) async throws {
        let shop = try await Self.shop(on: engine)
        #expect(try await shop.store.explain.sales(Self.figure(.units)).agrees)
        _ = try await shop.database.write {
            try $0.execute("UPDATE sales_roll_up SET units = units + 1 WHERE grain = 0 AND units > 0", [])
        }
        let explained = try await shop.store.explain.sales(Self.figure(.units))
        #expect(!explained.agrees)
        #expect(explained.recomputed.units == 4)
        #expect(explained.reported.units > 4)
    }

    @Test func `a transaction is explained from its sale to its refund`() async throws {
        let shop = try await Self.shop()
        let sold = try #require(
            try await shop.store.transactions.list(
                of: TestCatalog.bundleID, TransactionFilter(account: "ann"), limit: 10
            ).page.items.first { $0.value.productID.rawValue == "filter.amber" }?.value)
        let explained = try await shop.store.explain.transaction(sold.id)
        #expect(explained.account == "ann")
        #expect(explained.items.map(\.entry.kind) == [.purchased, .refunded])
        #expect(explained.items.map { $0.day.description } == [Self.day, Self.day])
        #expect(explained.items.map { $0.rows.map(\.units) } == [[1], [-1]])
        #expect(explained.items[0].rules.contains(.tax))
        #expect(explained.items[1].rules.first == .refund)
        #expect(explained.sums.allSatisfy { $0.amount.milliunits == 0 })
        await #expect(throws: StoreError(.transactionNotFound, "", "")) {
            try await shop.store.explain.transaction(TransactionID(rawValue: 1))
        }
    }

    @Test(arguments: Engine.allCases)
    func `the proceeds of a fiscal month are explained by region`(engine: Engine) async throws {
        let shop = try await Self.shop(on: engine)
        let month = FiscalMonth(containing: PacificDay(shop.clock.now)).description
        let all = try await shop.store.explain.financial(month: month, region: nil)
        #expect(all.agrees)
        #expect(all.count == 4)
        #expect(all.reported.amounts.map(\.currency) == [.eur, .usd])
        let one = try await shop.store.explain.financial(month: month, region: "EU")
        #expect(one.count == 1)
        #expect(one.agrees)
        await #expect(throws: ExplainError(.figureNotFound, "", "")) {
            try await shop.store.explain.financial(month: month, region: "JP")
        }
        await #expect(throws: ExplainError(.malformed, "", "")) {
            try await shop.store.explain.financial(month: "October", region: nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `events of subscriptions are explained by their entries`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.buy("monthly", as: "ann")
        try await shop.buy("monthly", as: "ben")
        let figure = SubscriptionEventFigure(
            bundleID: TestCatalog.bundleID, date: Self.day, event: "subscribe")
        let explained = try await shop.store.explain.subscriptionEvents(figure)
        #expect(explained.reported.units == 2)
        #expect(explained.agrees)
        #expect(explained.contributions.map(\.entry.kind) == [.subscription(.subscribed), .subscription(.subscribed)])
        await #expect(throws: ExplainError(.figureNotFound, "", "")) {
            try await shop.store.explain.subscriptionEvents(
                SubscriptionEventFigure(bundleID: TestCatalog.bundleID, date: Self.day, event: "Refund"))
        }
    }

    @Test func `an entry that makes no such event isn't counted`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("film.roll", as: "ann")
        for name in ["ann", "ben"] { try await shop.buy("monthly", as: name) }
        let figure = SubscriptionEventFigure(bundleID: TestCatalog.bundleID, date: Self.day, event: "subscribe")
        #expect(try await shop.store.explain.subscriptionEvents(figure).recomputed.units == 2)
        _ = try await shop.database.write {
            try $0.execute("UPDATE subscription_event_positions SET position = 1 WHERE position = 2")
        }
        let explained = try await shop.store.explain.subscriptionEvents(figure)
        #expect(!explained.agrees)
        #expect(explained.recomputed.units == 1)
        #expect(explained.contributions.map(\.place.position) == [3])
    }

    @Test func `a renewal is explained by the lifecycle of its subscription`() async throws {
        let shop = try await TestStore.make(on: .sqliteInMemory, "Production")
        try await shop.buy("monthly", as: "ann")
        try await shop.advance(by: .days(100))
        let renewed = try #require(
            try await shop.journal().last { $0.entry.kind == .subscription(.renewed) })
        let figure = SubscriptionEventFigure(
            bundleID: TestCatalog.bundleID, date: PacificDay(renewed.entry.at).description, event: "renew")
        let explained = try await shop.store.explain.subscriptionEvents(figure)
        #expect(explained.agrees)
        #expect(explained.contributions.map(\.place.position) == [renewed.position])
    }

    @Test(arguments: [Engine.sqliteInMemory, .postgres], Statistic.allCases)
    func `a day of a statistic is computed again from the journal`(engine: Engine, statistic: Statistic) async throws {
        let shop = try await TestStore.make(on: engine, "Production", app: TestCatalog.magazineWithOffers)
        for name in ["ann", "ben", "cleo"] { try await shop.buy("monthly", as: name) }
        try await shop.buy("yearly", as: "dan")
        let roll = try await shop.buy("film.roll", as: "ann")
        try await shop.refund(roll)
        try await shop.advance(by: .days(2))
        let figure = StatisticFigure(bundleID: TestCatalog.bundleID, statistic: statistic, date: Self.day)
        do {
            let explained = try await shop.store.explain.statistic(figure)
            #expect(explained.count == statistic.measures.count)
            for measure in explained {
                #expect(measure.agrees, "\(measure.title): \(measure.reported) and \(measure.recomputed)")
                if measure.reported != Explanation.Figure() { #expect(measure.count > 0) }
            }
        } catch let error as ExplainError {
            // Nothing was downloaded, and nothing renewed.
            #expect(error.code == .figureNotFound)
            #expect([.downloads, .redownloads, .updates, .renewals].contains(statistic), "\(statistic)")
        }
    }
}
