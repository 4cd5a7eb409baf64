import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import Synchronization

/// Purchases beside the worker that keeps the roll-ups, and how far it lags behind them.
enum RollUpsMeasure: Measure {
    static let name = "roll-ups"
    private static let customers = 256
    private static let tasks = 512
    /// The pause of the server's worker.
    private static let pause = Duration.milliseconds(500)
    private static let probePause = Duration.milliseconds(100)
    private static let mostLag = 1000.0

    static func measure(_ bench: Bench) async throws -> [Figure] {
        var (with, without, lags): ([Double], [Double], [Double]) = ([], [], [])
        let count = bench.count(60_000)
        for round in 0..<bench.rounds {
            // In turn, so that what disturbs the machine for a while disturbs both.
            for isWorking in round.isMultiple(of: 2) ? [true, false] : [false, true] {
                let path = bench.folder.path("rolled-\(round)-\(isWorking).sqlite")
                let (seconds, lag) = try await sell(count, path, bench, isWorking: isWorking)
                if isWorking {
                    with.append(Double(count) / seconds)
                    lags.append(lag)
                } else {
                    without.append(Double(count) / seconds)
                }
            }
        }
        return [
            Figure(
                "purchases with the worker of roll-ups, beside those without", "1/s", ours: with.median,
                limit: without.median, .atLeast(0.9), notes: ["\(count) purchases, \(tasks) tasks"]),
            Figure(
                "the longest lag of roll-ups at full load", "ms", ours: lags.median, limit: mostLag, .atMost(1)),
        ]
    }

    /// - Returns: The seconds that the purchases took, and the longest lag in milliseconds.
    private static func sell(
        _ count: Int, _ path: String, _ bench: Bench, isWorking: Bool
    ) async throws -> (seconds: Double, lag: Double) {
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
        let longest = LongestLag()
        let worker = Task {
            guard isWorking else { return }
            let scheduler = RollUpScheduler(shop.registry, logger: BenchmarkStore.quiet)
            await scheduler.run { try await Task.sleep(for: pause) }
        }
        let probe = Task {
            guard isWorking else { return }
            while (try? await Task.sleep(for: probePause)) != nil {
                let lag = try await store.rollUps.statuses().map(\.lagMilliseconds).max() ?? 0
                longest.add(Double(lag))
            }
        }
        let seconds = try await Stopwatch.seconds {
            _ = try await concurrently(count, tasks: tasks) { number in
                try await store.purchases.buy(requests[number], by: buyers[number % buyers.count]).id
            }
        }
        worker.cancel()
        probe.cancel()
        await worker.value
        _ = await probe.result
        return (seconds, longest.milliseconds)
    }
}

/// The longest lag that was seen.
private final class LongestLag: Sendable {
    private let value = Mutex(0.0)

    var milliseconds: Double { value.withLock { $0 } }

    func add(_ lag: Double) {
        value.withLock { $0 = max($0, lag) }
    }
}
