import AppStoreFormats
import Perennial
import PerennialStorage

extension Store {
    /// Look Up Order ID: the transaction that an order is about, signed, as a JSON string with its quotes.
    ///
    /// - Returns: `nil` for what is no order of this app. What a family shares was ordered by the purchaser alone.
    package func signedTransaction(ofOrder order: String, in app: App) async throws -> [UInt8]? {
        guard let id = OrderID(order)?.transactionID else { return nil }
        let found = try await database.read { [self] connection -> SignableTransaction? in
            let sold = try TransactionsTable.transaction(id, app: app.appleID, environment.id, on: connection)
            guard sold?.ownership == .purchased,
                let place = try TransactionsTable.place(of: id, app: app.appleID, environment.id, on: connection)
            else { return nil }
            return try signable(place, of: app, at: try clock.now(on: connection), on: connection)
        }
        return try found.map { try signed($0) }
    }
}
