import AppStoreFormats
import ArgumentParser
import Perennial

/// `perennial refunds create ID`: refunds a transaction.
struct CreateRefund: StoreCommand {
    static let configuration = CommandConfiguration(
        "create", "Refund a transaction, in full or in part.",
        examples: [
            "refunds create 2000000000000002",
            "refunds create 2000000000000002 --reason app-issue --percentage 50",
            "refunds create 2000000000000002 --period newest",
        ])

    /// The reason, which signed transactions have as a number.
    enum Reason: String, NamedArgument {
        case other, appIssue

        var number: Int64 {
            switch self {
            case .other: Transaction.Revocation.Reason.other.rawValue
            case .appIssue: Transaction.Revocation.Reason.issueWithApp.rawValue
            }
        }
    }

    /// The period of a subscription to refund.
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case first, newest
    }

    @Argument(help: "The transaction's number.")
    var id: TransactionID

    @Option(help: "The reason.")
    var reason = Reason.other

    @Option(help: ArgumentHelp("The share of the price, 1 to 100; all of it if omitted.", valueName: "percent"))
    var percentage: Int64?

    @Option(help: "The period to refund, if the number is that of a subscription with several.")
    var period: Choice?

    @OptionGroup var store: StoreOptions

    var names: StoreNames { StoreNames(things: [.transaction(id)]) }

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

    /// The refunded period in words; `nil` for the newest, unless a period was asked for.
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
