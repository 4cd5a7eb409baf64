import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import Synchronization

/// Price changes of a large catalog while customers buy: when another node sells at the new price, and what sales lose.
enum CatalogChangeMeasure: Measure {
    static let name = "catalog-change"
    private static let customers = 256
    private static let tasks = 512
    /// Changes in a second: more than sellers and their tools make.
    private static let changesPerSecond = 4
    private static let storefront = Storefront(rawValue: "DEU")
    /// The price points between which prices change.
    private static let points = 20...120

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let path = bench.folder.path("catalog.sqlite")
        let app = BenchmarkCatalog.app(adding: bench.count(10_000))
        let shop = try await BenchmarkStore(path, app: app, identities: bench.identities)
        defer { shop.database.close() }
        // Another process would have its own connections and its own cache, as this one has.
        let other = try await BenchmarkStore(path, app: app, identities: bench.identities)
        defer { other.database.close() }
        let buyers = try await concurrently(customers) { number in
            try await shop.store.accounts.customer(
                account: "customer\(number)@example.com", bundleID: BenchmarkCatalog.bundleID)
        }
        let seller = Seller(shop: shop, other: other)
        let count = bench.count(10_000)
        _ = try await sell(count, shop.store, to: buyers)
        var (ours, limit): ([Double], [Double]) = ([], [])
        for _ in 0..<bench.shortRounds {
            limit.append(try await sell(count, shop.store, to: buyers))
            let editing = Task { try await seller.edit() }
            ours.append(try await sell(count, shop.store, to: buyers))
            editing.cancel()
            _ = await editing.result
        }
        let (edits, inForce) = seller.milliseconds
        guard let longest = inForce.max() else { throw BenchmarkError("no price was changed") }
        return [
            Figure(
                "a catalog change in force on another node", "ms", ours: longest, limit: 1_000, .atMost(1),
                notes: [
                    String(
                        format:
                            "the longest of %d price changes in 175 storefronts; median %.1f ms; the edit itself %.1f ms",
                        inForce.count, inForce.median, edits.median),
                    "\(app.products.count) products; \(changesPerSecond) changes a second while customers buy",
                ]),
            Figure(
                "durable purchases beside catalog changes", "1/s", ours: ours.median, limit: limit.median,
                .atLeast(0.98), notes: ["against the same purchases without changes, in turn"]),
        ]
    }

    /// - Returns: Purchases a second.
    private static func sell(_ count: Int, _ store: Store, to buyers: [Customer]) async throws -> Double {
        let requests = (0..<count).map { _ in
            PurchaseRequest(productID: BenchmarkCatalog.consumable, idempotencyKey: UUID().uuidString)
        }
        let seconds = try await Stopwatch.seconds {
            _ = try await concurrently(count, tasks: tasks) { number in
                try await store.purchases.buy(requests[number], by: buyers[number % buyers.count]).id
            }
        }
        return Double(count) / seconds
    }

    /// Changes a price again and again, and waits each time until the other node has it.
    private final class Seller: Sendable {
        private struct Times {
            var edits: [Double] = []
            var inForce: [Double] = []
        }

        private let editor: CatalogEditor
        private let other: BenchmarkStore
        private let times = Mutex(Times())
        private let changes = Mutex(0)

        init(shop: BenchmarkStore, other: BenchmarkStore) {
            editor = CatalogEditor(database: shop.database, wallClock: { Instant(Date()) })
            self.other = other
        }

        var milliseconds: (edits: [Double], inForce: [Double]) { times.withLock { ($0.edits, $0.inForce) } }

        func edit() async throws {
            while !Task.isCancelled {
                try await change()
                try await Task.sleep(for: .milliseconds(1_000 / changesPerSecond))
            }
        }

        private func change() async throws {
            let number = changes.withLock { number in
                number += 1
                return number
            }
            let point = points.lowerBound + number % points.count
            let prices = Storefront.all.enumerated().map { index, info in
                ManualPrice(
                    index: index, storefront: info.storefront,
                    price: PricePoint.point(at: point, in: info.currency).price)
            }
            guard let expected = prices.first(where: { $0.storefront == storefront })?.price else { return }
            let start = ContinuousClock.now
            try await editor.edit(by: .control) { draft in
                guard let app = try draft.apps().first,
                    let product = try draft.product(BenchmarkCatalog.consumable, app: app.appleID)
                else { throw BenchmarkError("the product is gone") }
                try draft.update(product.appleID) {
                    try $0.replacePriceSchedule(prices, base: Storefront(rawValue: "USA"), at: draft.at)
                }
            }
            let edited = start.duration(to: .now) / .milliseconds(1)
            while try await price() != expected {}
            let inForce = start.duration(to: .now) / .milliseconds(1)
            times.withLock {
                $0.edits.append(edited)
                $0.inForce.append(inForce)
            }
        }

        private func price() async throws -> Money? {
            try await other.store.products.prices(
                of: BenchmarkCatalog.consumable, bundleID: BenchmarkCatalog.bundleID
            ).product.price(in: storefront)
        }
    }
}
