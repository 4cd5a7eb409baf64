import ArgumentParser
import Perennial

/// `perennial quarantine`: subscriptions whose renewal fails with an error.
struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "quarantine", "List and release the subscriptions whose renewal fails with an error.",
        examples: ["quarantine list", "quarantine release 2000000000000002"],
        subcommands: [List.self, Release.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the subscriptions whose renewal fails with an error and is no longer tried.",
            examples: ["quarantine list", "quarantine list --environment staging --json"])

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.get("control/v1/quarantine")
            return answer.report { answer in
                guard !answer.subscriptions.isEmpty else { return "No subscription is quarantined" }
                return TerminalTable(
                    ["ID", "APP", "SINCE", "REASON"],
                    answer.subscriptions.map { [$0.originalTransactionId, $0.bundleId, $0.since, $0.reason] }
                ).text
            }
        }

        private struct Answer: Decodable {
            struct Item: Decodable {
                var originalTransactionId: String
                var bundleId: String
                var since: String
                var reason: String
            }

            var subscriptions: [Item]
        }
    }

    struct Release: StoreCommand {
        static let configuration = CommandConfiguration(
            "release", "Try the renewal of a quarantined subscription again.",
            examples: ["quarantine release 2000000000000002"])

        @OptionGroup var subscription: SubscriptionArgument
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(things: [.quarantined(subscription.id)]) }

        func report(from client: StoreClient) async throws -> Report {
            try await client.post("control/v1/quarantine/\(subscription.id)/release")
            return Report(words: "\(subscription.id) is released: its renewal is tried again")
        }
    }
}
