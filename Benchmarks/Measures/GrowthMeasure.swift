import Foundation
import Perennial
import PerennialStorage
import PerennialStore

/// The cost of a purchase in a store that is a hundred times as large.
enum GrowthMeasure: Measure {
    static let name = "growth"
    private static let tasks = 128

    static func measure(_ bench: Bench) async throws -> [Figure] {
        [
            // One thing differs: how much is stored. The same number of customers buys in both.
            try await compare(
                "a purchase with 1,000,000 stored, beside 10,000",
                large: try await .make(purchases: 1_000_000, customers: 5_000, bench),
                small: try await .make(purchases: 10_000, customers: 5_000, bench), bench, .atMost(1.3)),
            // Here the customers grow with the purchases, and each buys so rarely that nothing of his is in memory.
            try await compare(
                "the same with 100 times the customers, too",
                large: try await .make(purchases: 1_000_000, customers: 50_000, bench),
                small: try await .make(purchases: 10_000, customers: 500, bench), bench, nil),
        ]
    }

    private static func compare(
        _ name: String, large: PopulatedStore, small: PopulatedStore, _ bench: Bench, _ requirement: Figure.Requirement?
    ) async throws -> Figure {
        defer { for store in [small, large] { store.close() } }
        let count = bench.count(8_000)
        for store in [small, large] { _ = try await secondsPerPurchase(count / 2, store) }
        var (costs, limits): ([Double], [Double]) = ([], [])
        for _ in 0..<2 * bench.rounds {
            limits.append(try await secondsPerPurchase(count, small))
            costs.append(try await secondsPerPurchase(count, large))
        }
        return Figure(
            name, "µs", ours: costs.median * 1e6, limit: limits.median * 1e6, requirement,
            notes: [small, large].map(\.note))
    }

    /// Sells to customers taken at random, in the process.
    private static func secondsPerPurchase(_ count: Int, _ populated: PopulatedStore) async throws -> Double {
        let buyers = (0..<count).map { _ in populated.customer(Int.random(in: 0..<populated.customers)) }
        let requests = (0..<count).map { _ in
            PurchaseRequest(
                productID: BenchmarkCatalog.consumable, applicationUsername: "reader-4711",
                idempotencyKey: UUID().uuidString)
        }
        let store = populated.shop.store
        let seconds = try await Stopwatch.seconds {
            _ = try await concurrently(count, tasks: tasks) { number in
                try await store.purchases.buy(requests[number], by: buyers[number]).id
            }
        }
        return seconds / Double(count)
    }
}
