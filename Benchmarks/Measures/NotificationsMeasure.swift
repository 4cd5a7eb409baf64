import AppStoreFormats
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore
import Synchronization

/// Waiting notifications to one receiver on this machine, signed and recorded, beside what the same client posts of the
/// same bytes and nothing else. Receiver and sender share the process in both.
enum NotificationsMeasure: Measure {
    static let name = "notifications"
    private static let notifications = 10_000
    /// The number of requests that are on their way at once to one app's receiver.
    private static let connections = 32
    private static let timeout: Int64 = .seconds(60)

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: NotificationClient.clientConfiguration)
        let result: Result<[Figure], any Error>
        do {
            result = .success(try await measure(bench, client))
        } catch {
            result = .failure(error)
        }
        try await client.shutdown()
        return try result.get()
    }

    private static func measure(_ bench: Bench, _ client: HTTPClient) async throws -> [Figure] {
        let sender = CountingSender(NotificationClient(client: client))
        let shop = try await BenchmarkStore(
            bench.folder.path("notifications.sqlite"), identities: bench.identities, sender: sender)
        defer { shop.database.close() }
        let receiver = BareRoute()
        let router = PerennialRouter(
            registry: shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { 0 }
        ).make()
        receiver.add(to: router)
        let count = bench.count(notifications)
        return try await BenchmarkServer.run(router) { server in
            let url = "http://127.0.0.1:\(server.port)\(BareRoute.path)"
            try await shop.store.notifications.configure(NotificationSettings(url: url), of: BenchmarkCatalog.bundleID)
            try await subscribe(count / 10, in: shop, round: 0)
            try await shop.store.notifications.sendDue()
            _ = try await post(count / 10, sender.lastBody, to: url, client)
            var (ours, limit): ([Double], [Double]) = ([], [])
            for round in 1...bench.shortRounds {
                limit.append(Double(count) / (try await post(count, sender.lastBody, to: url, client)))
                try await subscribe(count, in: shop, round: round)
                let before = sender.count
                let seconds = try await Stopwatch.seconds { try await shop.store.notifications.sendDue() }
                guard sender.count - before == count, sender.failures == 0 else {
                    throw BenchmarkError(
                        "\(sender.count - before) of \(count) notifications were sent, \(sender.failures) failed")
                }
                ours.append(Double(count) / seconds)
            }
            return [
                Figure(
                    "notifications to one receiver, signed and recorded", "1/s", ours: ours.median,
                    limit: limit.median, .atLeast(0.5),
                    notes: [
                        "\(count) waiting, bodies of \(sender.lastBody.count) bytes, \(connections) at once",
                        "each signs transaction, renewal information and payload",
                    ])
            ]
        }
    }

    /// The customers who subscribe; each waits to be told of.
    private static func subscribe(_ count: Int, in shop: BenchmarkStore, round: Int) async throws {
        _ = try await concurrently(count) { number in
            let customer = try await shop.store.accounts.customer(
                account: "reader\(round)-\(number)@example.com", bundleID: BenchmarkCatalog.bundleID)
            return try await shop.store.purchases.buy(
                PurchaseRequest(productID: BenchmarkCatalog.subscription), by: customer
            ).id
        }
    }

    /// - Returns: Seconds.
    private static func post(
        _ count: Int, _ body: [UInt8], to url: String, _ client: HTTPClient
    ) async throws -> Double {
        let buffer = ByteBuffer(bytes: body)
        return try await Stopwatch.seconds {
            _ = try await concurrently(count, tasks: connections) { _ in
                var request = HTTPClientRequest(url: url)
                request.method = .POST
                request.headers.add(name: "Content-Type", value: "application/json")
                request.body = .bytes(buffer)
                let response = try await client.execute(request, timeout: .milliseconds(timeout))
                for try await _ in response.body {}
                guard response.status == .ok else { throw BenchmarkError("the receiver answers \(response.status)") }
                return 0
            }
        }
    }
}

/// Says how many were sent, and what.
private final class CountingSender: NotificationSender {
    private struct State {
        var count = 0
        var failures = 0
        var body: [UInt8] = []
    }

    private let state = Mutex(State())
    private let sender: NotificationClient

    init(_ sender: NotificationClient) { self.sender = sender }

    var count: Int { state.withLock { $0.count } }
    var failures: Int { state.withLock { $0.failures } }
    var lastBody: [UInt8] { state.withLock { $0.body } }

    func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome {
        let outcome = await sender.post(body, to: url, timeout: timeout)
        state.withLock { state in
            state.count += 1
            state.body = body
            if outcome.result != .success { state.failures += 1 }
        }
        return outcome
    }
}
