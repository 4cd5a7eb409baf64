import HTTPTypes
import Perennial
import PerennialStore

/// control/v1/apps/BUNDLE_ID/journal: the events of commerce with their money.
struct JournalRoutes {
    struct JournalAnswer: AnswerModel {
        struct Line: Model, Encodable {
            var account: String
            var amount: Int64
            var currency: String

            static let constraints: [String: Constraint] = ["amount": .milliunits]
        }

        struct Grant: Model, Encodable {
            var actor: String
            var reason: String?

            static let constraints: [String: Constraint] = [
                "actor": .described("user:EMAIL, control or command-line:NAME")
            ]
        }

        struct Item: Model, Encodable {
            var position: Int64
            var kind: String
            var at: String
            /// Left out for events of the seller's.
            var account: String?
            var transactionId: String?
            var originalTransactionId: String?
            var productId: String?
            /// The movements of money, which sum to zero.
            var postings: [Line]
            /// Author of a product without charge, and the reason.
            var grant: Grant?

            static let constraints: [String: Constraint] = ["kind": .oneOf(JournalEntry.Kind.self), "at": .time]

            init(_ listed: Listed<JournalItem>) {
                let entry = listed.value.entry
                position = listed.value.position
                kind = entry.kind.rawValue
                at = entry.at.rfc3339(fraction: true)
                account = listed.account.isEmpty ? nil : listed.account
                transactionId = entry.transactionID?.description
                originalTransactionId = entry.originalID?.description
                productId = entry.productID?.rawValue
                postings = entry.postings.map {
                    Line(
                        account: $0.account.rawValue, amount: $0.amount.milliunits,
                        currency: $0.amount.currency.rawValue)
                }
                grant = listed.value.grantNote.map { Grant(actor: $0.actor.description, reason: $0.reason) }
            }
        }

        var entries: [Item]
        /// The `after` of the next page; missing on the last.
        var next: String?
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "apps/:bundleId/journal", "An app's journal, newest first, or from a position on",
            query: [.journalKind, .journalPosition, .pageLimit, .afterNumber], use: journal)
    }

    private func journal(_ call: Call<NoBody>, _ context: ControlContext) async throws -> JournalAnswer {
        let position = try call.query(.journalPosition).map { text -> Int64 in
            guard let position = TransactionID(text)?.rawValue else {
                throw APIError(.badRequest, "malformedRequest", "position is a number", field: "position")
            }
            return position
        }
        let page = try await context.store.transactions.journal(
            of: context.bundleID,
            kind: try call.query(.journalKind).map { try ControlFields.value($0, field: "kind") }, from: position,
            after: call.query(.afterNumber), limit: try call.pageLimit())
        return JournalAnswer(entries: page.items.map(JournalAnswer.Item.init), next: page.next)
    }
}

extension QueryParameter {
    fileprivate static let journalKind = QueryParameter("kind", .oneOf(JournalEntry.Kind.self))
    fileprivate static let journalPosition = QueryParameter(
        "position", .pattern("^[0-9]{1,18}$", "The first position; entries after it follow, oldest first"))
}
