import ArgumentParser

extension NotificationsCommand {
    /// `perennial notifications faults`: the faults that are injected into an app's notifications.
    struct Faults: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "faults", "Show, set and remove the faults that are injected into an app's notifications.",
            "For testing a receiver: notifications are sent twice, late, out of order, or not at all.",
            examples: [
                "notifications faults set --duplicates 2 --percentage 30 --seed 7", "notifications faults remove",
            ],
            subcommands: [Show.self, Set.self, Remove.self], defaultSubcommand: Show.self)

        struct Show: StoreCommand {
            static let configuration = CommandConfiguration(
                "show", "Show the injected faults.", examples: ["notifications faults show"])

            @OptionGroup var app: AppOption
            @OptionGroup var store: StoreOptions

            var names: StoreNames { StoreNames(app: app.bundleID) }

            func report(from client: StoreClient) async throws -> Report {
                try await app.receiver(client).report { $0.faults?.words ?? "No faults are injected" }
            }
        }

        struct Set: StoreCommand {
            static let configuration = CommandConfiguration(
                "set", "Inject faults: notifications are sent twice, late, out of order, or not at all.",
                "What is left out stays as it is. The same seed hits the same notifications.",
                examples: [
                    "notifications faults set --duplicates 2 --percentage 30 --seed 7",
                    "notifications faults set --delay 60000 --reorder",
                ])

            @OptionGroup var app: AppOption

            @Option(help: ArgumentHelp("The seed that selects the notifications; 1 at first.", valueName: "number"))
            var seed: UInt64?

            @Option(
                help: ArgumentHelp("The share of notifications that are hit; 100 at first.", valueName: "percent"))
            var percentage: Int64?

            @Option(help: "Further sends of each notification.")
            var duplicates: Int64?

            @Option(help: ArgumentHelp("The longest delay.", valueName: "milliseconds"))
            var delay: Int64?

            @Flag(inversion: .prefixedNo, help: "Notifications of one subscription may overtake each other.")
            var reorder: Bool?

            @Option(name: .customLong("drop-first"), help: "The first attempts of each that are lost.")
            var dropFirst: Int64?

            @Flag(inversion: .prefixedNo, help: "Send an old notification again after the next one.")
            var stale: Bool?

            @OptionGroup var store: StoreOptions

            var names: StoreNames { StoreNames(app: app.bundleID) }

            func report(from client: StoreClient) async throws -> Report {
                let before = try await app.receiver(client)
                let answer: StoreAnswer<NotificationAnswers.Settings> = try await client.put(
                    try await app.notifications(client, "/faults"), faults(changing: before.value.faults))
                return answer.report(\.words)
            }

            private func faults(
                changing before: NotificationAnswers.Settings.Faults?
            ) -> NotificationAnswers.Settings.Faults {
                NotificationAnswers.Settings.Faults(
                    seed: seed ?? before?.seed ?? 1, percentage: percentage ?? before?.percentage ?? 100,
                    duplicates: duplicates ?? before?.duplicates ?? 0,
                    delayMilliseconds: delay ?? before?.delayMilliseconds ?? 0,
                    reorder: reorder ?? before?.reorder ?? false, dropFirst: dropFirst ?? before?.dropFirst ?? 0,
                    stale: stale ?? before?.stale ?? false)
            }
        }

        struct Remove: StoreCommand {
            static let configuration = CommandConfiguration(
                "remove", "End the injected faults.", examples: ["notifications faults remove"])

            @OptionGroup var app: AppOption
            @OptionGroup var store: StoreOptions

            var names: StoreNames { StoreNames(app: app.bundleID) }

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<NotificationAnswers.Settings> = try await client.delete(
                    try await app.notifications(client, "/faults"))
                return answer.report(\.words)
            }
        }
    }
}
