import AppStoreFormats
import ArgumentParser
import Perennial

/// `perennial refunds`: refunds of transactions.
struct RefundsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "refunds", "List refunds, refund transactions, and answer customers who ask for a refund.",
        examples: [
            "refunds list", "refunds create 2000000000000002", "refunds request 2000000000000002",
            "refunds decline 2000000000000002",
            "refunds reverse 2000000000000002",
        ],
        subcommands: [RefundList.self, CreateRefund.self, RequestRefund.self, DeclineRefund.self, ReverseRefund.self],
        defaultSubcommand: RefundList.self)
}

/// A command about the refund of a transaction; its answer is the transaction.
protocol RefundAnswer: StoreCommand {
    associatedtype Body: Encodable

    static var action: String { get }
    /// The effect, in words.
    static var done: String { get }
    var id: TransactionID { get }
    var body: Body { get }
}

extension RefundAnswer {
    var names: StoreNames { StoreNames(things: [.transaction(id)]) }

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<SignedAnswer> = try await client.post(
            "control/v1/transactions/\(id)/\(Self.action)", body)
        return try answer.report { answer in
            "\(id) \(try Signed.transaction(answer.signedTransaction).productId): \(Self.done)"
        }
    }
}

/// A transaction in control/v1.
struct SignedAnswer: Decodable {
    var signedTransaction: String
}

/// `perennial refunds request ID`
struct RequestRefund: RefundAnswer {
    static let configuration = CommandConfiguration(
        "request", "Ask for a refund as a customer: the seller is asked about the consumption.",
        examples: ["refunds request 2000000000000002 --reason unintended-purchase"])
    static let action = "request-refund"
    static let done = "a refund is asked for"

    struct Body: Encodable { var reason: String }

    @Argument(help: "The transaction's number.")
    var id: TransactionID

    @Option(help: "The reason; other if omitted.")
    var reason: RefundRequestReason?

    @OptionGroup var store: StoreOptions

    var body: Body { Body(reason: (reason ?? .other).rawValue) }
}

/// `perennial refunds decline ID`
struct DeclineRefund: RefundAnswer {
    static let configuration = CommandConfiguration(
        "decline", "Decline a refund that a customer asked for.",
        examples: ["refunds decline 2000000000000002"])
    static let action = "decline-refund"
    static let done = "the refund is declined"

    @Argument(help: "The transaction's number.")
    var id: TransactionID

    @OptionGroup var store: StoreOptions

    var body: EmptyBody { EmptyBody() }
}

/// `perennial refunds reverse ID`
struct ReverseRefund: RefundAnswer {
    static let configuration = CommandConfiguration(
        "reverse", "Reverse a refund: access returns for the rest of the time that was paid for.",
        examples: ["refunds reverse 2000000000000002"])
    static let action = "reverse-refund"
    static let done = "the refund is reversed"

    @Argument(help: "The transaction's number.")
    var id: TransactionID

    @OptionGroup var store: StoreOptions

    var body: EmptyBody { EmptyBody() }
}
