import ArgumentParser

/// `perennial notifications`: server notifications of an app.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "notifications", "Send an app's server notifications somewhere, and see what became of them.",
        examples: [
            "notifications set com.example.magazine http://127.0.0.1:9000/app-store",
            "notifications list com.example.magazine",
        ],
        subcommands: [
            Set.self, Remove.self, Settings.self, List.self, Show.self, Resend.self, Test.self, Trouble.self,
        ])

    /// Which app.
    struct AppArgument: ParsableArguments {
        @Argument(help: ArgumentHelp("The app.", valueName: "bundle-id"))
        var bundleID: String

        func path(_ rest: String = "") -> String {
            "control/v1/apps/\(bundleID.percentEncoded)/notifications\(rest)"
        }
    }

    struct Set: StoreCommand {
        static let configuration = CommandConfiguration(
            "set", "Send an app's notifications to a URL, from what happens next on.",
            examples: [
                "notifications set com.example.magazine http://127.0.0.1:9000/app-store",
                "notifications set com.example.magazine https://example.com/hook --retries full --environment staging",
            ])

        @OptionGroup var app: AppArgument

        @Argument(help: ArgumentHelp("Where the app's server takes them.", valueName: "to"))
        var target: String

        @Option(help: "2, or 1 for receivers from before 2021.")
        var version: Int64 = 2

        @Option(help: "app-store, full (also in Sandbox) or none.")
        var retries: Retries = .appStore

        @Option(help: ArgumentHelp("How long the receiver may take for its answer.", valueName: "milliseconds"))
        var timeout: Int64?

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<NotificationAnswers.Settings> = try await client.put(
                app.path(),
                Body(url: target, version: version, retries: retries.rawValue, timeoutMilliseconds: timeout))
            return answer.report(\.words)
        }

        enum Retries: String, ExpressibleByArgument, CaseIterable {
            case appStore = "app-store"
            case full, none
        }

        private struct Body: Encodable {
            var url: String
            var version: Int64
            var retries: String
            var timeoutMilliseconds: Int64?
        }
    }

    struct Remove: StoreCommand {
        static let configuration = CommandConfiguration(
            "remove", "Send an app's notifications nowhere any more.",
            examples: ["notifications remove com.example.magazine"])

        @OptionGroup var app: AppArgument
        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            try await client.delete(app.path())
            return Report(words: "\(app.bundleID) gets no more notifications")
        }
    }

    struct Settings: StoreCommand {
        static let configuration = CommandConfiguration(
            "settings", "Show where an app's notifications go.",
            examples: ["notifications settings com.example.magazine"])

        @OptionGroup var app: AppArgument
        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<NotificationAnswers.Settings> = try await client.get(app.path())
            return answer.report(\.words)
        }
    }
}
