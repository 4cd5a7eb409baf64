/// Which period of a subscription a refund is of. A subscription is named by the number of its first transaction, so that
/// number alone leaves it open whether that period is meant or the subscription.
package enum RefundedPeriod: String, Sendable, CaseIterable {
    /// The one whose transaction is named, as Apple's refund requests name it.
    case named
    /// The newest of the subscription that the transaction belongs to: its refund ends the subscription.
    case newest
    /// The one that is named, unless that may also mean the subscription: then none, and the choice is told.
    case unambiguous
}

extension Subscription {
    /// The transaction to refund.
    ///
    /// - Throws: ``RefundError`` `.periodNotSaid`.
    package func refunded(_ choice: RefundedPeriod, named: TransactionID) throws -> TransactionID {
        switch choice {
        case .named: return named
        case .newest: return current.transactionID
        case .unambiguous:
            guard named == id, current.transactionID != named else { return named }
            throw RefundError(
                .periodNotSaid, named,
                "this is the subscription's number and its first period's, and there are others: say whether the first "
                    + "period is meant, or the newest (\(current.transactionID), from \(current.start.rfc3339())), or name "
                    + "another one's transaction")
        }
    }
}
