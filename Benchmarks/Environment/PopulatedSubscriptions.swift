import Foundation
import Perennial
import PerennialStorage
import PerennialStore

/// An environment on a clock of its own with many monthly subscriptions, whose renewals fall due one after the other
/// over four weeks.
struct PopulatedSubscriptions: Sendable {
    /// The order in which subscriptions renew.
    enum Order {
        /// The order of purchase: what is due next lies beside what was due last.
        case bought
        /// An order that has nothing to do with it: what is due next may lie anywhere.
        case scattered
    }

    /// A subscription's first period begins within these weeks of January, so that it ends 31 days later.
    static let weeks: Int64 = .days(28)

    let shop: BenchmarkStore
    let store: Store
    let count: Int
    let path: String
    let note: String

    private static let start = SubscriptionDocument.start
    private static let monthOfJanuary = SubscriptionDocument.period
    /// Far below the numbers that the store gives.
    private static let firstAccount: Int64 = 1_000_000_001
    private static let firstTransaction: Int64 = 100_000_001
    /// A prime: its multiples visit all places of any round number before they come back.
    private static let stride = 2_654_435_761
    private static let name = "renewals"

    static func make(_ count: Int, _ order: Order, _ bench: Bench) async throws -> PopulatedSubscriptions {
        let path = bench.folder.path("subscriptions-\(order)-\(count).sqlite")
        let seconds = try await Stopwatch.seconds { try await populate(.sqlite(path: path), count, order, bench) }
        // What was written in one go is in its place in the file only when the file is closed.
        let shop = try await BenchmarkStore(path, identities: bench.identities)
        guard let store = try await shop.registry.store(named: name) else { throw BenchmarkError("no environment") }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        return PopulatedSubscriptions(
            shop: shop, store: store, count: count, path: path,
            note: "\(count) subscriptions stored, \(size >> 20) MiB, made in \(Int(seconds)) s")
    }

    /// Makes the subscriptions in an empty database.
    static func populate(_ location: DatabaseLocation, _ count: Int, _ order: Order, _ bench: Bench) async throws {
        let shop = try await BenchmarkStore(location, identities: bench.identities)
        defer { shop.database.close() }
        let environment = try await shop.registry.makeEnvironment(
            name, kind: .production, clock: .manual, now: start + weeks)
        let inserts = try inserts(count, order, environment.id.rawValue)
        let numbers =
            switch location.engine {
            case .sqlite: "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT $1)"
            case .postgres: "WITH n(i) AS (SELECT generate_series(0, $1 - 1))"
            }
        try await shop.database.write(timeout: .long) { connection in
            for (rows, insert) in inserts {
                try connection.execute(SQL("\(numbers) \(insert)"), [.integer(Int64(rows))])
            }
        }
        try await shop.database.analyzeNewTables()
    }

    /// Opens a PostgreSQL database that ``populate(_:_:_:_:)`` has filled.
    static func open(
        _ location: DatabaseLocation, _ count: Int, _ bench: Bench
    ) async throws -> PopulatedSubscriptions {
        let shop = try await BenchmarkStore(location, identities: bench.identities)
        guard let store = try await shop.registry.store(named: name) else { throw BenchmarkError("no environment") }
        return PopulatedSubscriptions(shop: shop, store: store, count: count, path: "", note: "")
    }

    /// Moves the clock until a part of the first month's renewals is due, and with it whatever is due before.
    /// - Returns: How many were made.
    func advance(toPartOfMonth part: Double) async throws -> Int {
        let firstDue = Self.start + Self.monthOfJanuary + -.hours(24)
        // One before the next part's first: four weeks after it was renewed, the first is due a second time.
        return try await store.clock.advance(to: firstDue + Int64(Double(Self.weeks) * part) + -1).events
    }

    func close() {
        shop.database.close()
    }

    /// The rows of a purchase, made from a subscription's number `i` by one statement for each table.
    private static func inserts(
        _ count: Int, _ order: Order, _ environment: Int64
    ) throws -> [(rows: Int, insert: String)] {
        let app = BenchmarkCatalog.app.appleID
        let product = BenchmarkCatalog.subscription
        let account = "(\(firstAccount) + i)"
        let transaction = "(\(firstTransaction) + i)"
        let place =
            switch order {
            case .bought: "i"
            case .scattered: "i * \(stride) % \(count)"
            }
        // Whole seconds, as all periods begin with one.
        let began = "(\(start.milliseconds) + \(place) * \(weeks) / \(count) / 1000 * 1000)"
        let due = "(\(began) + \(monthOfJanuary - .hours(24)))"
        let document = try SubscriptionDocument(BenchmarkCatalog.subscription, of: BenchmarkCatalog.app)
        return [
            (
                count,
                """
                INSERT INTO accounts (environment, id, name, storefront, payment_method, can_make_payments, created)
                SELECT \(environment), \(account), 'customer' || i || '@example.com', 'USA', 'valid', 1, \(began) FROM n
                """
            ),
            (
                count,
                """
                INSERT INTO customers (environment, app, account, revision, joined)
                SELECT \(environment), \(app), \(account), 1, \(began) FROM n
                """
            ),
            (
                count,
                """
                INSERT INTO transactions (environment, app, id, original_id, account, product, type, quantity, purchased,
                originally_purchased, expires, web_order_line_item, subscription_group, price, currency, storefront,
                ownership, reason, is_upgraded, is_finished, journal_position)
                SELECT \(environment), \(app), \(transaction), \(transaction), \(account), '\(product)', 'autoRenewable', 1,
                \(began), \(began), \(began) + \(monthOfJanuary), \(transaction), 'bench', 1990, 'USD', 'USA', 'PURCHASED',
                'PURCHASE', 0, 1, 1 + i FROM n
                """
            ),
            (
                count,
                """
                INSERT INTO subscriptions (environment, app, original_id, account, subscription_group, due, document)
                SELECT \(environment), \(app), \(transaction), \(account), 'bench', \(due),
                \(document.sql(transaction: transaction, account: account, began: began)) FROM n
                """
            ),
            (
                count,
                """
                INSERT INTO journal (environment, app, position, kind, at, account, transaction_id, original_id, product)
                SELECT \(environment), \(app), 1 + i, 'subscribed', \(began), \(account), \(transaction), \(transaction),
                '\(product)' FROM n
                """
            ),
            (
                3 * count,
                """
                INSERT INTO postings (environment, app, position, line, account, amount, currency)
                SELECT \(environment), \(app), 1 + i / 3, i % 3,
                CASE i % 3 WHEN 0 THEN 'customer' WHEN 1 THEN 'proceeds' ELSE 'commission' END,
                CASE i % 3 WHEN 0 THEN -1990 WHEN 1 THEN 1393 ELSE 597 END, 'USD' FROM n
                """
            ),
            (
                count,
                "INSERT INTO journal_heads (environment, app, position) SELECT \(environment), \(app), MAX(i) + 1 FROM n"
            ),
        ]
    }
}
