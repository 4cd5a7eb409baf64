/// The known refunds of one transaction, from notifications and receipts.
///
/// Each report has a date: the signing date of the notification, or the date of the store's answer about the receipt.
/// The report with the later date counts, in any order of arrival.
package struct KnownRefund: Hashable, Sendable {
    /// The date of the refund; `nil` if only a reversal was reported.
    package let refundDate: Instant?
    /// The date of the newest report of a refund.
    package let reportedDate: Instant?
    /// The date of the newest report that there is no refund.
    package let reversalDate: Instant?

    package init(refundDate: Instant?, reportedDate: Instant?, reversalDate: Instant?) {
        self.refundDate = refundDate
        self.reportedDate = reportedDate
        self.reversalDate = reversalDate
    }

    /// The date of the refund in effect; `nil` if there is none or it was reversed.
    package var cancellationDate: Instant? {
        guard let reportedDate else { return nil }
        return reversalDate.map { reportedDate > $0 } ?? true ? refundDate : nil
    }

    /// The reversed refund.
    package var reversedRefund: ReversedRefund? {
        guard cancellationDate == nil, let refundDate, let reversalDate, refundDate < reversalDate else { return nil }
        return ReversedRefund(refundDate: refundDate, reversalDate: reversalDate)
    }
}

/// A report of a refund or its reversal, to be stored.
package enum RefundNotice: Hashable, Sendable {
    case refunded(TransactionID, at: Instant, reported: Instant)
    case reversed(TransactionID, reported: Instant)
}

extension VerifiedPurchase {
    /// Returns the report of a verified receipt; `nil` if it is known already.
    ///
    /// A receipt stored on a device keeps its state. A receipt without a refund proves a reversal only if its date is
    /// later than the report of the refund.
    package func refundNotice(comparedTo known: KnownRefund?) -> RefundNotice? {
        guard let cancellationDate else {
            // Cancellation dates have no fraction of a second, so a report in the same second may be older.
            guard known?.cancellationDate != nil, let reported = reportedDate?.wholeSeconds,
                let knownSince = known?.reportedDate, knownSince < reported
            else { return nil }
            return .reversed(transactionID, reported: reported)
        }
        let reported = max(cancellationDate, reportedDate ?? cancellationDate)
        // A known refund is reported once, unless this is another one.
        let isKnown = known?.cancellationDate != nil && known?.reportedDate.map { cancellationDate <= $0 } == true
        let isOlder = known?.reportedDate.map { reported <= $0 } == true
        return isKnown || isOlder ? nil : .refunded(transactionID, at: cancellationDate, reported: reported)
    }

    /// Returns the purchase with its known refunds applied, and those of the purchase it repeats.
    package func applyingKnownRefunds(_ known: [TransactionID: KnownRefund]) -> VerifiedPurchase {
        var resolved = self
        if let own = known[transactionID] {
            if let cancelled = own.cancellationDate {
                resolved.cancellationDate = min(cancellationDate ?? cancelled, cancelled)
            } else {
                // The receipt may still have the refund that was reversed.
                resolved.cancellationDate = nil
                resolved.reversedRefund = own.reversedRefund
            }
        }
        if resolved.cancellationDate == nil, let repeated, let cancelled = known[repeated]?.cancellationDate,
            purchaseDate <= cancelled
        {
            resolved.cancellationDate = cancelled
        }
        return resolved
    }

    /// The purchase that this one repeats for free; `nil` if it repeats none. Subscription periods repeat nothing.
    ///
    /// A repeat is revoked with its purchase if it was made before the refund. A later one proves that the product is
    /// owned.
    package var repeated: TransactionID? {
        expiresDate == nil && originalTransactionID != transactionID ? originalTransactionID : nil
    }
}
