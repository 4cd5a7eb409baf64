import AppStoreFormats
import ArgumentParser
import Perennial

/// A command about the refund of a transaction, which says how the transaction stands then.
protocol RefundAnswer: StoreCommand {
    associatedtype Body: Encodable

    static var action: String { get }
    /// What is done by it, in words.
    static var done: String { get }
    var id: TransactionID { get }
    var body: Body { get }
}

extension RefundAnswer {
    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<SignedAnswer> = try await client.post(
            "control/v1/transactions/\(id)/\(Self.action)", body)
        return try answer.report { answer in
            "\(id) \(try Signed.transaction(answer.signedTransaction).productId): \(Self.done)"
        }
    }
}

/// What control/v1 says of a transaction.
struct SignedAnswer: Decodable {
    var signedTransaction: String
}

/// `perennial request-refund ID`
struct RequestRefund: RefundAnswer {
    static let configuration = CommandConfiguration(
        "request-refund", "Ask for a refund as a customer: the seller is asked how much was used.",
        examples: ["request-refund 2000000000000002 --reason UNINTENDED_PURCHASE"])
    static let action = "request-refund"
    static let done = "a refund is asked for"

    struct Body: Encodable { var reason: String }

    @Argument(help: "The transaction's number.")
    var id: TransactionID

    @Option(help: "Why.")
    var reason = RefundRequestReason.other

    @OptionGroup var store: StoreOptions

    var body: Body { Body(reason: reason.rawValue) }
}

/// `perennial decline-refund ID`
struct DeclineRefund: RefundAnswer {
    static let configuration = CommandConfiguration(
        "decline-refund", "Decline a refund that a customer asked for.",
        examples: ["decline-refund 2000000000000002"])
    static let action = "decline-refund"
    static let done = "the refund is declined"

    @Argument(help: "The transaction's number.")
    var id: TransactionID

    @OptionGroup var store: StoreOptions

    var body: NoBody { NoBody() }
}

/// `perennial reverse-refund ID`
struct ReverseRefund: RefundAnswer {
    static let configuration = CommandConfiguration(
        "reverse-refund", "Undo a refund: access returns for as long as it was paid for.",
        examples: ["reverse-refund 2000000000000002"])
    static let action = "reverse-refund"
    static let done = "the refund is reversed"

    @Argument(help: "The transaction's number.")
    var id: TransactionID

    @OptionGroup var store: StoreOptions

    var body: NoBody { NoBody() }
}
