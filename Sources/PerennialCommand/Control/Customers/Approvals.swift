import ArgumentParser

/// `perennial approvals`: purchases of children that wait for a parent (Ask to Buy).
struct Approvals: StoreCommand {
    static let configuration = CommandConfiguration(
        "approvals", "List the purchases that wait for a parent's approval.",
        examples: ["approvals --app com.example.magazine"])

    @Option(help: ArgumentHelp("The app's bundle ID.", valueName: "bundle-id"))
    var app: String

    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<Answer> = try await client.get(
            "control/v1/approvals?bundleId=\(app.percentEncoded)")
        return answer.report { answer in
            guard !answer.approvals.isEmpty else { return "Nothing waits for approval" }
            return TextTable(
                ["ID", "ACCOUNT", "PRODUCT", "QUANTITY"],
                answer.approvals.map { [$0.id, $0.account, $0.productId, "\($0.quantity)"] }
            ).text
        }
    }

    private struct Answer: Decodable {
        struct Item: Decodable {
            var id: String
            var account: String
            var productId: String
            var quantity: Int
        }

        var approvals: [Item]
    }
}

/// A command that answers such a purchase for the parent.
protocol ApprovalAnswer: StoreCommand {
    static var action: String { get }
    var id: Int64 { get }
}

extension ApprovalAnswer {
    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<ApprovedPurchase> = try await client.post(
            "control/v1/approvals/\(id)/\(Self.action)", NoBody())
        return answer.report { answer in
            answer.transactionId.map { "\(id) is approved and bought: \($0)" } ?? "\(id) is answered: nothing is bought"
        }
    }
}

/// What came of an answer.
struct ApprovedPurchase: Decodable {
    var transactionId: String?
}

/// `perennial approve ID`
struct Approve: ApprovalAnswer {
    static let configuration = CommandConfiguration(
        "approve", "Approve a purchase that waits for a parent.",
        "It is bought then, as long as the request is less than a day old; perennial approvals lists the numbers.",
        examples: ["approve 1"])
    static let action = "approve"

    @Argument(help: "The request's number.")
    var id: Int64

    @OptionGroup var store: StoreOptions
}

/// `perennial decline ID`
struct Decline: ApprovalAnswer {
    static let configuration = CommandConfiguration(
        "decline", "Decline a purchase that waits for a parent.", examples: ["decline 1"])
    static let action = "decline"

    @Argument(help: "The request's number.")
    var id: Int64

    @OptionGroup var store: StoreOptions
}
