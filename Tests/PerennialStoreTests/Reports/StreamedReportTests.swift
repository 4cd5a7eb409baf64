import AppStoreFormats
import Perennial
import TestSupport
import Testing

@testable import PerennialStorage
@testable import PerennialStore

/// A report that is made while it is sent holds a bounded part of the journal, however long the day is.
struct StreamedReportTests {
    private static let copies = 6_000
    private static let day = PacificDay(TestStore.opening)
    /// The least size of the pages that the report reads, in bytes.
    private static let leastRead = 2 << 20

    /// A store in a file, with a day of many sales of a subscription.
    private static let shop = Task {
        var options = DatabaseOptions.forTests
        // One connection reads, so that its cache can be looked at.
        options.readers = 1
        let shop = try await TestStore.open(try Engine.sqlite.makeDatabase(options: options), "Production")
        try await shop.account("ann")
        try await shop.copy(try await shop.buy("monthly", as: "ann"), times: copies)
        try await shop.advance(by: .days(2))
        return shop
    }

    private static func cachedBytes(_ connection: any Connection) throws -> Int {
        try #require(connection as? SQLiteConnection).cachedBytes
    }

    @Test func `a Subscriber report of many rows fills no cache of pages`() async throws {
        let shop = try await Self.shop.value
        let file = try await shop.store.reports.report(.subscriber, reportDate: Self.day.description)
        #expect(file.rows == Self.copies + 1)
        let before = try await shop.database.read(Self.cachedBytes)
        _ = try await file.compressed()
        let after = try await shop.database.read(Self.cachedBytes)
        #expect(after - before < 256 << 10, "\(before >> 10) KiB, then \(after >> 10) KiB")
        // SQLite counts the headers of pages as well.
        let scanned = try await shop.database.scan(Self.cachedBytes)
        #expect((1..<3 << 20).contains(scanned), "\(scanned >> 10) KiB")
        // A cache of the usual size would hold all that was read.
        let size = try await shop.database.read { connection in
            try connection.first("PRAGMA page_count") { Int(try $0.integer(0)) << 12 }
        }
        #expect(try #require(size) > Self.leastRead)
    }

    @Test func `a stream of a long day holds few entries at a time`() async throws {
        let shop = try await Self.shop.value
        var (greatest, count) = (0, 0)
        try await shop.store.rollUps.entries(of: Self.day...Self.day, TestCatalog.magazine()) { batch in
            (greatest, count) = (max(greatest, batch.entries.count), count + batch.entries.count)
        }
        #expect(count == Self.copies + 1)
        #expect(greatest == RollUps.streamedEntries)
    }
}

extension TestStore {
    /// Copies a sale, with its entry and postings, under numbers of their own at the end of the journal.
    func copy(_ sale: Transaction, times count: Int) async throws {
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))"
        let environment = store.environment.id.rawValue
        try await database.write { connection in
            func copy(_ table: String, _ columns: String, _ values: String, _ position: String) throws {
                try connection.execute(
                    SQL(
                        """
                        INSERT INTO \(table) (environment, app, \(columns))
                        \(numbers)
                        SELECT environment, app, \(values) FROM \(table), n WHERE environment = \(environment)
                        AND \(position) = (SELECT journal_position FROM transactions WHERE id = \(sale.id))
                        """))
            }
            let (entry, sold) = (
                "kind, at, account, product", "product, type, quantity, purchased, originally_purchased, expires"
            )
            let rest = "subscription_group, price, currency, storefront, ownership, reason, is_upgraded, is_finished"
            try copy(
                "journal", "position, transaction_id, original_id, \(entry)",
                "position + n.i, transaction_id + n.i, original_id + n.i, \(entry)", "position")
            try copy(
                "postings", "position, line, account, amount, currency",
                "position + n.i, line, account, amount, currency", "position")
            try copy(
                "transactions", "id, original_id, account, web_order_line_item, journal_position, \(sold), \(rest)",
                """
                id + n.i, original_id + n.i, account, web_order_line_item + n.i, journal_position + n.i, \(sold), \
                \(rest)
                """, "journal_position")
            try connection.execute(
                SQL("UPDATE journal_heads SET position = position + \(count) WHERE environment = \(environment)"))
        }
    }
}
