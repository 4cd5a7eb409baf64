import AppStoreFormats
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PerennialHTTP
import PerennialStore
import TestSupport
import Testing

/// Refusals of every protocol in the server's log: one line at `info`, with the reason and what to do.
struct RefusalLogTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var method = HTTPRequest.Method.get
        var path: String
        var body = ""
        var isOperator = false
        /// Status and code, as the line has them.
        var answer: String
        /// A part of the reason or of what to do.
        var words: String

        var testDescription: String { "\(method.rawValue) \(path) \(answer)" }
    }

    static let cases = [
        Case(path: "/sandbox/control/v1/apps", answer: "401 unauthorized", words: "send the control token"),
        Case(
            path: "/sandbox/control/v1/accounts/none", isOperator: true, answer: "404 accountNotFound",
            words: "there is no account of that name"),
        Case(
            method: .post, path: "/sandbox/control/v1/purchases", body: "{}", isOperator: true, answer: "400 ",
            words: "correct the request"),
        Case(
            method: .delete, path: "/sandbox/control/v1/accounts/ann", isOperator: true, answer: "405 ",
            words: "Allow lists"),
        Case(path: "/environments/none/control/v1/apps", isOperator: true, answer: "404 ", words: "check the names"),
        Case(method: .post, path: "/sandbox/store/v1/purchases", body: "{}", answer: "401 ", words: "sign in again"),
        Case(path: "/sandbox/verifyReceipt", answer: "200 21000", words: "isn't a POST"),
        Case(
            method: .post, path: "/sandbox/verifyReceipt", body: #"{"receipt-data":"AAAA"}"#, answer: "200 21002",
            words: "base64, unchanged"),
        Case(path: "/sandbox/inApps/v1/history/1", answer: "401 ", words: "perennial keys"),
        Case(path: "/sandbox/v1/apps", answer: "401 ", words: "perennial keys"),
        Case(path: "/nowhere", answer: "404 ", words: "check the names"),
    ]

    /// Returns the lines that a request leaves.
    private static func lines(_ test: Case) async throws -> [String] {
        let (shop, log) = (try await TestStore.make(), LineLog())
        var router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken, rootCertificate: [], delivery: nil,
            nanoseconds: { 0 })
        router.keys = shop.keys
        try await Application(router: router.make(), logger: log.logger).test(.router) { client in
            let headers: HTTPFields = test.isOperator ? [.authorization: "Bearer \(StoreServer.controlToken)"] : [:]
            _ = try await client.executeRequest(
                uri: test.path, method: test.method, headers: headers,
                body: test.body.isEmpty ? nil : ByteBuffer(string: test.body))
            _ = try await client.executeRequest(uri: "/health", method: .get, headers: [:], body: nil)
        }
        return log.lines.filter { $0.contains("refused:") }
    }

    @Test(arguments: cases)
    func `a refusal is one line of the log, with what to do`(test: Case) async throws {
        let lines = try await Self.lines(test)
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line.hasPrefix("info: refused: \(test.method.rawValue) \(test.path) \(test.answer)"))
        #expect(line.contains(test.words))
        let parts = try #require(line.wholeMatch(of: /info: refused: [A-Z]+ \S+ [0-9]+ \S+: (.+); (.+)/))
        #expect(!parts.output.1.isEmpty && !parts.output.2.isEmpty)
    }

    @Test func `a page of another site is refused with a line in the log, before the routes`() async throws {
        let (shop, log) = (try await TestStore.make(), LineLog())
        let router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken, rootCertificate: [], delivery: nil,
            nanoseconds: { 0 }
        ).make()
        let policy = HostPolicy(listeningOn: "127.0.0.1", names: [], allowed: [])
        let responder = HostPolicyResponder(policy, router.buildResponder())
        try await Application(responder: responder, logger: log.logger).test(.router) { client in
            let headers: HTTPFields = [.origin: "http://evil.example"]
            let status = try await client.executeRequest(
                uri: "/health", method: .get, headers: headers, body: nil
            ).status
            #expect(status == .forbidden)
        }
        let lines = log.lines.filter { $0.contains("refused:") }
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("info: refused: GET /health 403 originNotAllowed: ") == true)
        #expect(lines.first?.contains("--allow-host") == true)
    }
}
