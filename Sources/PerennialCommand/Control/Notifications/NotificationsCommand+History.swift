import ArgumentParser

extension NotificationsCommand {
    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List an app's notifications, newest first, with what became of them.",
            examples: ["notifications list com.example.magazine --limit 20"])

        @OptionGroup var app: AppArgument

        @Option(help: "How many.")
        var limit = 20

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<NotificationAnswers.List> = try await client.get(
                app.path("/history?limit=\(limit)"))
            return answer.report { list in
                guard !list.notifications.isEmpty else { return "no notifications" }
                return TextTable(
                    ["SIGNED", "TYPE", "SUBTYPE", "ATTEMPTS", "RESULT", "UUID"], list.notifications.map(\.cells)
                ).text
            }
        }
    }

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show one notification: every attempt, and what was posted.",
            examples: ["notifications show com.example.magazine 7e3fb204-8f9a-8b1d-9a43-6f0c1a2b3c4d"])

        @OptionGroup var app: AppArgument

        @Argument(help: "The notification.")
        var uuid: String

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<NotificationAnswers.Notification> = try await client.get(
                app.path("/history/\(uuid.percentEncoded)"))
            return answer.report(\.words)
        }
    }

    struct Resend: StoreCommand {
        static let configuration = CommandConfiguration(
            "resend", "Send a notification once more, under the same UUID.",
            examples: ["notifications resend com.example.magazine 7e3fb204-8f9a-8b1d-9a43-6f0c1a2b3c4d"])

        @OptionGroup var app: AppArgument

        @Argument(help: "The notification.")
        var uuid: String

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<NotificationAnswers.Named> = try await client.post(
                app.path("/history/\(uuid.percentEncoded)/resend"), NotificationAnswers.Nothing())
            return answer.report { "\($0.notificationUUID) is sent once more" }
        }
    }

    struct Test: StoreCommand {
        static let configuration = CommandConfiguration(
            "test", "Send a notification that shows whether the receiver is there.",
            examples: ["notifications test com.example.magazine"])

        @OptionGroup var app: AppArgument
        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<NotificationAnswers.Named> = try await client.post(
                app.path("/test"), NotificationAnswers.Nothing())
            return answer.report { "\($0.notificationUUID) is on its way" }
        }
    }

    struct Trouble: StoreCommand {
        static let configuration = CommandConfiguration(
            "trouble", "Have notifications doubled, delayed, reordered or lost on purpose.",
            "For testing a receiver. Without a rule, nothing goes wrong any more. The same seed hits the same notifications.",
            examples: [
                "notifications trouble com.example.magazine --duplicates 2 --percentage 30 --seed 7",
                "notifications trouble com.example.magazine --delay 60000 --reorder",
                "notifications trouble com.example.magazine",
            ])

        @OptionGroup var app: AppArgument

        @Option(help: "Which notifications are hit follows from it.")
        var seed: UInt64 = 1

        @Option(help: "Of 100 notifications, how many are hit.")
        var percentage: Int64 = 100

        @Option(help: "How many times more each is sent.")
        var duplicates: Int64 = 0

        @Option(help: ArgumentHelp("How long each is held back at most.", valueName: "milliseconds"))
        var delay: Int64 = 0

        @Flag(help: "Notifications of one subscription may overtake each other.")
        var reorder = false

        @Option(name: .customLong("drop-first"), help: "How many attempts of each get lost.")
        var dropFirst: Int64 = 0

        @Flag(help: "An old notification comes once more after the next one.")
        var stale = false

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let isNone = duplicates == 0 && delay == 0 && dropFirst == 0 && !reorder && !stale
            let body = isNone ? nil : self.body
            let answer: StoreAnswer<NotificationAnswers.Settings> =
                if let body {
                    try await client.put(app.path("/trouble"), body)
                } else {
                    try await client.delete(app.path("/trouble"))
                }
            return answer.report(\.words)
        }

        private var body: Body {
            Body(
                seed: seed, percentage: percentage, duplicates: duplicates, delayMilliseconds: delay,
                reorder: reorder, dropFirst: dropFirst, stale: stale)
        }

        private struct Body: Encodable {
            var seed: UInt64
            var percentage: Int64
            var duplicates: Int64
            var delayMilliseconds: Int64
            var reorder: Bool
            var dropFirst: Int64
            var stale: Bool
        }
    }
}
