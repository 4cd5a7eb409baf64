import Perennial

/// Family members' transactions, each with the purchaser's transaction that it shares.
package enum SharedPurchasesTable {
    package struct Share: Sendable, Equatable {
        /// The purchaser's original transaction.
        package var source: TransactionID
        package var owner: Account.ID
        /// The member.
        package var account: Account.ID
        /// The member's original transaction.
        package var copy: TransactionID

        package init(source: TransactionID, owner: Account.ID, account: Account.ID, copy: TransactionID) {
            self.source = source
            self.owner = owner
            self.account = account
            self.copy = copy
        }
    }

    /// Writes a share; a member has one transaction for a purchase.
    package static func put(
        _ share: Share, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO shared_purchases (environment, app, source, account, owner, copy) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (environment, app, source, account) DO UPDATE SET copy = excluded.copy
            """,
            [
                .integer(environment.rawValue), .integer(app), .integer(share.source.rawValue),
                .integer(share.account.rawValue), .integer(share.owner.rawValue), .integer(share.copy.rawValue),
            ])
    }

    /// Returns the members with whom a purchase is or was shared.
    package static func shares(
        of source: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Share] {
        try connection.query(
            """
            SELECT source, owner, account, copy FROM shared_purchases
            WHERE environment = $1 AND app = $2 AND source = $3 ORDER BY account
            """, [.integer(environment.rawValue), .integer(app), .integer(source.rawValue)], share)
    }

    /// Returns the shares of a customer, given and received.
    package static func shares(with key: CustomerKey, on connection: any Connection) throws -> [Share] {
        try connection.query(
            """
            SELECT source, owner, account, copy FROM shared_purchases
            WHERE environment = $1 AND app = $2 AND (account = $3 OR owner = $3) ORDER BY source, account
            """, key.values, share)
    }

    private static func share(_ row: any Row) throws -> Share {
        Share(
            source: TransactionID(rawValue: try row.integer(0)), owner: Account.ID(rawValue: try row.integer(1)),
            account: Account.ID(rawValue: try row.integer(2)), copy: TransactionID(rawValue: try row.integer(3)))
    }
}

extension TransactionsTable {
    /// Returns a customer's transactions that another family member bought.
    package static func familyShared(of key: CustomerKey, on connection: any Connection) throws -> [TransactionID] {
        try connection.query(
            "SELECT id FROM transactions WHERE environment = $1 AND app = $2 AND account = $3 AND ownership = $4",
            key.values + [.text(Transaction.Ownership.familyShared.rawValue)]
        ) { TransactionID(rawValue: try $0.integer(0)) }
    }
}
