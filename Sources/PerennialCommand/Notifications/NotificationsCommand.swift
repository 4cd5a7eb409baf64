import ArgumentParser

/// `perennial notifications`: the server notifications of an app.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "notifications", "Set the receiver of an app's server notifications, list them, and test the receiver.",
        examples: [
            "notifications set http://127.0.0.1:9000/app-store",
            "notifications list",
        ],
        subcommands: [
            Set.self, Remove.self, Settings.self, List.self, Show.self, Resend.self, Test.self, Faults.self,
            Lint.self,
        ])

    struct Set: StoreCommand {
        static let configuration = CommandConfiguration(
            "set", "Send an app's notifications to a URL, from the next event on.",
            examples: [
                "notifications set http://127.0.0.1:9000/app-store",
                "notifications set https://example.com/hook --retries full --environment staging",
            ])

        @OptionGroup var app: AppOption

        @Argument(help: ArgumentHelp("The URL of the app's server.", valueName: "receiver"))
        var target: String

        @Option(
            name: .customLong("notification-version"),
            help: ArgumentHelp("2, or 1 for receivers from before 2021.", valueName: "version"))
        var version: Int64 = 2

        @Option(help: "app-store, full (also in Sandbox) or none.")
        var retries: Retries = .appStore

        @Option(help: ArgumentHelp("The limit for the receiver's answer.", valueName: "milliseconds"))
        var timeout: Int64?

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<NotificationAnswers.Settings> = try await client.put(
                try await app.notifications(client),
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

    struct Remove: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "remove", "Stop sending an app's notifications.",
            examples: ["notifications remove"])

        @OptionGroup var app: AppOption
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        var question: String {
            "Remove the receiver of \(app.bundleID ?? "the app")'s notifications? Waiting ones aren't sent any more."
        }

        func report(from client: StoreClient) async throws -> Report {
            try await client.delete(try await app.notifications(client))
            return Report(words: "The app gets no more notifications")
        }
    }

    struct Settings: StoreCommand {
        static let configuration = CommandConfiguration(
            "settings", "Show the receiver of an app's notifications.",
            examples: ["notifications settings"])

        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<NotificationAnswers.Settings> = try await client.get(
                try await app.notifications(client))
            return answer.report(\.words)
        }
    }
}

extension AppOption {
    /// Returns the path of the app's notifications in control/v1, or that of something below it.
    func notifications(_ client: StoreClient, _ rest: String = "") async throws -> String {
        try await path(client, "/notifications\(rest)")
    }
}
