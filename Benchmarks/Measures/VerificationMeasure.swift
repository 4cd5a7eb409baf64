import AppStoreFormats
import Dispatch
import Foundation
import NIOCore
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// verifyReceipt of receipts with 20 purchases, beside a bare POST with bodies of the same size: each receipt for the
/// first time in a process, and then again and again, as backends send it.
enum VerificationMeasure: Measure {
    static let name = "verify-receipt"
    private static let clients = 64
    /// Each has a receipt of his own.
    private static let newCustomers = 3_000
    private static let knownCustomers = 500
    private static let purchases = 20
    private static let path = "/sandbox/verifyReceipt"

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let path = bench.folder.path("verify.sqlite")
        let (renewing, plain) = try await sell(path, bench)
        return [
            try await again("with a subscription", Array(renewing.prefix(knownCustomers)), path, bench, .atLeast(0.5)),
            try await again("without", plain, path, bench, nil),
            try await first("with a subscription", renewing, path, bench),
        ]
    }

    /// The requests of customers with a subscription, and of customers without.
    private static func sell(_ path: String, _ bench: Bench) async throws -> (renewing: [String], plain: [String]) {
        let shop = try await BenchmarkStore(path, identities: bench.identities)
        defer { shop.database.close() }
        let count = bench.count(newCustomers)
        let tokens = try await shop.signIn(count + knownCustomers)
        return (
            try await receipts(shop, tokens.prefix(count), [BenchmarkCatalog.subscription]),
            try await receipts(shop, tokens.suffix(knownCustomers), [])
        )
    }

    /// Receipts that the process has verified before.
    private static func again(
        _ name: String, _ bodies: [String], _ path: String, _ bench: Bench, _ requirement: Figure.Requirement?
    ) async throws -> Figure {
        let (ours, limit) = try await serve(path, bench) { load, bare in
            var (ours, limit): ([LoadGenerator.Result], [LoadGenerator.Result]) = ([], [])
            let warmUp = try await load.run(requests(bench.count(3_000), to: Self.path, bodies))
            bare.answer(with: warmUp.bodyBytes)
            _ = try await load.run(requests(bench.count(3_000), to: BareRoute.path, bodies))
            for _ in 0..<bench.rounds {
                limit.append(try await load.run(requests(bench.count(20_000), to: BareRoute.path, bodies)))
                ours.append(try await load.run(requests(bench.count(15_000), to: Self.path, bodies)))
            }
            return (ours, limit)
        }
        return figure("verifyReceipt again, \(purchases) purchases \(name)", bodies, ours, limit, requirement)
    }

    /// Receipts that the process has never seen: each round begins with another process, as far as the store can tell.
    private static func first(
        _ name: String, _ bodies: [String], _ path: String, _ bench: Bench
    ) async throws -> Figure {
        var (ours, limit): ([LoadGenerator.Result], [LoadGenerator.Result]) = ([], [])
        for _ in 0..<bench.rounds {
            let result = try await serve(path, bench) { load, bare in
                // What is warmed up is the code, with receipts that aren't asked for afterwards.
                let (others, new) = (Array(bodies.prefix(bodies.count / 3)), Array(bodies.dropFirst(bodies.count / 3)))
                let warmUp = try await load.run(requests(others.count, to: Self.path, others))
                bare.answer(with: warmUp.bodyBytes)
                _ = try await load.run(requests(bench.count(3_000), to: BareRoute.path, bodies))
                let limit = try await load.run(requests(bench.count(20_000), to: BareRoute.path, bodies))
                return (ours: try await load.run(requests(new.count, to: Self.path, new)), limit: limit)
            }
            ours.append(result.ours)
            limit.append(result.limit)
        }
        return figure("verifyReceipt first, \(purchases) purchases \(name)", bodies, ours, limit, nil)
    }

    /// Runs a body against the store in a server that remembers nothing.
    private static func serve<Value: Sendable>(
        _ path: String, _ bench: Bench, _ body: @escaping @Sendable (LoadGenerator, BareRoute) async throws -> Value
    ) async throws -> Value {
        let shop = try await BenchmarkStore(path, identities: bench.identities)
        defer { shop.database.close() }
        let router = PerennialRouter(
            registry: shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds }
        ).make()
        let bare = BareRoute()
        bare.add(to: router)
        return try await BenchmarkServer.run(router) { server in
            try await body(LoadGenerator(port: server.port), bare)
        }
    }

    private static func figure(
        _ name: String, _ bodies: [String], _ ours: [LoadGenerator.Result], _ limit: [LoadGenerator.Result],
        _ requirement: Figure.Requirement?
    ) -> Figure {
        Figure(
            name, "1/s", ours: ours.map(\.rate).median, limit: limit.map(\.rate).median, requirement,
            notes: [
                "\(bodies.count) receipts, requests with bodies of \(bodies.first?.utf8.count ?? 0) bytes, "
                    + "answers of \(ours.last?.bodyBytes ?? 0): \(ours.last?.details ?? "")",
                "bare POST: \(limit.last?.details ?? "")",
            ])
    }

    /// Lets each device's customer buy, and asks verifyReceipt about what he has then.
    static func receipts(
        _ shop: BenchmarkStore, _ tokens: some Collection<String>, _ first: [Product.ID]
    ) async throws -> [String] {
        let tokens = Array(tokens)
        let owned = BenchmarkCatalog.ownable.prefix(purchases / 2)
        let coins = Array(repeating: BenchmarkCatalog.consumable, count: purchases - owned.count - first.count)
        return try await concurrently(tokens.count) { number in
            for product in first + owned + coins {
                _ = try await shop.store.purchases.buy(PurchaseRequest(productID: product), token: tokens[number])
            }
            let receipt = try await shop.store.receipts.appReceipt(
                for: try await shop.store.accounts.customer(token: tokens[number]))
            return """
                {"receipt-data":"\(Data(receipt).base64EncodedString())","password":"\(BenchmarkCatalog.sharedSecret)"}
                """
        }
    }

    private static func requests(_ count: Int, to path: String, _ bodies: [String]) -> [[ByteBuffer]] {
        let requests = bodies.map { Requests.post(path, $0) }
        return (0..<clients).map { client in
            (0..<max(1, count / clients)).map { requests[(client + $0 * clients) % requests.count] }
        }
    }
}
