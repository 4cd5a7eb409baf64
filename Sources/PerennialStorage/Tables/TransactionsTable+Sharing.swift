import Perennial

extension TransactionsTable {
    /// A customer's transactions that a family member shares.
    package static func familyShared(of key: CustomerKey, on connection: any Connection) throws -> [TransactionID] {
        try connection.query(
            "SELECT id FROM transactions WHERE environment = $1 AND app = $2 AND account = $3 AND ownership = $4",
            key.values + [.text(Transaction.Ownership.familyShared.rawValue)]
        ) { TransactionID(rawValue: try $0.integer(0)) }
    }
}
