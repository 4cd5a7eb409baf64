import AppStoreFormats
import Dispatch
import NIOCore
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// The two calls that a backend makes most to the App Store Server API, about the same customers again and again, beside
/// a bare GET on the same server that sends as many bytes in both directions.
enum ServerAPIMeasure: Measure {
    static let name = "server-api"
    private static let clients = 64
    /// The customers whose transactions fit into the cache.
    private static let customers = 300
    private static let purchases = 20

    /// A call, with what is required of it.
    private struct Call: Sendable {
        let name: String
        let paths: [String]
        let requests: Int
        let requirement: Figure.Requirement
    }

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let shop = try await BenchmarkStore(bench.folder.path("server-api.sqlite"), identities: bench.identities)
        defer { shop.database.close() }
        let sold = try await sell(in: shop)
        let token = try await ServerAPIToken.make(for: shop)
        let calls = [
            Call(
                name: "GET transactions/{id}", paths: sold.map { "/sandbox/inApps/v1/transactions/\($0)" },
                requests: 20_000, requirement: .atLeast(0.6)),
            Call(
                name: "GET history of \(purchases)", paths: sold.map { "/sandbox/inApps/v2/history/\($0)" },
                requests: 8_000, requirement: .atLeast(0.4)),
        ]
        let router = PerennialRouter(
            registry: shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds }
        ).make()
        let bare = BareRoute()
        bare.add(to: router)
        return try await BenchmarkServer.run(router) { server in
            let load = LoadGenerator(port: server.port)
            var figures: [Figure] = []
            for call in calls { figures.append(try await measure(call, token, load, bare, bench)) }
            return figures
        }
    }

    private static func measure(
        _ call: Call, _ token: String, _ load: LoadGenerator, _ bare: BareRoute, _ bench: Bench
    ) async throws -> Figure {
        let count = bench.count(call.requests)
        let asked = call.paths.map { Requests.get($0, headers: ["Authorization: Bearer \(token)"]) }
        // As long as the compared request, by a query that is ignored.
        let length = (call.paths.first ?? "").utf8.count - BareRoute.path.utf8.count - 1
        let plain = Requests.get(
            "\(BareRoute.path)?\(String(repeating: "x", count: length))", headers: ["Authorization: Bearer \(token)"])
        let warmUp = try await load.run(share(max(count / 4, customers * 2), asked))
        bare.answer(with: warmUp.bodyBytes)
        _ = try await load.run(share(count / 4, [plain]))
        var (ours, limit): ([LoadGenerator.Result], [LoadGenerator.Result]) = ([], [])
        for _ in 0..<bench.shortRounds {
            limit.append(try await load.run(share(count, [plain])))
            ours.append(try await load.run(share(count, asked)))
        }
        return Figure(
            call.name, "1/s", ours: ours.map(\.rate).median, limit: limit.map(\.rate).median, call.requirement,
            notes: [
                "\(customers) customers, answers with bodies of \(warmUp.bodyBytes) bytes: \(ours.last?.details ?? "")",
                "bare GET: \(limit.last?.details ?? "")",
            ])
    }

    /// The requests in all, shared out to the clients.
    private static func share(_ count: Int, _ requests: [ByteBuffer]) -> [[ByteBuffer]] {
        (0..<clients).map { client in
            (0..<max(1, count / clients)).map { requests[(client + $0 * clients) % requests.count] }
        }
    }

    /// - Returns: A transaction of each customer's.
    static func sell(in shop: BenchmarkStore, customers: Int = customers) async throws -> [TransactionID] {
        let products =
            [BenchmarkCatalog.subscription] + BenchmarkCatalog.ownable.prefix(9)
            + Array(repeating: BenchmarkCatalog.consumable, count: purchases - 10)
        return try await concurrently(customers) { number in
            let customer = try await shop.store.accounts.customer(
                account: "reader\(number)@example.com", bundleID: BenchmarkCatalog.bundleID)
            var last = TransactionID(rawValue: 0)
            for product in products {
                last = try await shop.store.purchases.buy(PurchaseRequest(productID: product), by: customer).id
            }
            return last
        }
    }
}
