import AppStoreFormats
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore
import Synchronization

/// Purchases while they are watched, beside those that nothing watches; and the time from a commit to a listener.
enum LiveMeasure: Measure {
    static let name = "live"
    private static let customers = 256
    private static let tasks = 512
    /// Purchases a second while the listener's delay is measured.
    static let rate = 1_000
    static let seconds = 5
    /// The longest time from a commit to a listener, in milliseconds.
    static let longestDelay = 200.0

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let shop = try await BenchmarkStore(bench.folder.path("live.sqlite"), identities: bench.identities)
        defer { shop.database.close() }
        let buyers = try await concurrently(customers) { number in
            try await shop.store.accounts.customer(
                account: "customer\(number)@example.com", bundleID: BenchmarkCatalog.bundleID)
        }
        return [try await watched(bench, shop, buyers)] + (try await listened(bench, shop, buyers))
            + (try await shown(bench, shop, buyers))
    }

    /// Purchases, as many as the machine makes, in turn with a watcher and without.
    private static func watched(
        _ bench: Bench, _ shop: BenchmarkStore, _ buyers: [Customer]
    ) async throws -> Figure {
        let count = bench.count(20_000)
        var (ours, limit): ([Double], [Double]) = ([], [])
        var rows = 0
        _ = try await sell(count / 4, shop, buyers)
        for _ in 0..<bench.shortRounds {
            limit.append(Double(count) / (try await sell(count, shop, buyers)))
            let watcher = try await shop.store.live.watch()
            let reading = Task {
                var rows = 0
                while let batch = try await watcher.next() { rows += batch.events.count }
                return rows
            }
            ours.append(Double(count) / (try await sell(count, shop, buyers)))
            watcher.cancel()
            rows += try await reading.value
        }
        return Figure(
            "purchases in the process while they are watched", "1/s", ours: ours.median, limit: limit.median,
            .atLeast(0.95), notes: ["the limit: the same without a watcher", "the watchers were told \(rows) rows"])
    }

    /// - Returns: The seconds that so many purchases took.
    static func sell(_ count: Int, _ shop: BenchmarkStore, _ buyers: [Customer]) async throws -> Double {
        try await Stopwatch.seconds {
            _ = try await concurrently(count, tasks: tasks) { number in
                try await shop.store.purchases.buy(
                    PurchaseRequest(productID: BenchmarkCatalog.consumable, idempotencyKey: UUID().uuidString),
                    by: buyers[number % buyers.count]
                ).id
            }
        }
    }

    // MARK: The delay

    /// The instants at which purchases were committed and seen.
    final class Instants: Sendable {
        private let instants = Mutex<(sold: [Int64: ContinuousClock.Instant], seen: [Int64: ContinuousClock.Instant])>(
            ([:], [:]))

        func sell(_ id: TransactionID) { instants.withLock { $0.sold[id.rawValue] = .now } }
        func see(_ id: Int64) { instants.withLock { $0.seen[id] = .now } }
        var seen: Int { instants.withLock { $0.seen.count } }

        /// The time in milliseconds. A purchase may be seen before its buyer is answered.
        var delays: [Double] {
            instants.withLock { instants in
                instants.sold.compactMap { id, sold in
                    instants.seen[id].map { max(0, sold.duration(to: $0) / .milliseconds(1)) }
                }
            }
        }
    }

    /// A steady rate of purchases, seen by a client of control/v1/live that wants all of them.
    private static func listened(
        _ bench: Bench, _ shop: BenchmarkStore, _ buyers: [Customer]
    ) async throws -> [Figure] {
        let router = PerennialRouter(
            registry: shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { 0 }
        ).make()
        let count = rate * (bench.isQuick ? 1 : seconds)
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        let result: Result<Instants, any Error>
        do {
            result = .success(
                try await BenchmarkServer.run(router) { server in
                    try await listen(count, shop, buyers, client, port: server.port)
                })
        } catch {
            result = .failure(error)
        }
        try await client.shutdown()
        let delays = try result.get().delays
        guard delays.count == count else { throw BenchmarkError("\(delays.count) of \(count) purchases were seen") }
        let worst = delays.max() ?? .nan
        return [
            Figure(
                "a commit to a listener, median", "ms", ours: delays.median, limit: longestDelay, .atMost(1),
                notes: ["\(rate) purchases a second, \(count) in all, each seen over HTTP"]),
            Figure("a commit to a listener, worst", "ms", ours: worst, limit: longestDelay, .atMost(1)),
        ]
    }

    private static func listen(
        _ count: Int, _ shop: BenchmarkStore, _ buyers: [Customer], _ client: HTTPClient, port: Int
    ) async throws -> Instants {
        let instants = Instants()
        var request = HTTPClientRequest(
            url: "http://127.0.0.1:\(port)/sandbox/control/v1/live?complete=true&kinds=purchase")
        request.headers.add(name: "Authorization", value: "Bearer bench")
        let response = try await client.execute(request, timeout: .minutes(5))
        guard response.status == .ok else { throw BenchmarkError("the live feed answers \(response.status)") }
        let reading = Task {
            var line: [UInt8] = []
            for try await part in response.body {
                for byte in part.readableBytesView {
                    guard byte == UInt8(ascii: "\n") else {
                        line.append(byte)
                        continue
                    }
                    if let id = transactionID(line) { instants.see(id) }
                    line.removeAll(keepingCapacity: true)
                }
                if instants.seen == count { return }
            }
        }
        try await sellSteadily(count, rate, shop, buyers, instants)
        try await reading.value
        return instants
    }

    /// Makes so many purchases a second, whatever each takes.
    static func sellSteadily(
        _ count: Int, _ rate: Int, _ shop: BenchmarkStore, _ buyers: [Customer], _ instants: Instants
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { purchases in
            let start = ContinuousClock.now
            for number in 0..<count {
                try await Task.sleep(until: start + .microseconds(number * 1_000_000 / rate), clock: .continuous)
                purchases.addTask {
                    instants.sell(
                        try await shop.store.purchases.buy(
                            PurchaseRequest(productID: BenchmarkCatalog.consumable, idempotencyKey: UUID().uuidString),
                            by: buyers[number % buyers.count]
                        ).id)
                }
            }
            try await purchases.waitForAll()
        }
    }

    /// Returns the ID in `"transactionId":"2000000000000001"`.
    private static func transactionID(_ line: [UInt8]) -> Int64? {
        let text = String(decoding: line, as: UTF8.self)
        return text.firstMatch(of: /"transactionId":"([0-9]+)"/).flatMap { Int64($0.output.1) }
    }
}
