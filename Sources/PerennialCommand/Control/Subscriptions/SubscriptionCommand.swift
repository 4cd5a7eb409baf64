import ArgumentParser
import Perennial

/// `perennial subscription ID`: how a subscription stands.
struct SubscriptionCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "subscription", "Show how a subscription stands.",
        examples: ["subscription 2000000000000002", "subscription 2000000000000002 --json"])

    @OptionGroup var subscription: SubscriptionArgument
    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<SubscriptionAnswer> = try await client.get(
            "control/v1/subscriptions/\(subscription.id)")
        return try answer.report { try SubscriptionStanding($0).table.text }
    }
}
