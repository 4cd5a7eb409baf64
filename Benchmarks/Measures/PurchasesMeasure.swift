import Foundation
import Perennial
import PerennialStorage
import PerennialStore

/// Purchases in the process, beside SQLite's C interface inserting the very rows they made.
enum PurchasesMeasure: Measure {
    static let name = "purchases"
    private static let customers = 256
    private static let tasks = 512
    private static let batch = 100

    static func measure(_ bench: Bench) async throws -> [Figure] {
        var (ours, limit): ([Double], [Double]) = ([], [])
        for round in 0..<bench.rounds {
            let path = bench.folder.path("purchases-\(round).sqlite")
            let count = bench.count(30_000)
            ours.append(Double(count) / (try await sell(count, path, bench)))
            let copy = bench.folder.path("rows-\(round).sqlite")
            let empty = try Database(.sqlite(path: copy), logger: BenchmarkStore.quiet)
            try empty.migrate()
            empty.close()
            let rows = try PurchaseRows(from: path)
            let raw = try RawInserter(copy)
            limit.append(Double(count) / (try Stopwatch.seconds { try raw.insert(rows, batch: batch) }))
        }
        return [
            Figure(
                "durable purchases in the process", "1/s", ours: ours.median, limit: limit.median, .atLeast(0.5),
                notes: [
                    "\(tasks) tasks, \(customers) customers; the limit inserts the same rows in batches of \(batch)"
                ])
        ]
    }

    /// - Returns: The seconds that so many purchases took.
    private static func sell(_ count: Int, _ path: String, _ bench: Bench) async throws -> Double {
        let shop = try await BenchmarkStore(path, identities: bench.identities)
        defer { shop.database.close() }
        let store = shop.store
        let buyers = try await concurrently(customers) { number in
            try await store.accounts.customer(
                account: "customer\(number)@example.com", bundleID: BenchmarkCatalog.bundleID)
        }
        let requests = (0..<count).map { _ in
            PurchaseRequest(
                productID: BenchmarkCatalog.consumable, applicationUsername: "reader-4711",
                idempotencyKey: UUID().uuidString)
        }
        return try await Stopwatch.seconds {
            _ = try await concurrently(count, tasks: tasks) { number in
                try await store.purchases.buy(requests[number], by: buyers[number % buyers.count]).id
            }
        }
    }
}
