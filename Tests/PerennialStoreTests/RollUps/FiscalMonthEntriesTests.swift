import AppStoreFormats
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// The entries of a fiscal month are read by their positions, and all of them are found.
struct FiscalMonthEntriesTests {
    private let app = TestCatalog.magazine()

    private func assignment(_ shop: TestStore) async throws -> FiscalAssignment {
        try await shop.database.read { [app] in
            try ClosedMonthsTable.assignment(app: app.appleID, shop.store.environment.id, on: $0)
        }
    }

    @Test(arguments: [Engine.sqliteInMemory, .postgres], [UInt64(51), 52])
    func `a month has the entries that a scan of the journal finds`(engine: Engine, seed: UInt64) async throws {
        let shop = try await ReconciliationTests.year(seed, on: engine)
        let (entries, assignment) = (try await shop.journal(), try await assignment(shop))
        let byMonth = Dictionary(grouping: entries) {
            assignment.month(of: PacificDay($0.entry.at), at: $0.position).month
        }
        #expect(byMonth.count > 3)
        let key = try await shop.store.rollUps.bringUpToDate(app)
        var fewest = Int64.max
        for (month, entries) in byMonth {
            let expected = entries.map(\.position)
            var found: [Int64] = []
            try await shop.store.rollUps.entries(of: month...month, assignment, app) { batch in
                found += batch.entries.map(\.position).filter(Set(expected).contains)
            }
            #expect(found == expected, "\(month)")
            let ranges = try await shop.database.read {
                try shop.store.rollUps.positions(of: month...month, assignment, key, on: $0)
            }
            fewest = min(fewest, ranges.reduce(0) { $0 + Int64($1.count) })
        }
        // No month's entries are all over the journal.
        #expect(fewest < entries.count / 2, "\(fewest) of \(entries.count)")
    }

    @Test(arguments: PlainTextBooks.Format.allCases)
    func `the books of all months are the books as a whole`(format: PlainTextBooks.Format) async throws {
        let shop = try await ReconciliationTests.year(53)
        let assignment = try await assignment(shop)
        var months = Set(
            try await shop.journal().map { assignment.month(of: PacificDay($0.entry.at), at: $0.position).month })
        months.formUnion(try await shop.store.finance.closedMonths().map(\.closing.month))
        var parts: [String] = []
        for month in months.sorted() { parts += try await entries(format, month, of: shop) }
        #expect(try await parts.sorted() == entries(format, nil, of: shop).sorted())
        #expect(parts.count > 50)
    }

    /// Returns the entries of the books, without the header.
    private func entries(
        _ format: PlainTextBooks.Format, _ month: FiscalMonth?, of shop: TestStore
    ) async throws -> [String] {
        var reader = try await shop.store.finance.books(format, month: month)
        _ = try await reader.next()
        var text = ""
        while let part = try await reader.next() { text += part }
        return text.split(separator: "\n\n").map { $0.trimmingPrefix("\n").description }
    }

    @Test func `a span's reconciliation reads the entries of its months`() async throws {
        let shop = try await ReconciliationTests.year(54)
        let all = try await shop.store.finance.reconcile()
        let month = try #require(try await shop.store.finance.closedMonths().last?.closing.month)
        let part = try await shop.store.finance.reconcile(month.firstDay...month.lastDay)
        #expect(part.differences == [])
        #expect(part.entries > 0 && part.entries < all.entries / 2, "\(part.entries) of \(all.entries)")
        // The ledger's balance is that of all months, the others by their roll-ups.
        try await shop.tamper(
            """
            UPDATE sales_roll_up SET units = units + 1 WHERE grain = 2 AND proceeds > 0
            AND period = (SELECT MIN(period) FROM sales_roll_up WHERE grain = 2) AND period < \(month.number)
            """)
        let tampered = try await shop.store.finance.reconcile(month.firstDay...month.lastDay)
        #expect(tampered.differences.contains { $0.text.hasPrefix("the ledger owes") })
    }
}
