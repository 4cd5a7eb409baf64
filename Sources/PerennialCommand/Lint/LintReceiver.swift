import AppStoreFormats
import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Perennial
import PerennialHTTP
import PerennialSimulation
import PerennialStore

/// `perennial lint-receiver`: every unpleasant order of notifications against a seller's server.
struct LintReceiver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "lint-receiver", "Play every legal but nasty ordering of a subscription's life against a server.",
        """
        Notifications come twice, late, backwards and after newer ones, as they may from the App Store. After each sequence \
        the server is asked what it believes: --status-url names a URL in which {id} stands for the original transaction ID, \
        and which answers a JSON object with any of "status" (1 active, 2 expired, 3 billing retry, 4 grace period, \
        5 revoked), "entitled" (true or false) and "productId". A wrong answer ends it with exit code 1 and the shortest \
        sequence that shows it. Notifications are signed with the keys of --data: the server trusts keys/root.cer there.
        """,
        examples: [
            "lint-receiver --url http://127.0.0.1:9000/app-store --status-url http://127.0.0.1:9000/subscriptions/{id}"
        ])

    static let placeholder = "{id}"

    @Option(help: ArgumentHelp("Where the server takes notifications.", valueName: "url"))
    var url: String

    @Option(name: .customLong("status-url"), help: ArgumentHelp("Where it says what it believes.", valueName: "url"))
    var statusURL: String?

    @Option(help: ArgumentHelp("The folder with the keys of perennial serve.", valueName: "folder"))
    var data = "perennial-data"

    @Option(name: .customLong("bundle-id"), help: "The app in the notifications.")
    var bundleID = "com.example.lint"

    @Option(help: ArgumentHelp("Sandbox or Production: what the notifications say.", valueName: "kind"))
    var environment: StoreEnvironment.Kind = .sandbox

    @Option(help: "Random orders of each life, besides those that are always played.")
    var shuffles = 5

    @Option(help: "What the random orders follow from.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("How long the server may take for an answer.", valueName: "milliseconds"))
    var timeout: Int64 = 10_000

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw ValidationError("--url begins with http:// or https://.")
        }
        if let statusURL, !statusURL.contains(Self.placeholder) {
            throw ValidationError("--status-url has \(Self.placeholder) where the original transaction ID belongs.")
        }
        guard (0...1000).contains(shuffles) else { throw ValidationError("--shuffles is 0 to 1000.") }
        guard NotificationTerms.timeouts.contains(timeout) else {
            throw ValidationError("--timeout is 1 to \(NotificationTerms.timeouts.upperBound) milliseconds.")
        }
    }

    func run() async throws {
        let identities = try SigningIdentities.loadOrMake(in: URL(fileURLWithPath: data + "/keys"))
        let signing = try Signing(identities)
        let bar = ProgressBar(isQuiet: json)
        var outcome = ReceiverLint.Outcome()
        try await Outbound.withClient { client in
            let receiver = ReceiverClient(client: client, url: url, statusURL: statusURL, timeout: timeout)
            let lint = try await ReceiverLint(
                receiver, checksStatus: statusURL != nil, bundleID: App.BundleID(rawValue: bundleID),
                kind: environment, signing: signing, seed: seed, wallClock: WallClock.now)
            outcome = try await lint.run(ReceiverLint.Plan(shuffles: shuffles, seed: seed)) { life, order in
                bar.say("a subscription that \(life.name), \(order.name)")
            }
        }
        bar.clear()
        let report = LintReport(outcome, seed: seed, checksStatus: statusURL != nil)
        Terminal.out(json ? try report.json : report.words)
        if outcome.failure != nil { throw ExitCode.failure }
    }
}

/// A seller's server over HTTP.
struct ReceiverClient: ReceiverUnderTest {
    private static let maximumAnswerBytes = 65_536

    let client: HTTPClient
    let url: String
    let statusURL: String?
    let timeout: Int64

    func post(_ body: [UInt8]) async -> String? {
        let outcome = await NotificationClient(client: client).post(body, to: url, timeout: timeout)
        guard outcome.result != .success else { return nil }
        return outcome.result.rawValue + (outcome.httpStatus.map { " (\($0))" } ?? "")
    }

    func status(of originalTransactionID: String) async throws -> ReceiverStatus {
        let target = (statusURL ?? "").replacing(LintReceiver.placeholder, with: originalTransactionID)
        let response: HTTPClientResponse
        do {
            response = try await client.execute(HTTPClientRequest(url: target), timeout: .milliseconds(timeout))
        } catch {
            throw CommandError("\(target) does not answer")
        }
        guard response.status == .ok else { throw CommandError("\(target) answers \(response.status.code)") }
        let bytes = try await response.body.collect(upTo: Self.maximumAnswerBytes)
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(bytes.readableBytesView)) else {
            throw CommandError("\(target) answers no JSON object with status, entitled or productId")
        }
        guard answer.status != nil || answer.entitled != nil || answer.productId != nil else {
            throw CommandError("\(target) says none of status, entitled and productId")
        }
        return ReceiverStatus(status: answer.status, isEntitled: answer.entitled, productID: answer.productId)
    }

    private struct Answer: Decodable {
        var status: Int64?
        var entitled: Bool?
        var productId: String?
    }
}
