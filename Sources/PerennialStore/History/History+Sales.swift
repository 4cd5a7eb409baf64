import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// A transaction as StoreKit 2 gets it, with the renewal information of a subscription.
package struct SignedSale: Sendable, Equatable {
    /// A compact JWS. ``renewalInfo`` has the same form.
    package var transaction: String
    package var renewalInfo: String?
}

/// Content of a sale's signed form.
struct UnsignedSale: Sendable {
    var transaction: SignableTransaction
    var renewalInfo: RenewalInfoPayload?
}

extension Store {
    /// Buys a product for the customer of a device's token and signs the transaction, with one trip to the database: for a client in
    /// this process, which has nothing else to wait for.
    ///
    /// - Throws: `PurchaseRefusal`, ``StoreError``; then nothing was charged.
    package func sell(_ request: PurchaseRequest, token: String) async throws -> (Transaction, SignedSale) {
        let (transaction, unsigned) = try await purchases.buy(request, token: token) { [history] in
            try history.unsignedSale($0, for: $1, in: $2, on: $3)
        }
        return (transaction, try history.signed(unsigned))
    }
}

extension History {
    /// Signs the transaction of a purchase, for the answer to it.
    ///
    /// - Parameter customer: Customer on the device that gets the answer; `nil` if a parent had approved the purchase before.
    /// - Throws: ``StoreError`` `.transactionNotFound`.
    package func signedSale(_ transaction: Transaction, for customer: Customer?) async throws -> SignedSale {
        try signed(try await database.read { [self] in try unsignedSale(transaction, for: customer, on: $0) })
    }

    /// Reads what the signed form of a purchase says.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`.
    func unsignedSale(
        _ transaction: Transaction, for customer: Customer?, on connection: any Connection
    ) throws -> UnsignedSale {
        let key = try app(of: transaction, on: connection)
        let place = try TransactionsTable.place(of: transaction.id, app: key.appleID, environment.id, on: connection)
        guard let place else {
            throw StoreError(.transactionNotFound, transaction.id.description, "the transaction is gone")
        }
        let now = try clock.now(on: connection)
        let device = customer.flatMap { UUID(uuidString: $0.device) }
        return UnsignedSale(
            transaction: try signable(place, of: key, at: now, for: device, on: connection),
            renewalInfo: try renewalInfo(of: transaction, in: key, for: device, on: connection))
    }

    /// Reads what the signed form of a purchase says within its own transaction, which has all of it but the subscription.
    func unsignedSale(
        _ transaction: Transaction, for customer: Customer, in app: App, on connection: any Connection
    ) throws -> UnsignedSale {
        guard let device = UUID(uuidString: customer.device) else {
            return try unsignedSale(transaction, for: customer, on: connection)
        }
        return UnsignedSale(
            transaction: .toBind(transaction, app, at: try clock.now(on: connection), device: device),
            renewalInfo: try renewalInfo(of: transaction, in: app, for: device, on: connection))
    }

    private func renewalInfo(
        of transaction: Transaction, in app: App, for device: UUID?, on connection: any Connection
    ) throws -> RenewalInfoPayload? {
        guard transaction.type == .autoRenewable else { return nil }
        let subscription = try SubscriptionsTable.subscription(
            transaction.originalID, app: app.appleID, environment.id, on: connection)
        return try subscription.map { try receipts.renewalInfo($0, of: app, for: device, on: connection) }
    }

    /// Signs a sale. Call it outside a database transaction, since signing takes long.
    func signed(_ sale: UnsignedSale) throws -> SignedSale {
        SignedSale(
            transaction: try text(sale.transaction),
            renewalInfo: try sale.renewalInfo.map { try signing.jws.sign(payload: $0.encoded()) })
    }

    /// Returns the transaction as a compact JWS; one that is bound to a device without the copies of a cached answer.
    private func text(_ transaction: SignableTransaction) throws -> String {
        if case .toBind(let transaction, let app, let now, let device) = transaction {
            return try receipts.signed(transaction, of: app, at: now, for: device)
        }
        return String(decoding: try signed(transaction).json.dropFirst().dropLast(), as: UTF8.self)
    }

    private func app(of transaction: Transaction, on connection: any Connection) throws -> App {
        let apps = try catalog.all(on: connection)
        if apps.count == 1, let only = apps.first { return only.app }
        return try transactions.transaction(transaction.id, on: connection).1.app
    }
}
