import AppStoreFormats
import ArgumentParser
import Perennial

/// `perennial refund ID`: gives money back.
struct RefundCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "refund", "Refund a transaction, in full or in part.",
        examples: ["refund 2000000000000002", "refund 2000000000000002 --reason app-issue --percentage 50"])

    /// Why, as signed transactions number it.
    enum Reason: String, ExpressibleByArgument, CaseIterable {
        case other
        case appIssue = "app-issue"

        var number: Int64 {
            switch self {
            case .other: Transaction.Revocation.Reason.other.rawValue
            case .appIssue: Transaction.Revocation.Reason.issueWithApp.rawValue
            }
        }
    }

    @Argument(help: "The transaction's number.")
    var id: TransactionID

    @Option(help: "Why.")
    var reason = Reason.other

    @Option(help: ArgumentHelp("How much of the price, 1 to 100; all of it where left out.", valueName: "percent"))
    var percentage: Int64?

    @OptionGroup var store: StoreOptions

    func validate() throws {
        if let percentage, !(1...100).contains(percentage) { throw ValidationError("--percentage is 1 to 100.") }
    }

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<Answer> = try await client.post(
            "control/v1/transactions/\(id)/refund", Body(reason: reason.number, percentage: percentage))
        return try answer.report { refunded in
            let transaction = try Signed.transaction(refunded.signedTransaction)
            let share = percentage.map { ", \($0) % of" } ?? ","
            return
                "\(id) is refunded: \(transaction.productId)\(share) \(transaction.money?.description ?? "its price")"
                + (transaction.revocationDate.map { ", at \($0.rfc3339)" } ?? "")
        }
    }

    private struct Body: Encodable {
        var reason: Int64
        var percentage: Int64?
    }

    private struct Answer: Decodable {
        var signedTransaction: String
    }
}
