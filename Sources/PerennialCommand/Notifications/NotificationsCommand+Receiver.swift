import ArgumentParser

extension NotificationsCommand {
    /// `perennial notifications receiver`: the server that an app's notifications are sent to.
    struct Receiver: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "receiver", "Show, set and remove the receiver of an app's notifications.",
            examples: ["notifications receiver show", "notifications receiver set http://127.0.0.1:9000/app-store"],
            subcommands: [Show.self, Set.self, Remove.self], defaultSubcommand: Show.self)

        struct Show: StoreCommand {
            static let configuration = CommandConfiguration(
                "show", "Show the receiver of an app's notifications.",
                examples: ["notifications receiver show"])

            @OptionGroup var app: AppOption
            @OptionGroup var store: StoreOptions

            var names: StoreNames { StoreNames(app: app.bundleID) }

            func report(from client: StoreClient) async throws -> Report {
                try await app.receiver(client).report(\.words)
            }
        }

        struct Set: StoreCommand {
            static let configuration = CommandConfiguration(
                "set", "Send an app's notifications to a URL, from the next event on.",
                "What is left out stays as it is. A first receiver gets version 2, and as many retries as Apple's.",
                examples: [
                    "notifications receiver set http://127.0.0.1:9000/app-store",
                    "notifications receiver set https://example.com/hook --retries full --environment staging",
                    "notifications receiver set --timeout 5000",
                ])

            @OptionGroup var app: AppOption

            @Argument(help: ArgumentHelp("The URL of the app's server.", valueName: "receiver"))
            var target: String?

            @Option(
                name: .customLong("notification-version"),
                help: ArgumentHelp("2, or 1 for receivers from before 2021.", valueName: "version"))
            var version: Int64?

            @Option(help: "app-store, full (also in Sandbox) or none.")
            var retries: Retries?

            @Option(help: ArgumentHelp("The limit for the receiver's answer.", valueName: "milliseconds"))
            var timeout: Int64?

            @OptionGroup var store: StoreOptions

            var names: StoreNames { StoreNames(app: app.bundleID) }

            func report(from client: StoreClient) async throws -> Report {
                let path = try await app.notifications(client)
                let before = try await settings(at: path, client)
                guard let url = target ?? before?.url else {
                    throw ValidationError("The app has no receiver yet: name its URL.")
                }
                let answer: StoreAnswer<NotificationAnswers.Settings> = try await client.put(
                    path,
                    Body(
                        url: url, version: version ?? before?.version, retries: retries?.rawValue ?? before?.retries,
                        timeoutMilliseconds: timeout ?? before?.timeoutMilliseconds))
                return answer.report(\.words)
            }

            /// Returns the settings that an app has; `nil` for one without a receiver.
            private func settings(
                at path: String, _ client: StoreClient
            ) async throws -> NotificationAnswers.Settings? {
                do {
                    let answer: StoreAnswer<NotificationAnswers.Settings> = try await client.get(path)
                    return answer.value
                } catch let error as StoreClientError where error.subject == "notificationURLNotFound" {
                    return nil
                }
            }

            enum Retries: String, ExpressibleByArgument, CaseIterable {
                case appStore = "app-store"
                case full, none
            }

            private struct Body: Encodable {
                var url: String
                var version: Int64?
                var retries: String?
                var timeoutMilliseconds: Int64?
            }
        }

        struct Remove: DestructiveCommand {
            static let configuration = CommandConfiguration(
                "remove", "Stop sending an app's notifications.",
                examples: ["notifications receiver remove"])

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
    }
}
