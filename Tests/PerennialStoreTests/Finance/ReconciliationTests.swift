import AppStoreFormats
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Reconciliation agrees about random years, and names what was changed behind the store's back.
struct ReconciliationTests {
    /// A random year with closed and open months.
    static func year(
        _ seed: UInt64, on engine: Engine = .sqliteInMemory, steps: Int = 120
    ) async throws -> TestStore {
        let shop = try await RandomYear.shop(on: engine)
        try await shop.loadRates()
        try await shop.store.finance.setSettings(
            FinanceSettings(
                threshold: Money(milliunits: 40_000, .usd), withholding: ["JP": 2042], inputTax: ["US": 125]))
        var year = try await RandomYear(seed: seed, in: shop)
        for part in 0..<4 {
            try await year.live(steps / 4)
            if part < 3 { try await shop.closeMonths() }
        }
        return shop
    }

    /// The sums of a region's reports and lines equal the postings of its month.
    private static func expectReports(_ shop: TestStore) async throws {
        let entries = try await shop.journal()
        let assignment = try await shop.database.read {
            try ClosedMonthsTable.assignment(
                app: TestCatalog.magazine().appleID, shop.store.environment.id, on: $0)
        }
        var posted: [String: Int64] = [:]
        for (position, entry) in entries {
            let (month, isAdjustment) = assignment.month(of: PacificDay(entry.at), at: position)
            for posting in entry.postings where posting.account == .proceeds {
                posted["\(month) \(posting.amount.currency) \(isAdjustment)", default: 0] += posting.amount.milliunits
            }
        }
        for record in try await shop.store.finance.closedMonths() {
            for line in record.closing.lines {
                let key = "\(record.closing.month) \(line.key.currency)"
                #expect(line.earned.milliunits == posted["\(key) false"] ?? 0)
                #expect(line.late.milliunits == posted["\(key) true"] ?? 0)
                guard line.earned.milliunits != 0 else { continue }
                let file = try FinancialReportReader(
                    try await shop.report(record.closing.month, line.key.region.rawValue))
                let total = file.totals.first { $0.name == "Total_Amount" }
                #expect(total?.fields.first == line.earned.decimal, "\(key)")
            }
        }
    }

    @Test(arguments: Engine.allCases, [UInt64(11), 12, 13])
    func `a random year reconciles, and its ledger sums to zero`(engine: Engine, seed: UInt64) async throws {
        let shop = try await Self.year(seed, on: engine)
        let result = try await shop.store.finance.reconcile()
        #expect(result.differences == [])
        #expect(try await !shop.store.finance.closedMonths().isEmpty)
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
        for total in result.totals {
            #expect(total.sales == total.rollUps)
            #expect(total.sales == total.closed + total.open)
        }
        for payment in result.payments {
            #expect(payment.proceeds + payment.exchanged == payment.paid + payment.balance)
        }
        try await Self.expectReports(shop)
        // Again, the same: closings and reconciliations change nothing.
        let months = try await shop.store.finance.closedMonths()
        for record in months { #expect(try await shop.store.finance.close(record.closing.month) == record) }
        #expect(try await shop.store.finance.reconcile().totals == result.totals)
    }

    @Test(arguments: [UInt64(21), 22, 23])
    func `any span of days reconciles, and spans add up`(seed: UInt64) async throws {
        let shop = try await Self.year(seed)
        let first = PacificDay(TestStore.opening)
        let last = PacificDay(try await shop.store.now())
        var sums: [Currency: Int64] = [:]
        var day = first
        while day <= last {
            let end = min(day.adding(16), last)
            let part = try await shop.store.finance.reconcile(day...end)
            #expect(part.differences == [])
            for total in part.totals { sums[total.currency, default: 0] += total.sales }
            day = end.next
        }
        let all = try await shop.store.finance.reconcile().totals
        #expect(
            sums.filter { $0.value != 0 }
                == Dictionary(uniqueKeysWithValues: all.map { ($0.currency, $0.sales) })
                .filter { $0.value != 0 })
    }

    @Test func `a rebuild of the roll-ups keeps closed months`() async throws {
        let shop = try await Self.year(31)
        let before = try await shop.store.finance.closedMonths()
        for app in [TestCatalog.magazine(), TestCatalog.camera] {
            try await shop.store.rollUps.startRebuild(app.bundleID)
            while try await shop.store.rollUps.work(on: app.appleID) {}
        }
        #expect(try await shop.store.finance.closedMonths() == before)
        #expect(try await shop.store.finance.reconcile().differences == [])
    }

    // MARK: - Changes behind the store's back

    private struct Tampering: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var statement: String
        /// A part of the first difference.
        var words: String
        /// True if a transaction is named.
        var namesTransaction: Bool
    }

    private static let tamperings = [
        Tampering(
            testDescription: "a changed posting",
            statement: """
                UPDATE postings SET amount = amount + 10 WHERE app = 1234567 AND position = (SELECT MIN(position)
                FROM postings WHERE app = 1234567) AND account = 'proceeds'
                """, words: "its postings don't sum to zero", namesTransaction: true),
        Tampering(
            testDescription: "two changed postings that still sum to zero",
            statement: """
                UPDATE postings SET amount = amount + (CASE account WHEN 'proceeds' THEN 10 ELSE -10 END)
                WHERE app = 1234567 AND position = (SELECT MIN(position) FROM postings WHERE app = 1234567)
                AND account IN ('proceeds', 'commission')
                """, words: "the roll-ups have", namesTransaction: true),
        Tampering(
            testDescription: "a deleted posting",
            statement: """
                DELETE FROM postings WHERE app = 1234567 AND position = (SELECT MIN(position) FROM postings
                WHERE app = 1234567) AND account = 'commission'
                """, words: "its postings don't sum to zero", namesTransaction: true),
        Tampering(
            testDescription: "changed units of a day",
            statement: """
                UPDATE sales_roll_up SET units = units + 1 WHERE grain = 0 AND proceeds > 0 AND period = (SELECT MIN(period)
                FROM sales_roll_up WHERE grain = 0 AND proceeds > 0)
                """, words: "the roll-ups have", namesTransaction: true),
        Tampering(
            testDescription: "changed proceeds of a fiscal month",
            statement: """
                UPDATE sales_roll_up SET proceeds = proceeds + 10 WHERE grain = 2 AND proceeds > 0
                AND period = (SELECT MIN(period) FROM sales_roll_up WHERE grain = 2)
                """, words: "in the fiscal month", namesTransaction: true),
        Tampering(
            testDescription: "a changed line of a closing",
            statement: """
                UPDATE closing_lines SET earned = earned + 10 WHERE earned > 0
                AND month = (SELECT MIN(month) FROM closing_lines)
                """, words: "of the closing of", namesTransaction: true),
        Tampering(
            testDescription: "changed proceeds of a closing's line",
            statement: """
                UPDATE closing_lines SET proceeds = proceeds + 10 WHERE proceeds > 0
                AND month = (SELECT MIN(month) FROM closing_lines)
                """, words: "isn't USD", namesTransaction: false),
        Tampering(
            testDescription: "a changed payout", statement: "UPDATE payouts SET amount = amount + 10",
            words: "the payout", namesTransaction: false),
        Tampering(
            testDescription: "a changed entry of the seller's own journal",
            statement: """
                UPDATE postings SET amount = -amount WHERE app = 0 AND position = (SELECT MIN(position) FROM postings
                WHERE app = 0)
                """, words: "of the seller's own journal has posted", namesTransaction: false),
        Tampering(
            testDescription: "a lost entry of the seller's own journal",
            statement: "DELETE FROM journal WHERE app = 0 AND position = 1",
            words: "of the seller's own journal", namesTransaction: false),
    ]

    @Test(arguments: tamperings)
    private func `a change is named`(tampering: Tampering) async throws {
        let shop = try await Self.year(41)
        #expect(try await shop.store.finance.reconcile().differences == [])
        try await shop.tamper(tampering.statement)
        let result = try await shop.store.finance.reconcile()
        #expect(!result.agrees)
        #expect(
            result.differences.contains { $0.text.contains(tampering.words) },
            "\(result.differences.map(\.description).joined(separator: "\n"))")
        #expect((result.differences.first?.transactionID != nil) == tampering.namesTransaction)
    }

    @Test func `the first transaction with another posting is the one that is named`() async throws {
        let shop = try await Self.year(42)
        let entries = try await shop.journal().filter { !$0.entry.postings.isEmpty && $0.entry.transactionID != nil }
        let chosen = try #require(entries.dropFirst(entries.count / 2).first)
        try await shop.tamper(
            """
            UPDATE postings SET amount = amount + (CASE account WHEN 'proceeds' THEN 7 ELSE -7 END)
            WHERE app = 1234567 AND position = \(chosen.position) AND account IN ('proceeds', 'commission')
            """)
        let result = try await shop.store.finance.reconcile()
        #expect(result.differences.contains { $0.position == chosen.position })
        #expect(result.differences.contains { $0.transactionID == chosen.entry.transactionID })
    }
}
