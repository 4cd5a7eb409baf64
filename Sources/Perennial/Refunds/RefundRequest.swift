/// The period to refund. A subscription has the ID of its first transaction, so that ID alone may mean either.
package enum RefundedPeriod: String, Sendable, CaseIterable {
    /// The period of the named transaction, as in Apple's refund requests.
    case named
    /// The newest period of the transaction's subscription. Its refund ends the subscription.
    case newest
    /// The period of the named transaction. Refused if the ID may also mean the subscription.
    case unambiguous
}

extension Subscription {
    /// Returns the transaction to refund.
    package func transactionToRefund(_ choice: RefundedPeriod, named: TransactionID) throws -> TransactionID {
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

/// The customer's reason for a refund, as in `consumptionRequestReason`.
package enum RefundRequestReason: String, Sendable, Codable, CaseIterable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"
}
