import AppStoreFormats
import Perennial
import PerennialStorage

/// A transaction as StoreKit 2 gets it, with the renewal information of a subscription.
package struct SignedSale: Sendable, Equatable {
    /// A compact JWS. ``renewalInfo`` has the same form.
    package var transaction: String
    package var renewalInfo: String?
}

extension History {
    /// Signs the transaction of a purchase, for the answer to it.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`.
    package func signedSale(_ transaction: Transaction) async throws -> SignedSale {
        let (found, renewalInfo) = try await database.read { [self] connection in
            let key = try app(of: transaction, on: connection)
            let place = try TransactionsTable.place(
                of: transaction.id, app: key.appleID, environment.id, on: connection)
            guard let place else {
                throw StoreError(.transactionNotFound, transaction.id.description, "the transaction is gone")
            }
            let now = try clock.now(on: connection)
            let subscription =
                transaction.type == .autoRenewable
                ? try SubscriptionsTable.subscription(
                    transaction.originalID, app: key.appleID, environment.id, on: connection) : nil
            return (
                try signable(place, of: key, at: now, on: connection),
                try subscription.map { try receipts.renewalInfo($0, of: key, on: connection) }
            )
        }
        return SignedSale(
            transaction: String(decoding: try signed(found).json.dropFirst().dropLast(), as: UTF8.self),
            renewalInfo: try renewalInfo.map { try signing.jws.sign(payload: $0.encoded()) })
    }

    private func app(of transaction: Transaction, on connection: any Connection) throws -> App {
        let apps = try catalog.all(on: connection)
        if apps.count == 1, let only = apps.first { return only.app }
        return try transactions.transaction(transaction.id, on: connection).1.app
    }
}
