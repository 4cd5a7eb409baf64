import Perennial

/// Purchases of non-renewing subscriptions. Each belongs to the customer who presented it first.
package enum DeliveryPurchasesTable {
    /// Records a purchase for a customer, unless it belongs to another one.
    package static func record(
        _ purchase: VerifiedPurchase, for customer: String, _ scope: DeliveryScope, at now: Instant,
        on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO delivery_purchases (environment, bundle_id, transaction_id, customer, product, original_id,
            purchased, quantity, recorded) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (environment, bundle_id, transaction_id) DO NOTHING
            """,
            scope.values + [
                .integer(purchase.transactionID.rawValue), .text(customer), .text(purchase.productID.rawValue),
                .integer(purchase.originalTransactionID.rawValue), .integer(purchase.purchaseDate.milliseconds),
                SQLValue(purchase.quantity), .integer(now.milliseconds),
            ])
    }

    package static func owner(
        of id: TransactionID, _ scope: DeliveryScope, on connection: any Connection
    ) throws -> String? {
        try connection.first(
            """
            SELECT customer FROM delivery_purchases
            WHERE environment = $1 AND bundle_id = $2 AND transaction_id = $3
            """, scope.values + [.integer(id.rawValue)]
        ) { try $0.text(0) }
    }

    /// Returns a customer's purchases in the order of their IDs, with known cancellations.
    package static func purchases(
        of customer: String, _ scope: DeliveryScope, limit: Int, on connection: any Connection
    ) throws -> [VerifiedPurchase] {
        try connection.query(
            """
            SELECT bought.transaction_id, product, original_id, purchased, quantity, cancelled, heard, restored
            FROM delivery_purchases AS bought LEFT JOIN delivery_cancellations AS known
            ON known.environment = bought.environment AND known.bundle_id = bought.bundle_id
            AND known.transaction_id = bought.transaction_id
            WHERE bought.environment = $1 AND bought.bundle_id = $2 AND customer = $3
            ORDER BY bought.transaction_id LIMIT $4
            """, scope.values + [.text(customer), SQLValue(limit)], purchase)
    }

    /// Returns a page of names of customers with purchases, ordered, after a given one.
    package static func customers(
        after name: String, _ scope: DeliveryScope, limit: Int, on connection: any Connection
    ) throws -> [String] {
        try connection.query(
            """
            SELECT DISTINCT customer FROM delivery_purchases
            WHERE environment = $1 AND bundle_id = $2 AND customer > $3 ORDER BY customer LIMIT $4
            """, scope.values + [.text(name), SQLValue(limit)]
        ) { try $0.text(0) }
    }

    private static func purchase(_ row: any Row) throws -> VerifiedPurchase {
        let known = try DeliveryCancellationsTable.refund(row, from: 5)
        var purchase = VerifiedPurchase(
            productID: Product.ID(rawValue: try row.text(1)),
            transactionID: TransactionID(rawValue: try row.integer(0)),
            originalTransactionID: TransactionID(rawValue: try row.integer(2)),
            purchaseDate: Instant(milliseconds: try row.integer(3)),
            cancellationDate: known.cancellationDate, quantity: Int(clamping: try row.integer(4)), type: .nonRenewing)
        purchase.reversedRefund = known.reversedRefund
        return purchase
    }
}
