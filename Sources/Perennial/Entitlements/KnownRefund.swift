/// What is known of the refunds of one transaction, from notifications and from receipts.
///
/// Each piece of news is of an instant: when the notification was signed, or when the store said what a receipt says. Of two
/// the later counts, whichever arrives first.
package struct KnownRefund: Hashable, Sendable {
    /// When the transaction was taken back; `nil` where only a reversal was told of.
    package let refunded: Instant?
    /// Of when the newest news of a refund is.
    package let reported: Instant?
    /// Of when the newest news is that it isn't taken back.
    package let reversed: Instant?

    package init(refunded: Instant?, reported: Instant?, reversed: Instant?) {
        self.refunded = refunded
        self.reported = reported
        self.reversed = reversed
    }

    /// When the transaction was taken back; `nil` where it wasn't, or where that was undone since.
    package var cancelled: Instant? {
        guard let reported else { return nil }
        return reversed.map { reported > $0 } ?? true ? refunded : nil
    }

    /// The refund that was undone.
    package var reversedRefund: ReversedRefund? {
        guard cancelled == nil, let refunded, let reversed, refunded < reversed else { return nil }
        return ReversedRefund(refunded: refunded, reversed: reversed)
    }
}

/// Something to remember of a transaction's refunds.
package enum RefundNews: Hashable, Sendable {
    case refunded(TransactionID, at: Instant, reported: Instant)
    case reversed(TransactionID, reported: Instant)
}

extension VerifiedPurchase {
    /// What a verified receipt tells that isn't known yet. A receipt that a device keeps goes on saying what was true when it
    /// was made: that nothing was refunded proves a reversal only if it was said after the refund was known.
    package func news(beside known: KnownRefund?) -> RefundNews? {
        guard let cancellationDate else {
            // Cancellation dates have no fractions of a second: what was said in the same second may have been said before.
            guard known?.cancelled != nil, let reported = reportedDate?.wholeSeconds, let heard = known?.reported,
                heard < reported
            else { return nil }
            return .reversed(transactionID, reported: reported)
        }
        let reported = max(cancellationDate, reportedDate ?? cancellationDate)
        // What is known to be taken back needs no second note, unless that is another refund.
        let isKnown = known?.cancelled != nil && known?.reported.map { cancellationDate <= $0 } == true
        let isOlder = known?.reported.map { reported <= $0 } == true
        return isKnown || isOlder ? nil : .refunded(transactionID, at: cancellationDate, reported: reported)
    }

    /// The purchase as it is, with all that is known of its refunds, and of those of what it repeats.
    package func considering(_ known: [TransactionID: KnownRefund]) -> VerifiedPurchase {
        var considered = self
        if let own = known[transactionID] {
            if let cancelled = own.cancelled {
                considered.cancellationDate = min(cancellationDate ?? cancelled, cancelled)
            } else {
                // The refund that this receipt may still tell of was reversed.
                considered.cancellationDate = nil
                considered.reversedRefund = own.reversedRefund
            }
        }
        if considered.cancellationDate == nil, let repeated, let cancelled = known[repeated]?.cancelled,
            purchaseDate <= cancelled
        {
            considered.cancellationDate = cancelled
        }
        return considered
    }

    /// The purchase that this one repeats for nothing; `nil` for one of its own. Periods of a subscription repeat nothing.
    ///
    /// A repeat goes with the purchase if it was made before that was taken back: one made since shows that it is owned.
    package var repeated: TransactionID? {
        expiresDate == nil && originalTransactionID != transactionID ? originalTransactionID : nil
    }
}
