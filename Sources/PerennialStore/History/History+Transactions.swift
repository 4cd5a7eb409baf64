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
    /// Returns a page of a customer's transactions in the order of their last changes (Get Transaction History).
    ///
    /// - Parameters:
    ///   - id: A transaction ID of the customer, or the app transaction ID.
    ///   - revision: From the page before; `nil` for the first.
    /// - Throws: ``StoreError`` `.unauthorized`, ``ServerAPIError`` 4000005 for an unknown revision, 4040010.
    package func transactionHistory(
        ofCustomerOf id: TransactionID, _ filter: TransactionsTable.HistoryFilter, after revision: String?,
        for caller: ServerAPICaller
    ) async throws -> TransactionHistory {
        let page = try await database.read { [self] in
            try self.page(ofCustomerOf: id, filter, after: revision, for: caller, on: $0)
        }
        return TransactionHistory(
            app: page.app, signedTransactions: try page.transactions.map { try signed($0) }, revision: page.revision,
            hasMore: page.hasMore)
    }

    /// The result of one read of the database.
    private struct Page: Sendable {
        var app: App
        var transactions: [SignableTransaction]
        var revision: String
        var hasMore: Bool
    }

    private func page(
        ofCustomerOf id: TransactionID, _ filter: TransactionsTable.HistoryFilter, after revision: String?,
        for caller: ServerAPICaller, on connection: any Connection
    ) throws -> Page {
        let app = try credentials.authorize(caller, on: connection).app
        let key = try transactions.customer(of: id, in: app, on: connection)
        let revisions = HistoryRevision(cipher: cipher, customer: key)
        let found = try TransactionsTable.places(
            of: key, filter, after: try revision.flatMap(revisions.place), limit: TransactionHistory.pageSize + 1,
            on: connection)
        let places = found.prefix(TransactionHistory.pageSize)
        let now = try clock.now(on: connection)
        return Page(
            app: app, transactions: try places.map { try signable($0, of: app, at: now, on: connection) },
            revision: places.last.map(revisions.text) ?? revision ?? HistoryRevision.first,
            hasMore: found.count > places.count)
    }
}
