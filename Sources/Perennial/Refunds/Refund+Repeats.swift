extension Refund {
    /// What a refund makes of a purchase that is no subscription's period, and of what hangs on it.
    package struct PurchaseOutcome: Hashable, Sendable {
        /// The purchase that was paid for.
        package let purchase: Outcome
        /// Its repeats, which cost nothing, with their revocation.
        package let repeats: [Transaction]
    }

    /// Decides a refund of anything but a subscription's period. Access to it ends: with the purchase go its repeats, which
    /// the customer got for nothing because it was owned. A repeat stands for its purchase: who gives it back gives that back.
    ///
    /// - Parameter bought: What the customer has bought with the same original transaction, the transaction among it.
    /// - Throws: ``RefundError``.
    package func outcome(
        for transaction: Transaction, among bought: [Transaction], at now: Instant
    ) throws -> PurchaseOutcome {
        let original = bought.first { $0.id == transaction.originalID } ?? transaction
        // Where only the purchase was taken back before, what was named is what is left to take back.
        let refunded = original.revocation == nil || transaction.revocation != nil ? original : transaction
        let outcome = try outcome(for: refunded, at: now)
        let repeats = bought.filter {
            $0.originalID == refunded.originalID && $0.id != refunded.id && $0.revocation == nil
        }
        return PurchaseOutcome(
            purchase: outcome, repeats: repeats.map { $0.applying(.revoked($0.id, outcome.terms)) })
    }

    /// What is in force again when the refund of a purchase is undone: the purchase, first, and its repeats. Empty where
    /// nothing was refunded.
    ///
    /// - Parameter bought: As of ``outcome(for:among:at:)``.
    package static func reversed(_ transaction: Transaction, among bought: [Transaction]) -> [Transaction] {
        guard transaction.revocation != nil, transaction.ownership == .purchased else { return [] }
        let taken = bought.filter { $0.originalID == transaction.originalID && $0.revocation != nil }
        let (originals, repeats) = (
            taken.filter { $0.id == $0.originalID }, taken.filter { $0.id != $0.originalID }
        )
        return (originals + repeats).map { $0.applying(.reinstated($0.id)) }
    }
}
