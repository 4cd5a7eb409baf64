import Perennial
import PerennialStorage

/// A row of a list for operators, with the name of its account.
package struct Listed<Value: Sendable>: Sendable {
    package var value: Value
    package var account: String
}

extension Products {
    /// Returns the apps of the store as this environment sells them, by bundle ID.
    package func apps() async throws -> [App] {
        try await database.read { [catalog] connection in
            try catalog.all(on: connection).map(\.app).sorted { $0.bundleID.rawValue < $1.bundleID.rawValue }
        }
    }
}

extension Accounts {
    /// Returns accounts of the environment, by name.
    package func list(limit: Int) async throws -> [Account] {
        try await database.read { [environment] in
            try AccountsTable.list(limit: limit, environment.id, on: $0)
        }
    }
}

extension Transactions {
    /// Returns transactions of an app, or of one customer, newest first.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, `.accountNotFound`.
    package func list(
        of bundleID: App.BundleID, account name: String?, limit: Int
    ) async throws -> [Listed<Transaction>] {
        try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app.appleID
            guard let name else {
                let newest = try TransactionsTable.newest(limit: limit, app: app, environment.id, on: connection)
                return try named(newest, \.accountID, on: connection)
            }
            let key = CustomerKey(
                environment: environment.id, app: app, account: try accountID(named: name, on: connection))
            return try TransactionsTable.all(of: key, on: connection).suffix(limit).reversed().map {
                Listed(value: $0, account: name)
            }
        }
    }
}

extension Subscriptions {
    /// Returns subscriptions of an app, or of one customer, oldest first.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, `.accountNotFound`.
    package func list(
        of bundleID: App.BundleID, account name: String?, limit: Int
    ) async throws -> [Listed<Subscription>] {
        try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app.appleID
            guard let name else {
                let page = try SubscriptionsTable.page(
                    after: TransactionID(rawValue: 0), limit: limit, app: app, environment.id, on: connection)
                return try named(page.subscriptions, \.accountID, on: connection)
            }
            let key = CustomerKey(
                environment: environment.id, app: app, account: try accountID(named: name, on: connection))
            return try SubscriptionsTable.all(of: key, on: connection).prefix(limit).map {
                Listed(value: $0, account: name)
            }
        }
    }
}

extension StoreChapter {
    func accountID(named name: String, on connection: any Connection) throws -> Account.ID {
        guard let account = try AccountsTable.named(name, environment.id, on: connection) else {
            throw StoreError(.accountNotFound, name, "there is no account of that name")
        }
        return account.id
    }

    /// Adds the names of the accounts, each of which is read once.
    func named<Value: Sendable>(
        _ values: [Value], _ id: (Value) -> Account.ID, on connection: any Connection
    ) throws -> [Listed<Value>] {
        var names: [Account.ID: String] = [:]
        return try values.map { value in
            let id = id(value)
            let name = try names[id] ?? AccountsTable.account(id, environment.id, on: connection)?.name ?? ""
            names[id] = name
            return Listed(value: value, account: name)
        }
    }
}
