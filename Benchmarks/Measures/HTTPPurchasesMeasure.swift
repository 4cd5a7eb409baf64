import AppStoreFormats
import Dispatch
import Foundation
import NIOCore
import PerennialHTTP
import PerennialStorage

/// Durable purchases through HTTP, beside a bare POST on the same server with bodies of the same size.
enum HTTPPurchasesMeasure: Measure {
    static let name = "purchases-http"
    private static let clients = 64
    private static let devices = 256
    private static let path = "/sandbox/store/v1/purchases"

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let shop = try await BenchmarkStore(bench.folder.path("http.sqlite"), identities: bench.identities)
        defer { shop.database.close() }
        let tokens = try await shop.signIn(devices)
        let router = PerennialRouter(
            registry: shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds }
        ).make()
        let bare = BareRoute()
        bare.add(to: router)
        let synchronous = try shop.database.synchronousLevel() ?? -1
        guard synchronous == 2 else { throw BenchmarkError("synchronous is \(synchronous), not FULL") }
        return try await BenchmarkServer.run(router) { server in
            let load = LoadGenerator(port: server.port)
            let warmUp = try await load.run(requests(bench.count(5_000), to: path, tokens))
            bare.answer(with: warmUp.bodyBytes)
            _ = try await load.run(requests(bench.count(5_000), to: BareRoute.path, tokens))
            var (ours, limit): ([LoadGenerator.Result], [LoadGenerator.Result]) = ([], [])
            for _ in 0..<bench.rounds {
                limit.append(try await load.run(requests(bench.count(40_000), to: BareRoute.path, tokens)))
                ours.append(try await load.run(requests(bench.count(20_000), to: path, tokens)))
            }
            let size = requests(1, to: path, tokens).first?.first?.readableBytes ?? 0
            return [
                Figure(
                    "durable purchases over HTTP, \(clients) clients", "1/s", ours: ours.map(\.rate).median,
                    limit: limit.map(\.rate).median, .atLeast(0.3),
                    notes: [
                        "PRAGMA synchronous reads back as \(synchronous) (FULL)",
                        "requests of \(size) bytes, answers with bodies of \(warmUp.bodyBytes), \(devices) devices",
                        "purchases: \(ours.last?.details ?? "")", "bare POST: \(limit.last?.details ?? "")",
                    ])
            ]
        }
    }

    /// The requests in all, shared out to the clients; each has an idempotency key of its own.
    private static func requests(_ count: Int, to path: String, _ tokens: [String]) -> [[ByteBuffer]] {
        (0..<clients).map { client in
            (0..<max(1, count / clients)).map { number in
                let token = tokens[(client + number * clients) % tokens.count]
                let body = """
                    {"productId":"\(BenchmarkCatalog.consumable)","quantity":1,"applicationUsername":"reader-4711",\
                    "idempotencyKey":"\(UUID().uuidString)"}
                    """
                return Requests.post(path, body, headers: ["Authorization: Bearer \(token)"])
            }
        }
    }
}
