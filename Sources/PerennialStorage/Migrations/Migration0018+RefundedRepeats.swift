extension Migration {
    /// Refunds the repeats of refunded purchases.
    ///
    /// A non-consumable that is owned is bought again for nothing. Until 22 November 2026 such a repeat stayed in force when the
    /// purchase was refunded, so that the customer kept the product. Each repeat gets the revocation of its purchase. The
    /// journal needs no entry: the purchase's refund is in it, and repeats moved no money.
    package static let refundedRepeats = Migration(
        number: 18, name: "refundedRepeats",
        statements: [
            """
            UPDATE transactions SET (revoked, revocation_reason, revocation_kind, revocation_percentage) = (
            SELECT o.revoked, o.revocation_reason, o.revocation_kind, o.revocation_percentage FROM transactions AS o
            WHERE o.environment = transactions.environment AND o.app = transactions.app
            AND o.id = transactions.original_id), modified = (SELECT c.revision + 1 FROM customers AS c
            WHERE c.environment = transactions.environment AND c.app = transactions.app
            AND c.account = transactions.account)
            WHERE revoked IS NULL AND id <> original_id AND type <> 'autoRenewable'
            AND EXISTS (SELECT 1 FROM transactions AS o WHERE o.environment = transactions.environment
            AND o.app = transactions.app AND o.id = transactions.original_id AND o.account = transactions.account
            AND o.revoked IS NOT NULL)
            """,
            // The transactions' modified is the next revision: receipts are signed anew, and histories show the change.
            """
            UPDATE customers SET revision = revision + 1 WHERE EXISTS (SELECT 1 FROM transactions AS t
            WHERE t.environment = customers.environment AND t.app = customers.app AND t.account = customers.account
            AND t.modified = customers.revision + 1)
            """,
        ])
}
