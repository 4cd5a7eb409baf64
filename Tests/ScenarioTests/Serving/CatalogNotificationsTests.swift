import AsyncHTTPClient
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// Goal: a catalog file says where notifications go, as the control API says it.
/// Method: the control API is asked what a server knows that was started with such a file.
struct CatalogNotificationsTests {
    private static let said = """
        notifications:
          production: {url: "https://example.com/hook", version: 1, retries: none, timeoutMilliseconds: 2500}
          sandbox: {url: "http://127.0.0.1:9/sandbox"}
        """
    private static let settings = "control/v1/apps/\(RunningStore.bundleID)/notifications"

    /// Puts a body where there is one, and gets what is there where there is none.
    private func ask(_ store: RunningStore, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue? {
        try await RunningStore.withClient {
            try await RunningStore.ask($0, "\(store.url)/\(path)", body, bearer: store.controlToken, method: .PUT).json
        }
    }

    @Test func `notification settings of the catalog equal those of the control API`() async throws {
        let store = try await RunningStore.start(data: "", ["--in-memory"], appendix: Self.said)
        let (production, sandbox) = (
            try await ask(store, Self.settings), try await ask(store, "sandbox/\(Self.settings)")
        )
        #expect(production?["url"] == "https://example.com/hook")
        #expect(sandbox?["url"] == "http://127.0.0.1:9/sandbox")
        let body: JSONValue = [
            "url": "https://example.com/hook", "version": 1, "retries": "none", "timeoutMilliseconds": 2500,
        ]
        #expect(try await ask(store, Self.settings, body) == production)
        #expect(
            try await ask(store, "sandbox/\(Self.settings)", ["url": "http://127.0.0.1:9/sandbox"]) == sandbox)
        await store.stop()
    }

    @Test func `a start keeps what was edited and injected, and applies options`() async throws {
        let data = try TemporaryFolder.make()
        let first = try await RunningStore.start(data: data, appendix: Self.said)
        _ = try await ask(first, Self.settings, ["url": "http://127.0.0.1:9/else"])
        _ = try await ask(first, "\(Self.settings)/faults", ["duplicates": 2])
        await first.stop()

        let second = try await RunningStore.start(data: data, appendix: Self.said)
        let again = try await ask(second, Self.settings)
        // The file says what it said before, so the seller's edit stays.
        #expect(again?["url"] == "http://127.0.0.1:9/else")
        #expect(again?["faults"]?["duplicates"] == 2)
        await second.stop()

        let third = try await RunningStore.start(
            data: data, ["--notifications", "http://127.0.0.1:9/line"], appendix: Self.said)
        #expect(try await ask(third, Self.settings)?["url"] == "http://127.0.0.1:9/line")
        #expect(try await ask(third, "sandbox/\(Self.settings)")?["url"] == "http://127.0.0.1:9/line")
        await third.stop()

        let fourth = try await RunningStore.start(data: data)
        #expect(try await ask(fourth, Self.settings)?["url"] == "http://127.0.0.1:9/line")
        await fourth.stop()
    }
}
