import AppStoreFormats
import ArgumentParser
import AsyncHTTPClient
import Foundation
import Perennial
import PerennialHTTP
import PerennialSimulation
import PerennialStore

extension NotificationsCommand {
    /// `perennial notifications lint URL`: plays every legal order of notifications against a seller's server.
    struct Lint: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "lint", "Play every legal but difficult order of a subscription's notifications against a server.",
            """
            Notifications come twice, late, backwards and after newer ones, as they may from the App Store. After each sequence \
            the server is asked for its state: --status-url names a URL in which {id} stands for the original transaction ID, \
            and which answers a JSON object with any of "status" (1 active, 2 expired, 3 billing retry, 4 grace period, \
            5 revoked), "entitled" (true or false), "productId", "expiresDate" (milliseconds, or RFC 3339) and "environment". \
            A wrong answer ends the command with exit code 1 and the shortest sequence that shows it; with --keep-going the other \
            subscriptions are played, too. Notifications are signed with the keys of --data, or of the store of --ready-file, or of the \
            store that runs here: the server trusts keys/root.cer there.
            """,
            examples: [
                "notifications lint http://127.0.0.1:9000/app-store --status-url http://127.0.0.1:9000/subscriptions/{id}",
                "notifications lint http://127.0.0.1:9000/app-store --ready-file ready.json --environment Production",
            ])

        static let placeholder = "{id}"
        private static let usualData = "perennial-data"
        private static let usualBundleID = "com.example.lint"

        @Argument(help: ArgumentHelp("The URL to which the server's notifications are posted.", valueName: "receiver"))
        var url: String

        @Option(
            name: .customLong("status-url"),
            help: ArgumentHelp("The URL of the server's state of a subscription.", valueName: "url"))
        var statusURL: String?

        @Option(
            name: .customLong("receipt-url"),
            help: ArgumentHelp(
                "The URL to which the app sends its receipt; each subscription begins with a POST of it.",
                valueName: "url"))
        var receiptURL: String?

        @Option(
            name: .customLong("ready-file"),
            help: ArgumentHelp(
                "The ready file of a store: its keys, and its app with number and shared secret.", valueName: "file"),
            completion: .file())
        var readyFile: String?

        @Option(
            help: ArgumentHelp(
                "The folder with the keys of perennial serve; \(usualData) without a store.", valueName: "folder"))
        var data: String?

        @Option(
            name: .customLong("app"),
            help: ArgumentHelp(
                "The app in the notifications; the store's first, or \(usualBundleID) without a store.",
                valueName: "bundle-id"))
        var bundleID: String?

        @Option(
            name: .customLong("app-apple-id"),
            help: ArgumentHelp(
                "The app's number, which verifiers of Production compare; that of the store's app if omitted.",
                valueName: "number"))
        var appAppleID: Int64?

        @Option(help: ArgumentHelp("The environment in the notifications: Sandbox or Production.", valueName: "kind"))
        var environment: StoreEnvironment.Kind = .sandbox

        @Option(
            name: .customLong("notification-version"),
            help: ArgumentHelp("2, or 1 for a server from before 2021.", valueName: "version"))
        var version: Int64 = 2

        @Option(
            name: .customLong("shared-secret"),
            help: ArgumentHelp(
                "The password in version 1; that of the store's app if omitted.", valueName: "secret"))
        var sharedSecret: String?

        @Option(help: "Random orders of each subscription, besides those that are always played.")
        var shuffles = 5

        @Option(help: ArgumentHelp("The seed of the random orders.", valueName: "number"))
        var seed: UInt64 = 1

        @Option(help: ArgumentHelp("The limit for the server's answers.", valueName: "milliseconds"))
        var timeout: Int64 = 10_000

        @Flag(
            name: .customLong("keep-going"),
            help: "Go on after a wrong answer with the other subscriptions, and show the errors of each.")
        var keepGoing = false

        @Flag(help: "Print the result as JSON.")
        var json = false

        func validate() throws {
            for (option, url) in [("The receiver", url), ("--receipt-url", receiptURL)] {
                guard let url, !NotificationTerms.isURL(url) else { continue }
                throw ValidationError("\(option) is \(NotificationTerms.urlRule).")
            }
            guard appAppleID.map({ $0 > 0 }) ?? true else { throw ValidationError("--app-apple-id is above 0.") }
            guard NotificationTerms.Version(rawValue: version) != nil else {
                throw ValidationError("--notification-version is 1 or 2.")
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
            let ready = try ready()
            let subject = try subject(in: ready)
            let folder = keys(of: ready)
            // New keys beside a running store would be trusted by no receiver.
            guard ready == nil || data != nil || SigningFolder.holdsKeys(folder) else {
                throw CommandError(
                    "the store keeps its signing keys in memory: start it with --data, or name keys with --data")
            }
            let identities = try SigningIdentities.loadOrMake(in: folder)
            let signing = Signing(identities)
            let bar = ProgressBar(isQuiet: json)
            var outcome = ReceiverLint.Outcome()
            try await Outbound.withClient { client in
                let receiver = ReceiverClient(
                    client: client, url: url, statusURL: statusURL, receiptURL: receiptURL ?? "", timeout: timeout)
                let lint = try await ReceiverLint(
                    receiver, checksStatus: statusURL != nil, sendsReceipts: receiptURL != nil, of: subject,
                    signing: signing, seed: seed, wallClock: WallClock.now)
                let plan = ReceiverLint.Plan(shuffles: shuffles, seed: seed, keepsGoing: keepGoing)
                outcome = try await lint.run(plan) { life, order in
                    bar.say("a subscription that \(life.name), \(order.name)")
                }
            }
            bar.clear()
            let report = LintReport(outcome, seed: seed, checksStatus: statusURL != nil)
            Terminal.out(json ? try report.json : report.words)
            if outcome.failure != nil { throw ExitCode.failure }
        }

        /// The store of the ready file, or the one that runs here if no folder is named.
        ///
        /// - Throws: ``StoreClientError`` `.notReady`, `.ambiguous`.
        private func ready() throws -> ReadyStore? {
            if let readyFile { return try ReadyStore(file: readyFile) }
            guard data == nil else { return nil }
            do {
                return try ReadyStore(file: ReadyStore.file())
            } catch let error as StoreClientError where error.code == .noStore {
                return nil
            }
        }

        /// The app in the notifications. Options come before the store.
        ///
        /// - Throws: ``CommandError`` if the store doesn't have the app, or if version 1 lacks its secret.
        func subject(in ready: ReadyStore?) throws -> ReceiverLint.Subject {
            let app = ready?.apps.first { bundleID == nil || $0.bundleId == bundleID }
            guard ready == nil || app != nil else {
                throw CommandError(
                    "the store has no app \(bundleID ?? "yet: start it with --storekit FILE or --catalog FILE")")
            }
            guard version != NotificationTerms.Version.one.rawValue || sharedSecret ?? app?.sharedSecret != nil else {
                throw CommandError(
                    "version 1 has the app's secret as its password: say --shared-secret or --ready-file")
            }
            return ReceiverLint.Subject(
                bundleID: App.BundleID(rawValue: bundleID ?? app?.bundleId ?? Self.usualBundleID), kind: environment,
                appleID: appAppleID ?? app?.appAppleId, version: NotificationTerms.Version(rawValue: version) ?? .two,
                sharedSecret: sharedSecret ?? app?.sharedSecret)
        }

        /// The folder with the keys that the store of a ready file signs with.
        private func keys(of ready: ReadyStore?) -> URL {
            if data == nil, let root = ready?.rootCertificate {
                return URL(fileURLWithPath: root).deletingLastPathComponent()
            }
            return URL(fileURLWithPath: (data ?? Self.usualData) + "/keys")
        }
    }
}
