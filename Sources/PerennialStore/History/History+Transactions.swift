import AppStoreFormats
import Perennial
import PerennialStorage

/// A page of a customer's transactions.
package struct TransactionHistory: Sendable {
    /// The most transactions on a page.
    package static let pageSize = 20

    package var app: App
    /// Signed JSON strings with their quotes.
    package var signedTransactions: [[UInt8]]
    /// The start of the next page.
    package var revision: String
    package var hasMore: Bool
}

extension History {
    /// Returns the answer with a page of a customer's transactions in the order of their last changes (Get Transaction
    /// History).
    ///
    /// - Parameters:
    ///   - id: A transaction ID of the customer, or the app transaction ID.
    ///   - revision: From the page before; `nil` for the first.
    ///   - answers: The answers that `write` has given.
    ///   - write: Writes a page as an answer, and returns it with its size in bytes.
    /// - Throws: ``StoreError`` `.unauthorized`, ``ServerAPIError`` 4000005 for an unknown revision, 4040010.
    package func transactionHistory<Answer>(
        ofCustomerOf id: TransactionID, _ filter: TransactionsTable.HistoryFilter, after revision: String?,
        for caller: ServerAPICaller, _ answers: HistoryAnswers<Answer>,
        write: (TransactionHistory) -> (answer: Answer, size: Int)
    ) async throws -> Answer {
        let found = try await database.read { [self] connection -> Found<Answer> in
            let app = try credentials.authorize(caller, on: connection).app
            let key = try transactions.customer(of: id, in: app, on: connection)
            let revisions = HistoryRevision(cipher: cipher, customer: key)
            let found = try TransactionsTable.places(
                of: key, filter, after: try revision.flatMap(revisions.place), limit: TransactionHistory.pageSize + 1,
                on: connection)
            let places = found.prefix(TransactionHistory.pageSize)
            let now = try clock.now(on: connection)
            let page = HistoryAnswers<Answer>.Key(
                customer: key, places: Array(places), hasMore: found.count > places.count, era: connection.era)
            if let known = answers.answer(page, at: now) { return .answer(known) }
            return .page(
                Page(
                    app: app, transactions: try places.map { try signable($0, of: app, at: now, on: connection) },
                    revision: places.last.map(revisions.text) ?? revision ?? HistoryRevision.first), page)
        }
        switch found {
        case .answer(let answer): return answer
        case .page(let page, let key):
            let signed = try page.transactions.map { try self.signed($0) }
            let (answer, size) = write(
                TransactionHistory(
                    app: page.app, signedTransactions: signed.map(\.json), revision: page.revision,
                    hasMore: key.hasMore))
            // A page without transactions has the revision that it was requested with.
            if let first = signed.map(\.signed).min(), let last = signed.map(\.signed).max() {
                answers.insert(answer, size: size, signed: first...last, for: key)
            }
            return answer
        }
    }

    /// Returns a page of a customer's transactions, as ``transactionHistory(ofCustomerOf:_:after:for:_:write:)`` without a
    /// cache.
    package func transactionHistory(
        ofCustomerOf id: TransactionID, _ filter: TransactionsTable.HistoryFilter, after revision: String?,
        for caller: ServerAPICaller
    ) async throws -> TransactionHistory {
        try await transactionHistory(ofCustomerOf: id, filter, after: revision, for: caller, HistoryAnswers()) {
            ($0, 0)
        }
    }

    /// The result of one read of the database.
    private enum Found<Answer: Sendable>: Sendable {
        case answer(Answer)
        indirect case page(Page, HistoryAnswers<Answer>.Key)
    }

    private struct Page: Sendable {
        var app: App
        var transactions: [SignableTransaction]
        var revision: String
    }
}
