import AppStoreFormats
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Closing fiscal months in a store.
struct ClosingTests {
    private static let january = FiscalMonth(number: 2026 * 12 + 3)

    /// Returns a store in Production on 1 January 2026, in the fiscal month 2026-04, with a sale in Japan and one in the
    /// United States.
    private static func shop(on engine: Engine = .sqliteInMemory) async throws -> TestStore {
        let shop = try await RandomYear.shop(on: engine)
        try await shop.account("ann")
        try await shop.account("ben", storefront: "JPN")
        for _ in 0..<3 { try await shop.buy("film.roll", quantity: 10, as: "ann") }
        try await shop.buy("film.roll", quantity: 3, as: "ben")
        return shop
    }

    private static func code(_ body: () async throws -> Void) async throws -> FinanceError.Code? {
        do {
            try await body()
            return nil
        } catch let error as FinanceError {
            return error.code
        }
    }

    // MARK: - Amounts

    @Test(arguments: Engine.allCases)
    func `a closing has the month's proceeds by region and pays them`(engine: Engine) async throws {
        let shop = try await Self.shop(on: engine)
        try await shop.loadRates()
        try await shop.advance(by: .days(40))
        let record = try await shop.store.finance.close(Self.january)
        let proceeds = try await shop.journal().flatMap(\.entry.postings).filter { $0.account == .proceeds }
        for line in record.closing.lines {
            let posted = proceeds.filter { $0.amount.currency == line.key.currency }
                .reduce(0) { $0 + $1.amount.milliunits }
            #expect(line.earned.milliunits == posted)
        }
        #expect(record.closing.lines.map { "\($0.key.region) \($0.units)" } == ["JP 3", "US 30"])
        let payout = try #require(record.closing.payout)
        #expect(payout.amount == record.closing.total)
        #expect(payout.day == Self.january.lastDay.adding(33))
        #expect(payout.reference.hasSuffix("-2026-04"))
        #expect(try await shop.store.finance.reconcile().differences == [])
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
    }

    @Test func `a closing is stored as it was returned`() async throws {
        let shop = try await Self.shop()
        try await shop.loadRates()
        try await shop.advance(by: .days(40))
        let record = try await shop.store.finance.close(Self.january)
        #expect(try await shop.store.finance.closedMonth(Self.january) == record)
        #expect(try await shop.store.finance.closedMonths() == [record])
    }

    @Test func `a balance below the threshold is paid with the next month`() async throws {
        let shop = try await RandomYear.shop()
        try await shop.buy("film.roll", as: "ann")
        try await shop.advance(by: .days(40))
        let first = try await shop.store.finance.close(Self.january).closing
        #expect(first.payout == nil)
        #expect(first.balance.milliunits > 0)
        try await shop.buy("film.roll", quantity: 10, as: "ann")
        try await shop.buy("film.roll", quantity: 10, as: "ann")
        try await shop.advance(by: .days(40))
        let second = try await shop.store.finance.close(Self.january.next).closing
        #expect(second.carried == first.balance)
        #expect(second.payout?.amount == second.total)
        #expect(second.total.milliunits == first.total.milliunits * 21)
        #expect(try await shop.store.finance.reconcile().differences == [])
    }

    // MARK: - Refusals

    @Test func `a month that isn't over isn't closed`() async throws {
        let shop = try await Self.shop()
        let code = try await Self.code { _ = try await shop.store.finance.close(Self.january) }
        #expect(code == .monthNotOver)
    }

    @Test func `a month after an open one isn't closed`() async throws {
        let shop = try await Self.shop()
        try await shop.loadRates()
        try await shop.advance(by: .days(80))
        let code = try await Self.code { _ = try await shop.store.finance.close(Self.january.next) }
        #expect(code == .earlierMonthOpen)
        #expect(try await shop.store.finance.closedMonths() == [])
    }

    @Test func `a gap in the exchange table is named, and nothing is closed`() async throws {
        let shop = try await Self.shop()
        try await shop.advance(by: .days(40))
        do {
            _ = try await shop.store.finance.close(Self.january)
            Issue.record("closed without a rate")
        } catch let error as FinanceError {
            #expect(error.code == .exchangeRateMissing)
            #expect(error.reason.contains("from JPY to USD for 2026-04"))
        }
        #expect(try await shop.store.finance.closedMonths() == [])
        #expect(try await shop.journal(app: FinanceEvent.journal).isEmpty)
    }

    @Test func `a month with overdue renewals isn't closed`() async throws {
        let shop = try await Self.shop()
        try await shop.loadRates()
        try await shop.buy("pass.1week", as: "ann")
        try await shop.buy("monthly", as: "ann")
        // The clock passes the renewal, which no scheduler processes.
        shop.clock.advance(by: .days(40))
        let code = try await Self.code { _ = try await shop.store.finance.close(Self.january) }
        #expect(code == .workOverdue)
        #expect(try await shop.store.finance.closedMonths() == [])
        try await shop.store.renewals.processDue()
        _ = try await shop.store.finance.close(Self.january)
        #expect(try await shop.store.finance.reconcile().differences == [])
    }

    // MARK: - Repetition

    @Test(arguments: Engine.allCases)
    func `two nodes that close a month at once close it once`(engine: Engine) async throws {
        let shop = try await Self.shop(on: engine)
        try await shop.loadRates()
        let other = try await TestStore.open(shop.database, "Production")
        other.clock.advance(by: .days(40))
        try await shop.advance(by: .days(40))
        let closings = try await withThrowingTaskGroup(of: ClosedMonthsTable.Record.self) { group in
            for node in [shop, other, shop, other] {
                group.addTask { try await node.store.finance.close(Self.january) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(closings).count == 1)
        #expect(try await shop.count("closed_months") == 1)
        #expect(
            try await shop.journal(app: FinanceEvent.journal).filter { $0.entry.kind == .finance(.paidOut) }.count == 1)
        #expect(try await shop.store.finance.reconcile().differences == [])
    }

    @Test(arguments: Engine.allCases)
    func `late entries are adjustments of the next month, once`(engine: Engine) async throws {
        let shop = try await Self.shop(on: engine)
        try await shop.loadRates()
        try await shop.advance(by: .days(40))
        let closed = try await shop.store.finance.close(Self.january)
        // A node whose clock is behind sells on a day of the closed month.
        let late = try await TestStore.open(shop.database, "Production")
        let sale = try await late.buy("filter.amber", as: "ann")
        #expect(PacificDay(sale.purchaseDate) <= Self.january.lastDay)
        #expect(try await shop.store.finance.close(Self.january) == closed)
        try await shop.advance(by: .days(30))
        let next = try await shop.store.finance.close(Self.january.next).closing
        let line = try #require(next.lines.first { $0.key.region.rawValue == "US" })
        let posted = try await shop.journal().filter { $0.entry.transactionID == sale.id }.flatMap(\.entry.postings)
            .first { $0.account == .proceeds }
        #expect(line.late == posted?.amount)
        #expect(line.earned.milliunits == 0)
        try await shop.advance(by: .days(30))
        let after = try await shop.store.finance.close(Self.january.next.next).closing
        #expect(after.lines.isEmpty)
        #expect(try await shop.store.finance.reconcile().differences == [])
        let detail = try FinancialReportReader(try await shop.report(Self.january.next, "Z1"))
        #expect(detail.rows.count == 1)
        #expect(
            detail.rows.first?["transaction date"] == "12/31/2025"
                || detail.rows.first?["transaction date"] == "01/01/2026")
    }

    @Test func `sales after a closing belong to the next month even before roll-ups run`() async throws {
        let shop = try await Self.shop()
        try await shop.loadRates()
        try await shop.advance(by: .days(40))
        try await shop.store.finance.close(Self.january)
        try await shop.buy("filter.amber", as: "ann")
        let open = try await shop.store.finance.owed().open
        #expect(open.map { "\($0.key.region) \($0.sales.units)" } == ["US 1"])
    }

    // MARK: - Adjustments and reset

    @Test func `an adjustment is in the next closing, and its key makes it once`() async throws {
        let shop = try await Self.shop()
        try await shop.loadRates()
        let amount = Money(milliunits: -1500, .usd)
        let region = FinancialRegion(rawValue: "US")
        for _ in 0..<2 {
            try await shop.store.finance.adjust(region, by: amount, note: "A fee", idempotencyKey: "fee-1")
        }
        let code = try await Self.code {
            try await shop.store.finance.adjust(region, by: amount, note: "Another", idempotencyKey: "fee-1")
        }
        #expect(code == .idempotencyKeyReused)
        try await shop.advance(by: .days(40))
        let record = try await shop.store.finance.close(Self.january)
        #expect(record.closing.lines.first { $0.key.region == region }?.manual == amount)
        #expect(try await shop.store.finance.owed().open.isEmpty)
        #expect(try await shop.store.finance.reconcile().differences == [])
    }

    @Test func `resetting an environment erases its finances and keeps rates and settings`() async throws {
        let shop = try await Self.shop()
        try await shop.loadRates()
        try await shop.store.finance.setSettings(FinanceSettings(bankName: "Bank", withholding: ["JP": 2042]))
        try await shop.store.finance.adjust(FinancialRegion(rawValue: "US"), by: Money(milliunits: 10, .usd), note: "x")
        try await shop.advance(by: .days(40))
        try await shop.store.finance.close(Self.january)
        try await shop.store.reset()
        for table in ["closed_months", "closed_month_positions", "closing_lines", "payouts", "finance_adjustments"] {
            #expect(try await shop.count(table) == 0, "\(table)")
        }
        #expect(try await shop.store.finance.settings().bankName == "Bank")
        #expect(try await !shop.store.finance.rates(nil).isEmpty)
        #expect(try await shop.store.finance.reconcile().differences == [])
    }
}
