import AppStoreFormats
import ArgumentParser
import Perennial

/// `perennial refund ID`: gives money back.
struct RefundCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "refund", "Refund a transaction, in full or in part.",
        examples: [
            "refund 2000000000000002", "refund 2000000000000002 --reason app-issue --percentage 50",
            "refund 2000000000000001 --period newest",
        ])

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

    /// Which period of a subscription is meant, where its number is given.
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case first, newest
    }

    @Argument(help: "The transaction's number.")
    var id: TransactionID

    @Option(help: "Why.")
    var reason = Reason.other

    @Option(help: ArgumentHelp("How much of the price, 1 to 100; all of it where left out.", valueName: "percent"))
    var percentage: Int64?

    @Option(help: "Which period, where the number is that of a subscription with several.")
    var period: Choice?

    @OptionGroup var store: StoreOptions

    func validate() throws {
        if let percentage, !(1...100).contains(percentage) { throw ValidationError("--percentage is 1 to 100.") }
    }

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<Answer> = try await client.post(
            "control/v1/transactions/\(id)/refund",
            Body(reason: reason.number, percentage: percentage, period: meant.rawValue))
        return try answer.report { refunded in
            let transaction = try Signed.transaction(refunded.signedTransaction)
            let share = percentage.map { ", \($0) % of" } ?? ","
            return
                "\(refunded.transactionId) is refunded: \(transaction.productId)\(share) "
                + (transaction.money?.description ?? "its price")
                + (transaction.revocationDate.map { ", at \($0.rfc3339)" } ?? "") + (periodWords(refunded.period) ?? "")
        }
    }

    /// Which period it was, where that isn't the newest of which the number was given.
    private func periodWords(_ refunded: Answer.Period?) -> String? {
        guard let refunded, !refunded.isNewest || period != nil else { return nil }
        let span = refunded.ends.map { "\(refunded.begins) to \($0)" } ?? "from \(refunded.begins)"
        return "\nThe period \(span)" + (refunded.isNewest ? "" : "; the newest is \(refunded.newestTransactionId)")
    }

    private var meant: RefundedPeriod {
        switch period {
        case nil: .unambiguous
        case .first: .named
        case .newest: .newest
        }
    }

    private struct Body: Encodable {
        var reason: Int64
        var percentage: Int64?
        var period: String
    }

    private struct Answer: Decodable {
        struct Period: Decodable {
            var begins: String
            var ends: String?
            var isNewest: Bool
            var newestTransactionId: String
        }

        var transactionId: String
        var signedTransaction: String
        var period: Period?
    }
}
