extension Refund {
    /// The result of refunding a purchase that isn't a subscription period.
    package struct PurchaseOutcome: Hashable, Sendable {
        /// The refunded purchase, which was paid for.
        package let purchase: Outcome
        /// The free repeats of the purchase, with their revocation.
        package let repeats: [Transaction]
    }

    /// Decides the refund of anything but a subscription period. Revokes the purchase and its repeats, which were
    /// free because it was owned. The refund of a repeat refunds its purchase.
    ///
    /// - Parameter bought: The customer's transactions with the same original transaction ID.
    /// - Throws: ``RefundError``.
    package func outcome(
        for transaction: Transaction, among bought: [Transaction], at now: Instant
    ) throws -> PurchaseOutcome {
        let original = bought.first { $0.id == transaction.originalID } ?? transaction
        // If only the purchase was revoked before, the named repeat is left to revoke.
        let refunded = original.revocation == nil || transaction.revocation != nil ? original : transaction
        let outcome = try outcome(for: refunded, at: now)
        let repeats = bought.filter {
            $0.originalID == refunded.originalID && $0.id != refunded.id && $0.revocation == nil
        }
        return PurchaseOutcome(
            purchase: outcome, repeats: repeats.map { $0.applying(.revoked($0.id, outcome.terms)) })
    }

    /// Returns the transactions that a refund's reversal restores: the purchase, then its repeats. Empty if nothing
    /// was refunded.
    ///
    /// - Parameter bought: The customer's transactions with the same original transaction ID.
    package static func reversed(_ transaction: Transaction, among bought: [Transaction]) -> [Transaction] {
        guard transaction.revocation != nil, transaction.ownership == .purchased else { return [] }
        let taken = bought.filter { $0.originalID == transaction.originalID && $0.revocation != nil }
        let (originals, repeats) = (
            taken.filter { $0.id == $0.originalID }, taken.filter { $0.id != $0.originalID }
        )
        return (originals + repeats).map { $0.applying(.reinstated($0.id)) }
    }
}
