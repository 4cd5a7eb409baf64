import AppStoreFormats
import Dispatch
import NIOCore
import Perennial
import PerennialHTTP
import PerennialStorage

/// verifyReceipt and transaction info of a store on PostgreSQL, beside the same store on SQLite.
enum PostgreSQLReadsMeasure: Measure {
    static let name = "postgres-reads"
    private static let clients = 64
    private static let customers = 200

    /// The requests to a store with the same customers and purchases on one engine.
    private struct Side: Sendable {
        let shop: BenchmarkStore
        let receipts: [ByteBuffer]
        let transactions: [ByteBuffer]
    }

    static func measure(_ bench: Bench) async throws -> [Figure] {
        try await BenchmarkPostgreSQL.run { server in
            let ours = try await side(try server.makeDatabase("reads"), bench)
            defer { ours.shop.database.close() }
            let limit = try await side(.sqlite(path: bench.folder.path("reads.sqlite")), bench)
            defer { limit.shop.database.close() }
            return try await serve(ours, bench) { first in
                try await serve(limit, bench) { second in
                    let (ours, limit) = (Served(first, ours), Served(second, limit))
                    return [
                        try await compare(
                            "verifyReceipt again on PostgreSQL, beside SQLite", 15_000, ours, limit, { $0.receipts },
                            bench),
                        try await compare(
                            "transaction info on PostgreSQL, beside SQLite", 20_000, ours, limit, { $0.transactions },
                            bench),
                    ]
                }
            }
        }
    }

    /// A side with its server.
    private struct Served: Sendable {
        let load: LoadGenerator
        let side: Side

        init(_ load: LoadGenerator, _ side: Side) { (self.load, self.side) = (load, side) }
    }

    private static func compare(
        _ name: String, _ full: Int, _ ours: Served, _ limit: Served,
        _ requests: @Sendable (Side) -> [ByteBuffer], _ bench: Bench
    ) async throws -> Figure {
        var results: (ours: [LoadGenerator.Result], limit: [LoadGenerator.Result]) = ([], [])
        func run(_ served: Served, _ count: Int) async throws -> LoadGenerator.Result {
            try await served.load.run(share(count, requests(served.side)))
        }
        // The first answers are put into the caches.
        for served in [ours, limit] { _ = try await run(served, max(bench.count(full) / 4, 4 * customers)) }
        for _ in 0..<bench.rounds {
            results.limit.append(try await run(limit, bench.count(full)))
            results.ours.append(try await run(ours, bench.count(full)))
        }
        return Figure(
            name, "1/s", ours: results.ours.map(\.rate).median, limit: results.limit.map(\.rate).median, .atLeast(0.8),
            notes: [
                "\(customers) customers, \(clients) clients; PostgreSQL: \(results.ours.last?.details ?? "")",
                "SQLite: \(results.limit.last?.details ?? "")",
            ])
    }

    /// The requests in all, shared out to the clients.
    private static func share(_ count: Int, _ requests: [ByteBuffer]) -> [[ByteBuffer]] {
        (0..<clients).map { client in
            (0..<max(1, count / clients)).map { requests[(client + $0 * clients) % requests.count] }
        }
    }

    private static func serve<Value: Sendable>(
        _ side: Side, _ bench: Bench, _ body: @escaping @Sendable (LoadGenerator) async throws -> Value
    ) async throws -> Value {
        let router = PerennialRouter(
            registry: side.shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds }
        ).make()
        return try await BenchmarkServer.run(router) { try await body(LoadGenerator(port: $0.port)) }
    }

    /// Sells on a new database, and makes the requests.
    private static func side(_ location: DatabaseLocation, _ bench: Bench) async throws -> Side {
        let shop = try await BenchmarkStore(location, identities: bench.identities)
        let tokens = try await shop.signIn(customers)
        let bodies = try await VerificationMeasure.receipts(shop, tokens, [BenchmarkCatalog.subscription])
        let sold = try await ServerAPIMeasure.sell(in: shop, customers: customers)
        try await shop.database.analyzeNewTables()
        let token = try await ServerAPIToken.make(for: shop)
        return Side(
            shop: shop, receipts: bodies.map { Requests.post("/sandbox/verifyReceipt", $0) },
            transactions: sold.map {
                Requests.get("/sandbox/inApps/v1/transactions/\($0)", headers: ["Authorization: Bearer \(token)"])
            })
    }
}
