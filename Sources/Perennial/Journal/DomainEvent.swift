/// An event that has happened to a subscription, with its postings: one entry of the journal.
package struct DomainEvent: Hashable, Sendable {
    package let kind: Kind
    package let at: Instant
    /// The transaction of the event; `nil` if it has none.
    package let transactionID: TransactionID?
    package let productID: Product.ID
    /// The movements of money, which sum to zero.
    package let postings: [Posting]
    /// Facts of a sale for reports; `nil` if there are none.
    package let facts: SaleFacts?

    package init(
        _ kind: Kind, at: Instant, _ transactionID: TransactionID?, _ productID: Product.ID, postings: [Posting] = [],
        facts: SaleFacts? = nil
    ) {
        self.kind = kind
        self.at = at
        self.transactionID = transactionID
        self.productID = productID
        self.postings = postings
        self.facts = facts
    }

    /// The type and subtype of the server notification; `nil` for internal events.
    package var notification: (type: String, subtype: String?)? { kind.notification }

    /// The kinds of events: one for every type and subtype of server notifications, and some internal ones.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case subscribed, resubscribed
        case offerRedeemed, upgradedWithOffer, downgradeScheduledWithOffer
        /// Reported for a crossgrade, too, of the same duration.
        case upgraded
        /// Reported for a crossgrade, too, of another duration.
        case downgradeScheduled
        case changeCancelled
        case autoRenewEnabled, autoRenewDisabled
        /// A refund turned auto-renew off. The refund's own notification covers it.
        case autoRenewEnded
        case renewed, recovered
        case renewalFailed, renewalFailedWithGrace
        case gracePeriodEnded
        case expiredByChoice, expiredAfterBillingRetry, expiredForPriceIncrease, expiredProductNotForSale, expired
        case priceIncreasePending, priceIncreaseAccepted
        case subscriptionRefunded, subscriptionRefundDeclined, subscriptionRefundReversed, refundRequested
        case familyAccessRevoked
        case renewalExtended, renewalExtensionFailed, renewalExtensionCompleted
        case oneTimeCharged
        case externalPurchaseUnreported, consentRescinded, metadataUpdated, migrated, priceChanged, tested

        /// A charge was declined without further consequences.
        case attemptDeclined
        /// An upgrade refunded the unused time of the replaced product.
        case upgradeRefunded
        case priceLowered, priceIncreaseDeclined
        case paymentMethodUpdated
    }
}

extension ExpirationIntent {
    var event: DomainEvent.Kind {
        switch self {
        case .customerCancelled: .expiredByChoice
        case .billingError: .expiredAfterBillingRetry
        case .priceIncreaseDeclined: .expiredForPriceIncrease
        case .productUnavailable: .expiredProductNotForSale
        case .other: .expired
        }
    }
}
