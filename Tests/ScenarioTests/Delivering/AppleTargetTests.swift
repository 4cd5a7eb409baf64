import AsyncHTTPClient
import Foundation
import Logging
import NIOSSL
import Perennial
import PerennialDelivery
import PerennialHTTP
import Synchronization
import TestSupport
import Testing

/// Delivery as it asks Apple, with a Perennial store in Apple's place: the same URLs, over TLS, under the same names.
struct AppleTargetTests {
    /// Leads Apple's names to this machine and, since only the administrator listens on 443, to another port.
    private final class Detour: VerifyReceiptEndpoint {
        private let client: VerifyReceiptClient
        private let port: Int
        let asked = Mutex<[String]>([])

        init(_ client: HTTPClient, port: Int) {
            self.client = VerifyReceiptClient(client: client)
            self.port = port
        }

        func post(_ body: [UInt8], to url: String) async throws -> VerifyReceiptAnswer {
            asked.withLock { $0.append(url) }
            var place = URLComponents(string: url)
            place?.port = port
            return try await client.post(body, to: try #require(place?.string))
        }
    }

    private static let production = "https://buy.itunes.apple.com/verifyReceipt"
    private static let sandbox = "https://sandbox.itunes.apple.com/verifyReceipt"

    /// Runs a test with a client that trusts a store's root only.
    private func withClient(
        trusting path: String, _ body: @Sendable (HTTPClient) async throws -> Void
    ) async throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(path)
        var configuration = VerifyReceiptClient.clientConfiguration
        configuration.tlsConfiguration = tls
        configuration.dnsOverride = Dictionary(uniqueKeysWithValues: HostNames.all.map { ($0, "127.0.0.1") })
        let client = HTTPClient(configuration: configuration)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(client))
        } catch {
            outcome = .failure(error)
        }
        try await client.shutdown()
        try outcome.get()
    }

    @Test func `Production is asked first, and Sandbox after 21007`() async throws {
        let store = try await RunningStore.start(data: "", ["--in-memory", "--tls", "--tls-port", "0"])
        let trust = try #require(store.ready["tls"]?["trust"]?.text)
        let port = try #require(store.ready["tls"]?["port"]?.number)
        try await withClient(trusting: trust) { client in
            for (environment, asked) in [
                (StoreEnvironment.Kind.sandbox, [Self.production, Self.sandbox]), (.production, [Self.production]),
            ] {
                let base = try #require(store.ready["environments"]?[environment.rawValue]?.text)
                let sold = try await RunningStore.ask(
                    client, "\(base)/control/v1/purchases",
                    ["bundleId": .string(RunningStore.bundleID), "account": "ann", "productId": "filter.amber"],
                    bearer: store.controlToken)
                let receipt = try #require(sold["appReceipt"]?.text)
                let detour = Detour(client, port: Int(port))
                let verified = try await ReceiptVerification(
                    target: .apple, endpoint: detour, dependencies: .none, logger: Self.quiet
                ).verify(receipt: receipt, password: nil)
                #expect(verified.environment == environment)
                #expect(verified.bundleID.rawValue == RunningStore.bundleID)
                #expect(verified.purchases.map(\.productID.rawValue) == ["filter.amber"])
                #expect(verified.purchases.first?.transactionID.description == sold["transactionId"]?.text)
                #expect(detour.asked.withLock { $0 } == asked)

                let answers = try await [Self.production, Self.sandbox].asyncMap { url in
                    let body = try JSONValue.object(["receipt-data": .string(receipt)]).encoded
                    return try JSONValue(try await detour.post(body, to: url).body)["status"]
                }
                #expect(answers == (environment == .sandbox ? [21007, 0] : [0, 21008]))
            }
        }
        await store.stop()
    }

    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

extension RetryDependencies {
    /// Retries at once: a request that isn't answered is a failure.
    fileprivate static let none = RetryDependencies(
        sleep: { _ in throw CancellationError() }, elapsed: { .zero }, fraction: { 0 })
}

extension Sequence where Self: Sendable {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
