import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Explanations of the figures of pages: statistics' columns, sales, and payments.
struct FigureExplanationTests {
    private static let trial = Magazine.app(changing: ["month", "gold"]) {
        $0.introductoryOffer = Magazine.offer(nil, .freeTrial, .week, 0)
    }

    /// A store in which subscriptions convert, renew, are upgraded, fail to renew, are refunded, cancelled and bought again.
    private static func shop(on engine: Engine) async throws -> TestStore {
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: 16), app: trial, on: engine)
        func pass(_ time: Int64) async throws { try await shop.advance(to: try await shop.store.now() + time) }
        let names = ["ann", "ben", "cid", "dea", "eve", "fay", "gus"]
        var ids: [String: TransactionID] = [:]
        for name in names {
            ids[name] = try await shop.buy(name == "gus" ? "year" : "month", as: name).originalID
            try await pass(.days(2))
        }
        try await pass(.days(20))
        func perform(_ action: Subscriptions.Action, _ name: String) async throws {
            guard let id = ids[name] else { throw TestStore.Missing(what: name) }
            _ = try await shop.store.subscriptions.perform(action, on: id)
        }
        try await shop.buy("gold", as: "ann")
        try await shop.account("ben", payment: .declined)
        try await perform(.setAutoRenew(false), "cid")
        try await shop.account("dea", payment: .declined)
        try await pass(.days(35))
        try await shop.account("ben", payment: .valid)
        try await pass(.days(10))
        if let sold = try await shop.transactions(of: try #require(ids["eve"])).last {
            _ = try await shop.store.refunds.refund(sold.id, Refund())
        }
        try await pass(.days(30))
        try await shop.account("dea", payment: .valid)
        try await shop.buy("week", as: "cid")
        if let sold = try await shop.transactions(of: try #require(ids["fay"])).last {
            _ = try await shop.store.refunds.refund(sold.id, Refund())
            _ = try await shop.store.refunds.reverse(sold.id)
        }
        try await pass(.days(25))
        return shop
    }

    @Test(arguments: Engine.allCases)
    func `each column of statistics is the sum of its listed entries`(engine: Engine) async throws {
        let shop = try await Self.shop(on: engine)
        let (first, last) = (PacificDay(Magazine.start), PacificDay(try await shop.store.now()))
        try await ListedEntries(shop: shop).checkStatistics(from: first, through: last)
        // What the scenario is about has happened.
        for (statistic, column) in [
            (Statistic.subscriptionMovement, "new"), (.trials, "converted"), (.trials, "started"),
            (.refunds, "refunds"),
        ] {
            let value = try await ListedEntries(shop: shop).check(statistic, column, first...last)
            #expect(value != .count(0), "\(statistic) \(column)")
        }
        let names: [DomainEvent.Kind] = [.upgraded, .renewed, .renewalFailedWithGrace, .subscriptionRefunded]
        let kinds = Set(try await shop.journal().map(\.entry.kind))
        for kind in names { #expect(kinds.contains(.subscription(kind)), "\(kind)") }
    }

    @Test func `a rebuild lists the same entries`() async throws {
        let shop = try await Self.shop(on: .sqliteInMemory)
        func entries() async throws -> [StatisticPart] {
            let key = try await shop.rollUpKey()
            return try await shop.database.read { connection in
                try StatisticMeasure.allCases.flatMap { measure in
                    try StatisticEntriesTable.parts(
                        of: measure, .init(PacificDay(number: 0)...PacificDay(number: 100_000)), limit: 10_000, key,
                        on: connection)
                }
            }
        }
        let before = try await entries()
        #expect(before.count > 30)
        _ = try await shop.store.rollUps.rebuild(Self.trial)
        #expect(try await entries() == before)
    }

    @Test func `active subscriptions are listed with the sales of their newest periods`() async throws {
        let shop = try await TestStore.make(on: .sqliteInMemory, "Production")
        for name in ["ann", "ben", "cleo"] { try await shop.buy("monthly", as: name) }
        try await shop.advance(by: .days(40))
        let today = PacificDay(try await shop.store.now())
        let figure = StatisticColumnFigure(
            bundleID: TestCatalog.bundleID, statistic: .activeSubscriptions, column: "active-subscriptions",
            days: today...today)
        let explained = try await shop.store.explain.column(figure, .init(limit: 2))
        #expect(explained.value == .count(3))
        #expect(explained.listing == .subscriptions)
        #expect(explained.entries.contributions.count == 2 && explained.entries.sum == nil)
        #expect(explained.entries.contributions.allSatisfy { $0.entry.kind == .subscription(.renewed) })
        let rest = try await shop.store.explain.column(figure, .init(after: try #require(explained.entries.next)))
        #expect(rest.entries.contributions.count == 1 && rest.entries.next == nil)
    }

    @Test func `a column that isn't listed and money without a currency are refused`() async throws {
        let shop = try await TestStore.make()
        let day = PacificDay(try await shop.store.now())
        for (statistic, column) in [(Statistic.churnRate, "none"), (.refundRate, "rate"), (.mrr, "mrr")] {
            let figure = StatisticColumnFigure(
                bundleID: TestCatalog.bundleID, statistic: statistic, column: column, days: day...day)
            await #expect(throws: ExplainError(.figureNotFound, "", ""), "\(statistic) \(column)") {
                try await shop.store.explain.column(figure)
            }
        }
    }

    @Test func `sales are explained by kind of product, by device, and by refunds`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("film.roll", quantity: 3, as: "ann")
        let filter = try await shop.buy("filter.amber", as: "ann")
        try await shop.buy("monthly", as: "ben")
        try await shop.refund(filter)
        func figure(_ change: (inout SalesFigure) -> Void) -> SalesFigure {
            var figure = SalesFigure(bundleID: TestCatalog.bundleID, column: .units)
            change(&figure)
            return figure
        }
        let explain = shop.store.explain
        for (expected, figure) in [
            (3, figure { $0.kind = .consumable }), (0, figure { $0.kind = .nonConsumable }),
            (1, figure { $0.kind = .autoRenewable }), (1, figure { $0.column = .refunds }),
        ] {
            let explained = try await explain.sales(figure)
            #expect(explained.agrees && explained.reported.units == Int64(expected))
            #expect(explained.contributions.reduce(0) { $0 + $1.units } == Int64(expected))
        }
        let all = try await explain.sales(figure { _ in }).reported.units
        var byDevice: Int64 = 0
        for device in FigureDevice.allCases {
            do {
                byDevice += try await explain.sales(figure { $0.device = device }).reported.units
            } catch let error as ExplainError {
                #expect(error.code == .figureNotFound)
            }
        }
        #expect(byDevice == all)
    }

    // MARK: - Payments

    /// A store with a closed month, which has taxes and an adjustment, and sales in an open one.
    private static func payments(on engine: Engine) async throws -> (shop: TestStore, month: FiscalMonth) {
        let shop = try await TestStore.make(on: engine, "Production")
        try await shop.account("hans", storefront: "DEU")
        for _ in 0..<6 { try await shop.buy("film.roll", quantity: 9, as: "ann") }
        try await shop.buy("film.roll", quantity: 2, as: "hans")
        let filter = try await shop.buy("filter.amber", as: "ann")
        try await shop.buy("monthly", as: "hans")
        try await shop.refund(filter)
        try await shop.loadRates()
        var settings = try await shop.store.finance.settings()
        settings.inputTax = ["US": 1000]
        settings.withholding = ["US": 2000, "EU": 500]
        try await shop.store.finance.setSettings(settings)
        try await shop.store.finance.adjust(
            FinancialRegion(rawValue: "US"), by: Money(milliunits: -1230, .usd), note: "A correction")
        let month = try await shop.firstMonth()
        try await shop.advance(by: .days(40))
        try await shop.store.finance.close(month)
        try await shop.buy("film.roll", quantity: 5, as: "hans")
        return (shop, month)
    }

    @Test(arguments: Engine.allCases)
    func `each column of a closed month is the sum of its entries and terms`(engine: Engine) async throws {
        let (shop, month) = try await Self.payments(on: engine)
        let closing = try await shop.store.finance.closedMonth(month).closing
        #expect(closing.lines.count == 2)
        let listed = ListedEntries(shop: shop)
        for line in closing.lines {
            let expected: [(PaymentFigure.Column, PaymentExplanation.Value)] = [
                (.units, .count(line.units)), (.earned, money(line.earned)), (.inputTax, money(line.inputTax)),
                (.adjustments, money(line.adjustments)), (.withholding, money(line.withholding)),
                (.owed, money(line.owed)), (.rate, .exchange(line.rate)), (.exchanged, .money([line.proceeds])),
                (.late, money(line.late)), (.manual, money(line.manual)),
            ]
            for (column, value) in expected {
                let figure = PaymentFigure(
                    month: month, column: column, region: line.key.region, currency: line.key.currency)
                #expect(try await listed.check(figure) == value, "\(figure.title)")
            }
            try await checkTerms(shop, line, month)
        }
        for (column, amount) in [
            (PaymentFigure.Column.total, closing.total), (.balance, closing.balance),
            (.carried, closing.carriedProceeds), (.payout, closing.payout?.amount ?? .zero(closing.bankCurrency)),
        ] {
            let explained = try await shop.store.explain.payment(PaymentFigure(month: month, column: column))
            #expect(explained.value == .money([amount]), "\(column)")
            guard column == .total || column == .balance else { continue }
            let sum = explained.terms.reduce(Int64(0)) { sum, term in
                guard case .money(let amounts) = term.value else { return sum }
                return sum + (term.operation == .minus ? -1 : 1) * amounts.reduce(0) { $0 + $1.milliunits }
            }
            #expect(sum == amount.milliunits, "\(column)")
        }
    }

    private func money(_ money: Money) -> PaymentExplanation.Value { .money(money.milliunits == 0 ? [] : [money]) }

    /// Checks that taxes, the amount owed and its exchange follow from their terms.
    private func checkTerms(_ shop: TestStore, _ line: MonthClosing.Line, _ month: FiscalMonth) async throws {
        for (column, result) in [
            (PaymentFigure.Column.owed, line.owed), (.inputTax, line.inputTax), (.withholding, line.withholding),
            (.exchanged, line.proceeds),
        ] {
            let terms = try await shop.store.explain.payment(
                PaymentFigure(month: month, column: column, region: line.key.region, currency: line.key.currency)
            ).terms
            var amount = Money.zero(line.key.currency)
            for term in terms {
                switch term.value {
                case .money(let amounts):
                    let sum = amounts.reduce(amount.milliunits) { $0 + $1.milliunits }
                    amount = Money(milliunits: sum, amount.currency)
                case .tax(let rate), .exchange(let rate):
                    amount = try #require(amount.multiplied(by: rate, in: result.currency))
                case .count: Issue.record("a count in \(column)")
                }
            }
            #expect(amount.milliunits == result.milliunits, "\(column) in \(line.key.region)")
        }
    }

    @Test(arguments: Engine.allCases)
    func `open months, and an app's part of a month, are the sums of their entries`(
        engine: Engine
    ) async throws {
        let (shop, month) = try await Self.payments(on: engine)
        let listed = ListedEntries(shop: shop)
        let owed = try await shop.store.finance.owed()
        #expect(!owed.open.isEmpty)
        for open in owed.open {
            for (column, amount) in [
                (PaymentFigure.Column.earned, open.sales.earned), (.owed, open.amount.milliunits),
                (.adjustments, open.sales.late + open.sales.manual),
            ] {
                let figure = PaymentFigure(
                    month: nil, column: column, region: open.key.region, currency: open.key.currency)
                #expect(
                    try await listed.check(figure) == money(Money(milliunits: amount, open.key.currency)),
                    "\(figure.title)")
            }
        }
        for month in owed.months {
            let figure = PaymentFigure(month: month.month, column: .proceeds)
            #expect(try await listed.check(figure) == .money(month.proceeds))
            let units = PaymentFigure(month: month.month, column: .units)
            #expect(try await listed.check(units) == .count(month.units))
        }
        // All sales are of one app; the other has none.
        let own = PaymentFigure(month: month, column: .proceeds, bundleID: TestCatalog.bundleID)
        #expect(
            try await listed.check(own) == (try await listed.check(PaymentFigure(month: month, column: .proceeds))))
        let other = PaymentFigure(month: month, column: .proceeds, bundleID: TestCatalog.camera.bundleID)
        #expect(try await listed.check(other) == .money([]))
        let explained = try await shop.store.explain.financial(
            month: month.description, region: nil, in: TestCatalog.bundleID)
        #expect(explained.agrees && explained.otherAmounts.isEmpty)
    }

    @Test func `a column of a closing that isn't there is refused`() async throws {
        let (shop, month) = try await Self.payments(on: .sqliteInMemory)
        for column in [PaymentFigure.Column.total, .exchanged, .rate] {
            await #expect(throws: ExplainError(.figureNotFound, "", "")) {
                try await shop.store.explain.payment(PaymentFigure(month: month.next, column: column))
            }
        }
    }
}
