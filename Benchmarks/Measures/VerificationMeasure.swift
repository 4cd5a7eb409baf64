import AppStoreFormats
import Dispatch
import Foundation
import NIOCore
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// verifyReceipt of receipts with 20 purchases, beside a bare POST with bodies of the same size.
enum VerificationMeasure: Measure {
    static let name = "verify-receipt"
    private static let clients = 64
    private static let customers = 500
    private static let purchases = 20
    private static let path = "/sandbox/verifyReceipt"

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let shop = try await BenchmarkStore(bench.folder.path("verify.sqlite"), identities: bench.identities)
        defer { shop.database.close() }
        let router = PerennialRouter(
            registry: shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds }
        ).make()
        let bare = BareRoute()
        bare.add(to: router)
        let tokens = try await shop.signIn(2 * customers)
        let renewing = try await receipts(shop, tokens.prefix(customers), [BenchmarkCatalog.subscription])
        let plain = try await receipts(shop, tokens.suffix(customers), [])
        return try await BenchmarkServer.run(router) { server in
            let load = LoadGenerator(port: server.port)
            return [
                try await compare(
                    "verifyReceipt, \(purchases) purchases with a subscription", renewing, load, bare, bench,
                    .atLeast(0.5)),
                try await compare("verifyReceipt, \(purchases) purchases without", plain, load, bare, bench, nil),
            ]
        }
    }

    private static func compare(
        _ name: String, _ bodies: [String], _ load: LoadGenerator, _ bare: BareRoute, _ bench: Bench,
        _ requirement: Figure.Requirement?
    ) async throws -> Figure {
        let warmUp = try await load.run(requests(bench.count(2_000), to: path, bodies))
        bare.answer(with: warmUp.bodyBytes)
        _ = try await load.run(requests(bench.count(2_000), to: BareRoute.path, bodies))
        var (ours, limit): ([LoadGenerator.Result], [LoadGenerator.Result]) = ([], [])
        for _ in 0..<bench.rounds {
            limit.append(try await load.run(requests(bench.count(10_000), to: BareRoute.path, bodies)))
            ours.append(try await load.run(requests(bench.count(6_000), to: path, bodies)))
        }
        return Figure(
            name, "1/s", ours: ours.map(\.rate).median, limit: limit.map(\.rate).median, requirement,
            notes: [
                "\(customers) receipts, requests with bodies of \(bodies.first?.utf8.count ?? 0) bytes, "
                    + "answers of \(warmUp.bodyBytes): \(ours.last?.details ?? "")",
                "bare POST: \(limit.last?.details ?? "")",
            ])
    }

    /// Lets each device's customer buy, and asks verifyReceipt about what he has then.
    private static func receipts(
        _ shop: BenchmarkStore, _ tokens: some Collection<String>, _ first: [Product.ID]
    ) async throws -> [String] {
        let tokens = Array(tokens)
        let owned = BenchmarkCatalog.ownable.prefix(purchases / 2)
        let coins = Array(repeating: BenchmarkCatalog.consumable, count: purchases - owned.count - first.count)
        return try await concurrently(tokens.count) { number in
            for product in first + owned + coins {
                _ = try await shop.store.purchase(PurchaseRequest(productID: product), token: tokens[number])
            }
            let receipt = try await shop.store.appReceipt(for: try await shop.store.customer(token: tokens[number]))
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
