import ArgumentParser
import Perennial
import PerennialStore

extension NotificationsCommand {
    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List an app's notifications, newest first, with the results of sending.",
            examples: ["notifications list --limit 20", "notifications list --state failing --type DID_RENEW"])

        @OptionGroup var app: AppOption

        @Option(help: ArgumentHelp("Only this type, such as DID_RENEW.", valueName: "type"))
        var type: String?

        @Option(help: "Only notifications whose sending is in this state.")
        var state: SendingState?

        @Option(help: ArgumentHelp("Only those about this purchase or subscription.", valueName: "original-id"))
        var subject: TransactionID?

        @OptionGroup var page: PageOptions
        @OptionGroup var store: StoreOptions

        /// The types of both versions.
        private static let types = Swift.Set(
            DomainEvent.Kind.allCases.compactMap { $0.notification?.type } + NotificationV1.types
        ).sorted()

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let query = page.query([
                "type": type, "state": state?.rawValue, "originalTransactionId": subject?.description,
            ])
            let answer: StoreAnswer<NotificationAnswers.List> = try await client.get(
                try await app.notifications(client, "/history\(query)"))
            if let type, answer.value.notifications.isEmpty, !Self.types.contains(type) {
                throw StoreClientError(.refused, "typeUnknown", "no notification has the type \(type)")
                    .suggesting(NearMatches.of(type, in: Self.types))
            }
            return answer.report { list in
                ListWords.text(
                    ["SIGNED", "TYPE", "SUBTYPE", "STATE", "ATTEMPTS", "RESULT", "UUID"],
                    list.notifications.map(\.cells), next: list.next, none: "no notifications")
            }
        }
    }

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show a notification: its attempts, and the body that was posted, with its contents.",
            examples: ["notifications show 7e3fb204-8f9a-8b1d-9a43-6f0c1a2b3c4d"])

        @OptionGroup var notification: NotificationArguments
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: notification.bundleID, things: [.notification(notification.uuid)]) }
        var showsSignedData: Bool { true }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<NotificationAnswers.Notification> = try await client.get(
                try await notification.path(client))
            return answer.report(\.words)
        }
    }

    struct Resend: StoreCommand {
        static let configuration = CommandConfiguration(
            "resend", "Send a notification once more, under the same UUID.",
            examples: ["notifications resend 7e3fb204-8f9a-8b1d-9a43-6f0c1a2b3c4d"])

        @OptionGroup var notification: NotificationArguments
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: notification.bundleID, things: [.notification(notification.uuid)]) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<NotificationAnswers.Named> = try await client.post(
                try await notification.path(client, "/resend"), EmptyBody())
            return answer.report { "\($0.notificationUUID) is sent once more" }
        }
    }

    struct Test: StoreCommand {
        static let configuration = CommandConfiguration(
            "test", "Send a TEST notification to the receiver.",
            examples: ["notifications test"])

        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<NotificationAnswers.Named> = try await client.post(
                try await app.notifications(client, "/test"), EmptyBody())
            return answer.report { "\($0.notificationUUID) is on its way" }
        }
    }
}

/// A notification of an app.
struct NotificationArguments: ParsableArguments {
    /// Declared a second time, for the reason given at ``StoreOptions``.
    @Option(name: .customLong("app"), help: AppOption.help)
    var bundleID: String?

    @Argument(help: "The notification's UUID.")
    var uuid: String

    /// Returns the path of the notification in control/v1, or that of something below it.
    func path(_ client: StoreClient, _ rest: String = "") async throws -> String {
        let app = try await client.app(bundleID)
        return "control/v1/apps/\(app.percentEncoded)/notifications/history/\(uuid.percentEncoded)\(rest)"
    }
}
