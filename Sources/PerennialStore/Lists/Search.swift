import Foundation
import Perennial
import PerennialStorage

/// A thing of the store that a text names.
package struct SearchResult: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case account, transaction, order, product, notification, appAccountToken, appTransaction
    }

    package var kind: Kind
    /// The name or ID: of an order and of an app account token, the ID of the transaction.
    package var id: String
    /// The app; `nil` for an account, which has none.
    package var bundleID: App.BundleID?
    /// The account's name; `nil` for a product.
    package var account: String?
    /// The product's ID, or the type of the notification.
    package var detail: String?

    /// The path of its page in the console, below the app's: segments without percent-encoding.
    package var page: [String] {
        switch kind {
        case .account: ["customers", id]
        case .appTransaction: ["customers", account ?? ""]
        case .transaction, .order, .appAccountToken: ["transactions", id]
        case .product: ["products", id]
        case .notification: ["notifications", id]
        }
    }
}

/// The thing that a text names: an account, a transaction, an order, a product, a notification or an app account token.
package struct Search: StoreChapter {
    let context: StoreContext

    /// The longest text that is searched for, in bytes.
    package static let maximumLength = 1024
    /// The most results of a kind.
    package static let maximumResults = 10

    /// Returns what a text names: the exact matches first, then accounts and products whose names begin with it.
    ///
    /// - Parameter bundleID: The app to look in; `nil` for all.
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func find(_ text: String, in bundleID: App.BundleID? = nil) async throws -> [SearchResult] {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength, !text.utf8.contains(0) else { return [] }
        return try await database.read { [self] connection in
            let entries = try bundleID.map { [try app($0, on: connection)] } ?? catalog.all(on: connection)
            var results: [SearchResult] = []
            for entry in entries { results += try named(text, in: entry.app, on: connection) }
            results += try accounts(text, on: connection)
            for entry in entries { results += products(text, in: entry.app) }
            return results
        }
    }

    private func accounts(_ text: String, on connection: any Connection) throws -> [SearchResult] {
        try AccountsTable.list(prefix: text, limit: Self.maximumResults, environment.id, on: connection).map {
            SearchResult(kind: .account, id: $0.name, account: $0.name)
        }
    }

    private func products(_ text: String, in app: App) -> [SearchResult] {
        let wanted = text.lowercased()
        return app.products.filter { $0.id.rawValue.lowercased().contains(wanted) }
            .sorted {
                ($0.id.rawValue != text ? 1 : 0, $0.id.rawValue) < ($1.id.rawValue != text ? 1 : 0, $1.id.rawValue)
            }
            .prefix(Self.maximumResults)
            .map { SearchResult(kind: .product, id: $0.id.rawValue, bundleID: app.bundleID, detail: $0.referenceName) }
    }

    /// Returns the sales and notifications of an app that a number or a UUID names.
    private func named(_ text: String, in app: App, on connection: any Connection) throws -> [SearchResult] {
        if let id = TransactionID(text) {
            if let download = AppTransactionID(id) {
                return try customer(of: download, in: app, on: connection).map { [$0] } ?? []
            }
            return try transaction(id, .transaction, in: app, on: connection)
        }
        if let order = OrderID(text) { return try transaction(order.transactionID, .order, in: app, on: connection) }
        guard let uuid = UUID(uuidString: text)?.uuidString.lowercased() else { return [] }
        if let found = try NotificationsTable.record(uuid: uuid, app: app.appleID, environment.id, on: connection) {
            let account = try AccountsTable.account(found.account, environment.id, on: connection)?.name
            return [
                SearchResult(
                    kind: .notification, id: uuid, bundleID: app.bundleID, account: account, detail: found.type)
            ]
        }
        // An app account token is kept as the app gave it: in either case.
        return try Set([text, uuid, uuid.uppercased()]).sorted().flatMap { name in
            try TransactionsTable.named(
                name, limit: Self.maximumResults, app: app.appleID, environment.id, on: connection)
        }.map { try result($0, .appAccountToken, in: app, on: connection) }
    }

    private func transaction(
        _ id: TransactionID, _ kind: SearchResult.Kind, in app: App, on connection: any Connection
    ) throws -> [SearchResult] {
        try TransactionsTable.transaction(id, app: app.appleID, environment.id, on: connection).map {
            [try result($0, kind, in: app, on: connection)]
        } ?? []
    }

    private func result(
        _ transaction: Transaction, _ kind: SearchResult.Kind, in app: App, on connection: any Connection
    ) throws -> SearchResult {
        SearchResult(
            kind: kind, id: transaction.id.description, bundleID: app.bundleID,
            account: try AccountsTable.account(transaction.accountID, environment.id, on: connection)?.name,
            detail: transaction.productID.rawValue)
    }

    private func customer(
        of download: AppTransactionID, in app: App, on connection: any Connection
    ) throws -> SearchResult? {
        let key = customerKey(of: download.account(app: app.appleID), in: app)
        guard try CustomersTable.knownRevision(key, on: connection) != nil,
            let account = try AccountsTable.account(key.account, environment.id, on: connection)
        else { return nil }
        return SearchResult(
            kind: .appTransaction, id: download.description, bundleID: app.bundleID, account: account.name)
    }
}
