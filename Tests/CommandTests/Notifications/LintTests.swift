import AppStoreFormats
import Foundation
import Hummingbird
import NIOCore
import Perennial
import PerennialHTTP
import PerennialSimulation
import Synchronization
import TestSupport
import Testing

@testable import PerennialCommand

/// `perennial notifications lint`: options, the store's values, and the exchange with a server.
struct LintTests {
    private static let url = "http://127.0.0.1:9000/app-store"

    private func command(_ words: String...) throws -> NotificationsCommand.Lint {
        try #require(try Words.parse(["notifications", "lint", Self.url] + words) as? NotificationsCommand.Lint)
    }

    private func ready() throws -> ReadyStore {
        let file = try TemporaryFolder.make() + "/ready.json"
        let text = """
            {"url": "http://127.0.0.1:8080", "controlToken": "t", "rootCertificate": "/data/keys/root.cer", "apps": [
              {"bundleId": "com.example.one", "appAppleId": 11, "sharedSecret": "s1"},
              {"bundleId": "com.example.two", "appAppleId": 22, "sharedSecret": "s2"}]}
            """
        try Data(text.utf8).write(to: URL(filePath: file))
        return try ReadyStore(file: file)
    }

    @Test func `the store's ready file gives app, number and secret`() throws {
        let first = try command("--ready-file", "ready.json").subject(in: ready())
        #expect(first.bundleID.rawValue == "com.example.one" && first.appleID == 11 && first.sharedSecret == "s1")
        let second = try command("--ready-file", "ready.json", "--app", "com.example.two").subject(in: ready())
        #expect(second.appleID == 22 && second.sharedSecret == "s2" && second.version == .two)
        let other = try command("--app", "com.example.three")
        #expect(throws: CommandError.self) { try other.subject(in: ready()) }
        let secretless = try command("--notification-version", "1")
        #expect(throws: CommandError.self) { try secretless.subject(in: nil) }
    }

    @Test func `a store with its keys in memory is refused, and no keys are made`() async throws {
        let folder = try TemporaryFolder.make()
        let keys = URL(filePath: "\(folder)/keys")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        // A store in memory writes certificates only.
        let root = keys.appending(path: "root.cer")
        try Data(try TestSigning.identities.rootCertificate).write(to: root)
        let text = """
            {"url": "http://127.0.0.1:1", "controlToken": "t", "rootCertificate": "\(root.path)", "apps": [
              {"bundleId": "com.example.one", "appAppleId": 11, "sharedSecret": "s1"}]}
            """
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/ready.json"))
        let lint = try command("--ready-file", "\(folder)/ready.json")
        let error = try #require(await #expect(throws: CommandError.self) { try await lint.run() })
        #expect(error.description.contains("keeps its signing keys in memory"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: keys.path) == ["root.cer"])
    }

    @Test func `options come before the store's ready file`() throws {
        let subject = try command(
            "--app-apple-id", "33", "--shared-secret", "mine", "--notification-version", "1", "--environment",
            "Production"
        ).subject(in: ready())
        #expect(subject.appleID == 33 && subject.sharedSecret == "mine")
        #expect(subject.version == .one && subject.kind == .production)
        #expect(try command().subject(in: nil).bundleID.rawValue == "com.example.lint")
    }

    @Test(arguments: [
        ["--app-apple-id", "0"], ["--app-apple-id", "x"], ["--notification-version", "3"],
        ["--receipt-url", "receipts"], ["--status-url", "http://127.0.0.1/"],
    ])
    func `impossible options are refused`(words: [String]) {
        #expect(throws: (any Error).self) { try Words.parse(["notifications", "lint", Self.url] + words) }
    }

    static let answers: [(json: String, status: ReceiverStatus?)] = [
        (#"{"status": 4}"#, ReceiverStatus(status: 4)), (#"{"entitled": false}"#, ReceiverStatus(isEntitled: false)),
        (#"{"productId": "gold"}"#, ReceiverStatus(productID: "gold")),
        (#"{"expiresDate": 1769853600000}"#, ReceiverStatus(expires: Instant(seconds: 1_769_853_600))),
        (#"{"expiresDate": "1769853600000"}"#, ReceiverStatus(expires: Instant(seconds: 1_769_853_600))),
        (#"{"expiresDate": "2026-01-31T10:00:00Z"}"#, ReceiverStatus(expires: Instant(seconds: 1_769_853_600))),
        (#"{"environment": "PROD"}"#, ReceiverStatus(environment: "Production")),
        (#"{"environment": "Sandbox", "expiresDate": null}"#, ReceiverStatus(environment: "Sandbox")),
        ("{}", nil), (#"{"unknown": 1}"#, nil),
    ]

    @Test(arguments: answers.indices)
    func `an answer has any of the keys`(index: Int) throws {
        let (json, status) = Self.answers[index]
        #expect(try JSONDecoder().decode(ReceiverAnswer.self, from: Data(json.utf8)).status == status)
    }

    @Test(arguments: [
        #"{"status": "active"}"#, #"{"expiresDate": "tomorrow"}"#, #"{"expiresDate": true}"#, "[]", "7",
    ])
    func `an answer of another form is refused`(json: String) {
        #expect(throws: (any Error).self) { try JSONDecoder().decode(ReceiverAnswer.self, from: Data(json.utf8)) }
    }

    @Test func `the app's receipt is posted as JSON, and a refusal is reported`() async throws {
        let received = Mutex<[JSONValue]>([])
        let router = Router(context: BasicConnectionContext.self)
        router.post("receipts") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 16)
            let json = try JSONValue(body.readableBytesView)
            received.withLock { $0.append(json) }
            return Response(status: json["bundleId"] == "com.example.lint" ? .ok : .notFound)
        }
        try await RunningStore.serve(router) { url in
            try await Outbound.withClient { client in
                let receiver = ReceiverClient(
                    client: client, url: url, statusURL: nil, receiptURL: url + "/receipts", timeout: 5_000)
                var registration = ReceiverRegistration(
                    receiptData: "MIIB", bundleId: "com.example.lint", environment: "Sandbox",
                    originalTransactionId: "1", transactionId: "2")
                #expect(await receiver.register(registration) == nil)
                registration.bundleId = "another"
                #expect(await receiver.register(registration) == "UNSUCCESSFUL_HTTP_RESPONSE_CODE (404)")
            }
        }
        #expect(
            received.withLock { $0.first } == [
                "receipt-data": "MIIB", "bundleId": "com.example.lint", "environment": "Sandbox",
                "originalTransactionId": "1", "transactionId": "2",
            ])
    }
}
