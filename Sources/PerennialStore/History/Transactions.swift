import AppStoreFormats
import Perennial
import PerennialStorage

/// Transactions by their IDs: look-ups that other chapters share, and the changes that apps and sellers' servers make to
/// one.
package struct Transactions: StoreChapter {
    let context: StoreContext

    /// Returns a transaction of an app.
    ///
    /// - Throws: ``ServerAPIError`` `.transactionIDNotFound`, also for another app's and another environment's.
    package func transaction(_ id: TransactionID, of app: App) async throws -> Transaction {
        try await database.read { [self] in try transaction(id, in: app, on: $0) }
    }

    /// Returns the customer of a transaction ID or app transaction ID.
    ///
    /// - Throws: ``ServerAPIError`` 4040010.
    package func account(of id: TransactionID, in app: App) async throws -> Account.ID {
        try await database.read { [self] in try customer(of: id, in: app, on: $0).account }
    }

    /// Resolves a transaction ID or app transaction ID to its customer.
    ///
    /// - Throws: ``ServerAPIError`` 4040010.
    func customer(of id: TransactionID, in app: App, on connection: any Connection) throws -> CustomerKey {
        if let download = AppTransactionID(id) {
            guard let key = try customer(of: download, in: app, on: connection) else { throw Self.unknown(id) }
            return key
        }
        guard
            let account = try TransactionsTable.account(of: id, app: app.appleID, environment.id, on: connection)
        else { throw Self.unknown(id) }
        return customerKey(of: account, in: app)
    }

    /// Resolves an app transaction ID to its customer; `nil` if there is none.
    func customer(
        of download: AppTransactionID, in app: App, on connection: any Connection
    ) throws -> CustomerKey? {
        let key = customerKey(of: download.account(app: app.appleID), in: app)
        return try CustomersTable.knownRevision(key, on: connection) == nil ? nil : key
    }

    /// Returns a transaction of an app.
    ///
    /// - Throws: ``ServerAPIError`` 4040010.
    func transaction(_ id: TransactionID, in app: App, on connection: any Connection) throws -> Transaction {
        guard
            let found = try TransactionsTable.transaction(id, app: app.appleID, environment.id, on: connection)
        else { throw Self.unknown(id) }
        return found
    }

    /// Returns a transaction for an endpoint that doesn't accept app transaction IDs.
    ///
    /// - Throws: ``ServerAPIError`` 4000048, 4040010.
    func oneTransaction(_ id: TransactionID, in app: App, on connection: any Connection) throws -> Transaction {
        try Self.refuseAppTransaction(id)
        return try transaction(id, in: app, on: connection)
    }

    /// Runs a look-up for an endpoint whose path holds an original transaction ID.
    ///
    /// - Throws: ``ServerAPIError`` 4040005 instead of 4040010.
    func namingOriginal<Value>(_ lookUp: () throws -> Value) throws -> Value {
        do {
            return try lookUp()
        } catch let error as ServerAPIError where error.code == .transactionIDNotFound {
            throw ServerAPIError(.originalTransactionIDNotFound, "originalTransactionId", error.reason ?? "")
        }
    }

    static func unknown(_ id: TransactionID) -> ServerAPIError {
        ServerAPIError(
            .transactionIDNotFound, "transactionId", "the app has no transaction \(id) in this environment")
    }

    /// Refuses app transaction IDs.
    ///
    /// - Throws: ``ServerAPIError`` 4000048.
    static func refuseAppTransaction(_ id: TransactionID) throws {
        guard AppTransactionID(id) == nil else {
            throw ServerAPIError(
                .appTransactionIDNotSupported, "transactionId", "\(id) is an app transaction's, not a transaction's")
        }
    }

    /// Returns a transaction of any app, with the app.
    func transaction(_ id: TransactionID, on connection: any Connection) throws -> (Transaction, CatalogCache.Entry) {
        for entry in try catalog.all(on: connection) {
            let found = try TransactionsTable.transaction(id, app: entry.app.appleID, environment.id, on: connection)
            if let found { return (found, entry) }
        }
        throw StoreError(.transactionNotFound, id.description, "there is no such transaction in this environment")
    }

    /// Returns the postings of a transaction's sale. A refund reverses them, whatever the app's terms are by now.
    func salePostings(
        of id: TransactionID, _ key: CustomerKey, on connection: any Connection
    ) throws -> [Posting] {
        let position = try TransactionsTable.journalPosition(of: id, app: key.app, environment.id, on: connection)
        return try JournalTable.postings(at: position ?? 0, app: key.app, environment.id, on: connection)
    }

    /// Returns the postings of the periods that an upgrade of the subscription may refund.
    func runningSales(
        of subscription: Subscription, _ key: CustomerKey, on connection: any Connection
    ) throws -> [TransactionID: [Posting]] {
        guard case .active = subscription.state else { return [:] }
        var sales: [TransactionID: [Posting]] = [:]
        for period in [subscription.current, subscription.previous].compactMap(\.self) {
            sales[period.transactionID] = try salePostings(of: period.transactionID, key, on: connection)
        }
        return sales
    }
}
