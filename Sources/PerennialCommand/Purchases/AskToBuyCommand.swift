import ArgumentParser

/// `perennial ask-to-buy`: purchases of children that need the approval of a parent.
struct AskToBuyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "ask-to-buy", "List the purchases that wait for a parent's approval, and answer them.",
        examples: ["ask-to-buy list", "ask-to-buy approve 1", "ask-to-buy decline 1"],
        subcommands: [List.self, Approve.self, Decline.self], defaultSubcommand: List.self)

    struct List: PendingPurchaseList {
        static let configuration = CommandConfiguration(
            "list", "List the purchases that wait for a parent's approval, oldest first.",
            examples: ["ask-to-buy list"])
        static let list = "approvals"
        static let none = "No purchase waits for approval"

        @OptionGroup var page: PageOptions
        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions
    }

    struct Approve: ListedApproval {
        static let configuration = CommandConfiguration(
            "approve", "Approve a purchase, which completes it.",
            "A request is good for a day; perennial ask-to-buy list shows the numbers.",
            examples: ["ask-to-buy approve 1"])
        static let action = "approve"

        @Argument(help: "The request's number.")
        var id: Int64

        @OptionGroup var store: StoreOptions
    }

    struct Decline: ListedApproval {
        static let configuration = CommandConfiguration(
            "decline", "Decline a purchase.", examples: ["ask-to-buy decline 1"])
        static let action = "decline"

        @Argument(help: "The request's number.")
        var id: Int64

        @OptionGroup var store: StoreOptions
    }
}

/// A command that answers a request for approval.
protocol ListedApproval: StoreCommand {
    static var action: String { get }
    var id: Int64 { get }
}

extension ListedApproval {
    var names: StoreNames { StoreNames(things: [.approval(id)]) }

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<CompletedPurchase> = try await client.post(
            "control/v1/approvals/\(id)/\(Self.action)", EmptyBody())
        return answer.report { answer in
            answer.transactionId.map { "\(id) is approved and bought: \($0)" } ?? "\(id) is answered: nothing is bought"
        }
    }
}

/// A command that lists purchases that wait for a person.
protocol PendingPurchaseList: StoreCommand {
    /// The name of the list in control/v1, and in its answer.
    static var list: String { get }
    /// The sentence for an empty list.
    static var none: String { get }
    var page: PageOptions { get }
    var app: AppOption { get }
}

extension PendingPurchaseList {
    var names: StoreNames { StoreNames(app: app.bundleID) }

    func report(from client: StoreClient) async throws -> Report {
        let query = page.query(["bundleId": try await client.app(app.bundleID)])
        let answer: StoreAnswer<PendingPurchases> = try await client.get("control/v1/\(Self.list)\(query)")
        return answer.report { answer in
            ListWords.text(
                ["ID", "ACCOUNT", "PRODUCT", "QUANTITY"],
                answer.purchases.map { [$0.id, $0.account, $0.productId, "\($0.quantity)"] }, next: answer.next,
                none: Self.none)
        }
    }
}

/// A page of purchases that wait for a person: approvals of parents, or interruptions.
private struct PendingPurchases: Decodable {
    struct Item: Decodable {
        var id: String
        var account: String
        var productId: String
        var quantity: Int
    }

    var approvals: [Item]?
    var interruptions: [Item]?
    var next: String?

    var purchases: [Item] { approvals ?? interruptions ?? [] }
}

/// The transaction of a pending purchase that was completed; none if it was declined.
struct CompletedPurchase: Decodable {
    var transactionId: String?
}
