import Foundation
import Perennial
import PerennialStorage
import PerennialStore

/// A store whose customers have bought a lot.
struct PopulatedStore: Sendable {
    let shop: BenchmarkStore
    let customers: Int
    let note: String

    /// Far below the numbers that the store gives.
    private static let firstAccount: Int64 = 1_000_000_001
    private static let environment = StoreEnvironment.sandbox.id.rawValue

    static func make(purchases: Int, customers: Int, _ bench: Bench) async throws -> PopulatedStore {
        let path = bench.folder.path("populated-\(purchases)-\(customers).sqlite")
        let purchasesEach = purchases / customers
        let seconds = try await Stopwatch.seconds {
            let shop = try await BenchmarkStore(path, identities: bench.identities)
            defer { shop.database.close() }
            try await shop.database.write { connection in
                for rows in rows(purchasesEach) {
                    try connection.execute(
                        SQL("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT $1) \(rows.insert)"),
                        [.integer(Int64(customers * rows.perCustomer))])
                }
            }
        }
        // What was written in one go is in its place in the file only when the file is closed.
        let shop = try await BenchmarkStore(path, identities: bench.identities)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        return PopulatedStore(
            shop: shop, customers: customers,
            note: "\(purchases) purchases of \(customers) customers, \(size >> 20) MiB, made in \(Int(seconds)) s")
    }

    func customer(_ number: Int) -> Customer {
        let key = CustomerKey(
            environment: StoreEnvironment.sandbox.id, app: BenchmarkCatalog.app.appleID,
            account: Account.ID(rawValue: Self.firstAccount + Int64(number)))
        return Customer(key: key, bundleID: BenchmarkCatalog.bundleID, device: "", applicationVersion: "1.0")
    }

    func close() {
        shop.database.close()
    }

    /// Rows as purchases of consumables leave them, made from their numbers `i` by one statement for each table.
    private static func rows(_ purchasesEach: Int) -> [(perCustomer: Int, insert: String)] {
        let app = BenchmarkCatalog.app.appleID
        let product = BenchmarkCatalog.consumable
        let account = "\(firstAccount) + i / \(purchasesEach)"
        let now = 1_767_225_600_000
        return [
            (
                1,
                """
                INSERT INTO accounts (environment, id, name, storefront, payment_method, can_make_payments, created)
                SELECT \(environment), \(firstAccount) + i, 'customer' || i || '@example.com', 'USA', 'valid', 1, \(now) FROM n
                """
            ),
            (
                1,
                """
                INSERT INTO customers (environment, app, account, revision, joined)
                SELECT \(environment), \(app), \(firstAccount) + i, \(purchasesEach), \(now) FROM n
                """
            ),
            (
                purchasesEach,
                """
                INSERT INTO transactions (environment, app, id, original_id, account, product, type, quantity, purchased,
                originally_purchased, price, currency, storefront, ownership, reason, is_upgraded, application_username,
                is_finished, journal_position)
                SELECT \(environment), \(app), 1000000 + i, 1000000 + i, \(account), '\(product)', 'consumable', 1, \(now),
                \(now), 1990, 'USD', 'USA', 'PURCHASED', 'PURCHASE', 0, 'reader-4711', i % 10 <> 0, 1 + i FROM n
                """
            ),
            (
                purchasesEach,
                """
                INSERT INTO purchase_requests (environment, app, account, key_digest, request_digest, transaction_id)
                SELECT \(environment), \(app), \(account), randomblob(16), randomblob(16), 1000000 + i FROM n
                """
            ),
            (
                purchasesEach,
                """
                INSERT INTO journal (environment, app, position, kind, at, account, transaction_id, original_id, product)
                SELECT \(environment), \(app), 1 + i, 'purchased', \(now), \(account), 1000000 + i, 1000000 + i, '\(product)'
                FROM n
                """
            ),
            (
                3 * purchasesEach,
                """
                INSERT INTO postings (environment, app, position, line, account, amount, currency)
                SELECT \(environment), \(app), 1 + i / 3, i % 3,
                CASE i % 3 WHEN 0 THEN 'customer' WHEN 1 THEN 'proceeds' ELSE 'commission' END,
                CASE i % 3 WHEN 0 THEN -1990 WHEN 1 THEN 1393 ELSE 597 END, 'USD' FROM n
                """
            ),
            (
                purchasesEach,
                """
                INSERT INTO journal_heads (environment, app, position)
                SELECT \(environment), \(app), MAX(i) + 1 FROM n
                """
            ),
        ]
    }
}
