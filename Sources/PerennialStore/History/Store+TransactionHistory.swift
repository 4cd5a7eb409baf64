import AppStoreFormats
import Perennial
import PerennialStorage

/// A page of a customer's transactions.
package struct TransactionHistory: Sendable {
    /// How many transactions a page has at most.
    package static let pageSize = 20

    package var app: App
    /// Signed, each a JSON string with its quotes.
    package var signedTransactions: [[UInt8]]
    /// Where the next page begins.
    package var revision: String
    package var hasMore: Bool
}

extension Store {
    /// Get Transaction History: a page of the transactions of a customer, in the order in which they last changed.
    ///
    /// - Parameters:
    ///   - id: Of a transaction of the customer's, or of the download of the app.
    ///   - revision: Of the page before; `nil` for the first.
    /// - Throws: ``StoreError`` `.unauthorized`, ``ServerAPIError`` 4000005 for a revision that is none, 4040010.
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

    /// What one read of the database finds.
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
        let app = try admit(caller, on: connection).app
        let key = try customer(of: id, in: app, on: connection)
        let revisions = HistoryRevision(seal: seal, customer: key)
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
