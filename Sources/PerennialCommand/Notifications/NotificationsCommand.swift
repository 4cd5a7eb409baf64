import ArgumentParser

/// `perennial notifications`: the server notifications of an app.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "notifications", "Set the receiver of an app's server notifications, list them, and test the receiver.",
        examples: [
            "notifications receiver set http://127.0.0.1:9000/app-store",
            "notifications list",
        ],
        subcommands: [
            Receiver.self, List.self, Show.self, Resend.self, Test.self, Faults.self, Lint.self,
        ])
}

extension AppOption {
    /// Returns the path of the app's notifications in control/v1, or that of something below it.
    func notifications(_ client: StoreClient, _ rest: String = "") async throws -> String {
        try await path(client, "/notifications\(rest)")
    }

    /// Returns the receiver of the app's notifications, with the injected faults.
    func receiver(_ client: StoreClient) async throws -> StoreAnswer<NotificationAnswers.Settings> {
        try await client.get(try await notifications(client))
    }
}
