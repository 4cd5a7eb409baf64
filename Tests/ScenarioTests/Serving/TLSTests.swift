import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL
import PerennialHTTP
import TestSupport
import Testing

/// `perennial serve --tls`, for clients whose host names are fixed.
struct TLSTests {
    /// Runs a test with a client that trusts a store's root only, and for which the App Store's names lead to this machine.
    private func withClient(
        trusting path: String, _ body: @Sendable (HTTPClient) async throws -> Void
    ) async throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(path)
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.dnsOverride = Dictionary(uniqueKeysWithValues: HostNames.all.map { ($0, "127.0.0.1") })
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(configuration: configuration)
        do {
            try await body(client)
            try await client.shutdown()
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    private func start() async throws -> RunningStore {
        try await RunningStore.start(data: try TemporaryFolder.make(), ["--in-memory", "--tls", "--tls-port", "0"])
    }

    @Test func `each App Store host name leads to its environment, with a valid certificate`() async throws {
        let store = try await start()
        let trust = try #require(store.ready["tls"]?["trust"]?.text)
        let port = try #require(store.ready["tls"]?["port"]?.number)
        try await withClient(trusting: trust) { client in
            for (environment, names) in [("Production", HostNames.production), ("Sandbox", HostNames.sandbox)] {
                let base = try #require(store.ready["environments"]?[environment]?.text)
                let sold = try await RunningStore.ask(
                    client, "\(base)/control/v1/purchases",
                    ["bundleId": .string(RunningStore.bundleID), "account": "ann", "productId": "film.roll"],
                    bearer: store.controlToken)
                for name in names {
                    let answer = try await RunningStore.ask(
                        client, "https://\(name):\(port)/verifyReceipt",
                        ["receipt-data": sold["appReceipt"] ?? .null])
                    #expect(answer["status"] == 0, "\(name)")
                    #expect(answer["environment"]?.text == environment, "\(name)")
                    // Without a token the API is there, and says so in the environment's own words.
                    let api = try await RunningStore.ask(client, "https://\(name):\(port)/inApps/v1/transactions/1")
                    #expect(api.status == 401, "\(name)")
                }
            }
        }
        let ended = await store.stop()
        #expect(ended.status == 0)
        #expect(ended.errors == "")
    }

    @Test func `a client that trusts another store's root does not speak to this one`() async throws {
        let store = try await start()
        let other = try await start()
        let trust = try #require(other.ready["tls"]?["trust"]?.text)
        let port = try #require(store.ready["tls"]?["port"]?.number)
        try await withClient(trusting: trust) { client in
            await #expect(throws: (any Error).self) {
                _ = try await RunningStore.ask(client, "https://localhost:\(port)/health")
            }
        }
        await store.stop()
        await other.stop()
    }

    @Test func `a taken TLS port is reported with its option`() async throws {
        let store = try await start()
        let port = try #require(store.ready["tls"]?["port"]?.number)
        let second = try PerennialProcess(["serve", "--in-memory", "--port", "0", "--tls", "--tls-port", "\(port)"])
        let ended = await second.ended()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("port \(port) of 127.0.0.1 is taken"), "\(ended.errors)")
        #expect(ended.errors.contains("--tls-port"), "\(ended.errors)")
        await store.stop()
    }
}
