import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Perennial
import PerennialHTTP
import PerennialStore
import TestSupport
import Testing

/// Every number and text of every request of Apple's Server API takes extreme values: none of them ends the process, and none
/// is answered as a failure of ours.
struct ServerAPIExtremesTests {
    private func run<Value: Sendable>(
        _ test: @escaping @Sendable (SellerServer, [ServerAPISample]) async throws -> Value
    ) async throws -> Value {
        try await SellerServer.run { server in try await test(server, ServerAPISamples(server).all) }
    }

    @Test func `every route and every property of a model has a sample`() async throws {
        try await run { server, samples in
            let router = PerennialRouter(
                registry: server.shop.registry, controlToken: "", rootCertificate: [], delivery: nil,
                nanoseconds: { 0 })
            let routes = router.make().routes.filter { $0.method != .head }
                .map { "\($0.method.rawValue) \($0.path.description.drop { $0 == "/" })" }
                .filter { $0.contains(/^\w+ (inApps|advancedCommerce)\//) }
                .map { $0.replacing(/:(\w+)/) { "{\($0.1)}" } }
            let sampled = Set(samples.map { "\($0.request.method.rawValue) \($0.request.path)" })
            #expect(Set(routes).subtracting(sampled).sorted() == [], "routes without a sample")
            #expect(sampled.subtracting(routes).sorted() == [], "samples of nothing")
            var properties: [String: Set<String>] = [:]
            var members: [String: Set<String>] = [:]
            for sample in samples {
                guard let body = sample.request.body else { continue }
                let route = "\(sample.request.method.rawValue) \(sample.request.path)"
                properties[route, default: []].formUnion(try sample.properties(Data(try body.text().utf8)))
                members[route, default: []].formUnion(body.members?.keys.map { $0 } ?? [])
            }
            for (route, names) in properties {
                #expect(names.subtracting(members[route] ?? []).sorted() == [], "\(route) leaves properties out")
            }
        }
    }

    @Test func `no number ends the process or is answered as a failure`() async throws {
        let count = try await run { $1.count }
        for index in 0..<count {
            var start = -1
            while start < .max {
                let from = start
                start = try await run { try await Self.check($1[index].request, from: from, $0) }
            }
        }
    }

    /// Sends variants of a sample, up to one that was accepted.
    ///
    /// - Returns: The next one; `.max` after the last.
    private static func check(_ sample: SampleRequest, from start: Int, _ server: SellerServer) async throws -> Int {
        let name = "\(sample.method.rawValue) \(sample.path)"
        if start < 0 {
            let reply = try await send(try sample.asItIs(), server)
            // An image is no JSON, and so not sent.
            #expect(
                SampleRequest.isWellFormed(reply.status) || sample.path.contains("/image/"),
                "\(name) as it is: \(reply.status) \(String(decoding: reply.body, as: UTF8.self))")
            // What reads leaves the world as it was.
            if sample.method != .get { return 0 }
        }
        let variants = try sample.variants()
        for index in max(start, 0)..<max(variants.count, start) {
            let variant = variants[index]
            let reply = try await send(variant, server)
            #expect(reply.status < 500, "\(name), \(variant.words): \(reply.status)")
            if variant.isNumber, sample.method != .get, (200..<300).contains(reply.status) { return index + 1 }
        }
        return .max
    }

    private static func send(_ variant: SampleRequest.Variant, _ server: SellerServer) async throws -> StoreServer.Reply
    {
        try await server.send(variant.method, "/\(variant.uri)", variant.body)
    }

    /// Times of tokens, in seconds as JSON writes them: what is far away is refused, and signed well or not makes no
    /// difference to the process.
    @Test(arguments: ["iat", "exp", "nbf"])
    func `a token of any time is judged`(claim: String) async throws {
        try await SellerServer.run { server in
            for raw in ExtremeValues.numbers + ["\"9999\"", "null", "true", "[]", "{}"] {
                let token = try server.key.token(at: server.shop.clock.now, raw: [claim: raw])
                let response = try await server.client.executeRequest(
                    uri: "/sandbox/inApps/v1/transactions/1", method: .get,
                    headers: [.authorization: "Bearer \(token)"], body: nil)
                #expect([401, 404].contains(response.status.code), "\(claim): \(raw)")
            }
        }
    }

    @Test(arguments: ["iat", "exp", "nbf"])
    func `an offer's token of any time is judged`(claim: String) async throws {
        try await StoreServer.run(app: TestCatalog.magazineWithOffers) { server in
            let key = TestOfferKey()
            try await key.register(in: server.shop)
            let token = try await server.signIn("/sandbox")
            for raw in ExtremeValues.numbers + ["\"9999\"", "true", "[]", "{}"] {
                let offer = try key.token("promotional-offer", ["offerIdentifier": "half"], raw: [claim: raw])
                let reply = try await server.buy("monthly", token, more: ["offer": ["token": .string(offer)]])
                #expect((200..<500).contains(reply.status), "\(claim): \(raw)")
            }
        }
    }
}
