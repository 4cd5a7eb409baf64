import ArgumentParser
import Perennial

/// `perennial quarantine`: subscriptions whose due work fails.
struct QuarantineCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "quarantine", "List the subscriptions whose due work fails, and is left undone.",
        "Release one with: perennial release ID.", examples: ["quarantine", "quarantine --environment staging --json"])

    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<Answer> = try await client.get("control/v1/quarantine")
        return answer.report { answer in
            guard !answer.subscriptions.isEmpty else { return "No subscription is quarantined" }
            return TextTable(
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

/// `perennial release ID`
struct Release: StoreCommand {
    static let configuration = CommandConfiguration(
        "release", "Have a quarantined subscription's due work tried again.", examples: ["release 2000000000000002"])

    @OptionGroup var subscription: SubscriptionArgument
    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        try await client.post("control/v1/quarantine/\(subscription.id)/release")
        return Report(words: "\(subscription.id) is released: its work is tried again")
    }
}
