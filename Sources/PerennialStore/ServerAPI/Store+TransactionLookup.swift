import AppStoreFormats
import Perennial
import PerennialStorage

extension Store {
    /// An app's transaction.
    ///
    /// - Throws: ``ServerAPIError`` `.transactionIDNotFound`, also for another app's and another environment's.
    package func transaction(_ id: TransactionID, of app: App) async throws -> Transaction {
        try await database.read { [self] in try transaction(id, in: app, on: $0) }
    }

    /// The customer of a transaction, or of a download of the app.
    ///
    /// - Throws: ``ServerAPIError`` 4040010.
    package func account(of id: TransactionID, in app: App) async throws -> Account.ID {
        try await database.read { [self] in try customer(of: id, in: app, on: $0).account }
    }

    /// Whom a number stands for that a seller's server names a customer by: that of a transaction, or of the download
    /// of the app.
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
        return CustomerKey(environment: environment.id, app: app.appleID, account: account)
    }

    /// Whose download of the app has a number; `nil` where nobody's has.
    func customer(
        of download: AppTransactionID, in app: App, on connection: any Connection
    ) throws -> CustomerKey? {
        let key = CustomerKey(
            environment: environment.id, app: app.appleID, account: download.account(app: app.appleID))
        return try CustomersTable.knownRevision(key, on: connection) == nil ? nil : key
    }

    /// A transaction of an app.
    ///
    /// - Throws: ``ServerAPIError`` 4040010.
    func transaction(_ id: TransactionID, in app: App, on connection: any Connection) throws -> Transaction {
        guard
            let found = try TransactionsTable.transaction(id, app: app.appleID, environment.id, on: connection)
        else { throw Self.unknown(id) }
        return found
    }

    /// The same for an endpoint that is about one transaction, and never about a customer.
    ///
    /// - Throws: ``ServerAPIError`` 4000048, 4040010.
    func oneTransaction(_ id: TransactionID, in app: App, on connection: any Connection) throws -> Transaction {
        try Self.refuseAppTransaction(id)
        return try transaction(id, in: app, on: connection)
    }

    /// Runs a look-up for an endpoint whose path names an original transaction.
    ///
    /// - Throws: ``ServerAPIError`` 4040005 in the place of 4040010.
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
}
