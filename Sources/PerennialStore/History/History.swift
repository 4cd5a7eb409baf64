import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// A transaction for an answer: signed and cached, or still to be signed.
enum SignableTransaction: Sendable {
    case signed(SignedTransactionCache.Entry)
    // Large, and seldom.
    indirect case toSign(Transaction, SignedTransactionCache.Key, App, at: Instant)
    /// Bound to a device, and for no other answer.
    indirect case toBind(Transaction, App, at: Instant, device: UUID)
}

/// The App Store Server API's view of a customer's purchases: transactions and subscription statuses, signed.
package struct History: StoreChapter {
    let context: StoreContext
    let credentials: Credentials
    let receipts: Receipts
    let transactions: Transactions
    let signing: Signing
    let cipher: ReceiptOwnerCipher
    let cache: SignedTransactionCache

    /// Looks up a transaction for an answer: in the cache, else in the database.
    ///
    /// - Throws: ``ServerAPIError`` 4040010.
    func signable(
        _ place: TransactionsTable.Place, of app: App, at now: Instant, on connection: any Connection
    ) throws -> SignableTransaction {
        let key = SignedTransactionCache.Key(environment: environment.id, place: place, era: connection.era)
        if let known = cache.value(key, at: now) { return .signed(known) }
        return .toSign(try transactions.transaction(place.id, in: app, on: connection), key, app, at: now)
    }

    /// Looks up a transaction for the app on a device, whose signature binds it to that device. Signatures for one device aren't
    /// cached.
    ///
    /// - Parameter device: `identifierForVendor` of the app there; `nil` for a device without one.
    /// - Throws: ``ServerAPIError`` 4040010.
    func signable(
        _ place: TransactionsTable.Place, of app: App, at now: Instant, for device: UUID?,
        on connection: any Connection
    ) throws -> SignableTransaction {
        guard let device else { return try signable(place, of: app, at: now, on: connection) }
        return .toBind(try transactions.transaction(place.id, in: app, on: connection), app, at: now, device: device)
    }

    /// Returns the transaction, signed. Call it outside a database transaction, since signing takes long.
    func signed(_ transaction: SignableTransaction) throws -> SignedTransactionCache.Entry {
        switch transaction {
        case .signed(let entry): return entry
        case .toSign(let transaction, let key, let app, let now):
            let json = Self.jsonString(try receipts.signed(transaction, of: app, at: now))
            let entry = SignedTransactionCache.Entry(json: json, signed: now)
            cache.insert(entry, for: key)
            return entry
        case .toBind(let transaction, let app, let now, let device):
            let jws = try receipts.signed(transaction, of: app, at: now, for: device)
            return SignedTransactionCache.Entry(json: Self.jsonString(jws), signed: now)
        }
    }

    /// Returns a JSON string with its quotes. A JWS has no characters to escape.
    static func jsonString(_ jws: String) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(jws.utf8.count + 2)
        json.append(UInt8(ascii: "\""))
        json.append(contentsOf: jws.utf8)
        json.append(UInt8(ascii: "\""))
        return json
    }

    /// Returns a transaction of the caller's app as a signed JSON string with its quotes (Get Transaction Info).
    ///
    /// - Throws: ``StoreError`` `.unauthorized`, ``ServerAPIError`` 4000048, 4040010.
    package func signedTransaction(_ id: TransactionID, for caller: ServerAPICaller) async throws -> [UInt8] {
        let announced = credentials.readingAuthorization(of: caller) {
            TransactionsTable.readingPlace(of: id, app: $0, environment.id)
        }
        let found = try await database.lookUp(announced) { [self] connection in
            let app = try credentials.authorize(caller, on: connection).app
            try Transactions.refuseAppTransaction(id)
            guard
                let place = try TransactionsTable.place(of: id, app: app.appleID, environment.id, on: connection)
            else { throw Transactions.unknown(id) }
            return try signable(place, of: app, at: try clock.now(on: connection), on: connection)
        }
        return try signed(found).json
    }

    /// Returns a transaction of an app, signed, for operators.
    ///
    /// - Returns: `nil` if the app has no such transaction.
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func signedTransaction(_ id: TransactionID, of bundleID: App.BundleID) async throws -> String? {
        let found = try await database.read { [self] connection -> SignableTransaction? in
            let app = try app(bundleID, on: connection).app
            guard let place = try TransactionsTable.place(of: id, app: app.appleID, environment.id, on: connection)
            else { return nil }
            return try signable(place, of: app, at: try clock.now(on: connection), on: connection)
        }
        return try found.map { String(decoding: try signed($0).json.dropFirst().dropLast(), as: UTF8.self) }
    }

    /// Returns the transaction of an order as a signed JSON string with its quotes (Look Up Order ID).
    ///
    /// - Returns: `nil` if the app has no such order. Family members have no order for shared purchases, only the purchaser
    ///   has.
    package func signedTransaction(ofOrder order: String, in app: App) async throws -> [UInt8]? {
        guard let id = OrderID(order)?.transactionID else { return nil }
        let found = try await database.read { [self] connection -> SignableTransaction? in
            let sold = try TransactionsTable.transaction(id, app: app.appleID, environment.id, on: connection)
            guard sold?.ownership == .purchased,
                let place = try TransactionsTable.place(of: id, app: app.appleID, environment.id, on: connection)
            else { return nil }
            return try signable(place, of: app, at: try clock.now(on: connection), on: connection)
        }
        return try found.map { try signed($0).json }
    }

    /// Returns a customer's app transaction, signed (Get App Transaction Info).
    ///
    /// - Parameter id: A transaction ID of the customer, or the app transaction ID.
    /// - Throws: ``ServerAPIError`` 4040010 for an unknown transaction, 4040019 for an unknown app transaction.
    package func signedAppTransaction(ofCustomerOf id: TransactionID, in app: App) async throws -> String {
        let payload = try await database.read { [self] connection in
            if let download = AppTransactionID(id),
                try transactions.customer(of: download, in: app, on: connection) == nil
            {
                throw ServerAPIError(.appTransactionDoesNotExist, "transactionId", "there is no app transaction \(id)")
            }
            let key = try transactions.customer(of: id, in: app, on: connection)
            let device = try DevicesTable.all(of: key, on: connection).last(where: \.isInstalled)
            return try receipts.appTransaction(
                of: key, app, version: device?.applicationVersion ?? app.version, on: connection)
        }
        return try signing.jws.sign(payload: payload.encoded())
    }
}
