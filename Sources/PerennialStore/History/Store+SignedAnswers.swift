import AppStoreFormats
import Perennial
import PerennialStorage

/// A transaction on its way into an answer: signed before, or read to be signed.
enum SignableTransaction: Sendable {
    /// A JSON string, quotes included.
    case signed([UInt8])
    case toSign(Transaction, TransactionsTable.Place, App, at: Instant)
}

extension Store {
    /// Finds a transaction to answer with, in the transaction that reads.
    ///
    /// - Throws: ``ServerAPIError`` 4040010.
    func signable(
        _ place: TransactionsTable.Place, of app: App, at now: Instant, on connection: any Connection
    ) throws -> SignableTransaction {
        let key = SignedTransactionMemory.Key(environment: environment.id, place: place)
        if let known = signedTransactions.find(key, at: now) { return .signed(known) }
        return .toSign(try transaction(place.id, in: app, on: connection), place, app, at: now)
    }

    /// The transaction as a JSON string, quotes included. It is signed off the threads of the database.
    func signed(_ transaction: SignableTransaction) throws -> [UInt8] {
        switch transaction {
        case .signed(let json): return json
        case .toSign(let transaction, let place, let app, let now):
            let json = Self.jsonString(try signed(transaction, of: app, at: now))
            let key = SignedTransactionMemory.Key(environment: environment.id, place: place)
            signedTransactions.keep(json, signed: now, for: key)
            return json
        }
    }

    /// Signed text has nothing that would have to be escaped.
    static func jsonString(_ jws: String) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(jws.utf8.count + 2)
        json.append(UInt8(ascii: "\""))
        json.append(contentsOf: jws.utf8)
        json.append(UInt8(ascii: "\""))
        return json
    }

    /// Get Transaction Info: a transaction of the caller's app, signed, as a JSON string with its quotes.
    ///
    /// - Throws: ``StoreError`` `.unauthorized`, ``ServerAPIError`` 4000048, 4040010.
    package func signedTransaction(_ id: TransactionID, for caller: ServerAPICaller) async throws -> [UInt8] {
        let found = try await database.read { [self] connection in
            let app = try admit(caller, on: connection).app
            try Self.refuseAppTransaction(id)
            guard
                let place = try TransactionsTable.place(of: id, app: app.appleID, environment.id, on: connection)
            else { throw Self.unknown(id) }
            return try signable(place, of: app, at: try clock.now(on: connection), on: connection)
        }
        return try signed(found)
    }

    /// - Throws: ``ServerAPIError`` 4000048 for the number of a download of the app.
    static func refuseAppTransaction(_ id: TransactionID) throws {
        guard AppTransactionID(id) == nil else {
            throw ServerAPIError(
                .appTransactionIDNotSupported, "transactionId", "\(id) is an app transaction's, not a transaction's")
        }
    }
}
