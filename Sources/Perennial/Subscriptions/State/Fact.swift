/// Something that happened, with its money: one entry of the journal.
package struct Fact: Hashable, Sendable {
    package let kind: Kind
    package let at: Instant
    /// The transaction it is about; `nil` where there is none.
    package let transactionID: TransactionID?
    package let productID: Product.ID
    /// What moved; it sums to zero.
    package let postings: [Posting]

    package init(
        _ kind: Kind, at: Instant, _ transactionID: TransactionID?, _ productID: Product.ID, postings: [Posting] = []
    ) {
        self.kind = kind
        self.at = at
        self.transactionID = transactionID
        self.productID = productID
        self.postings = postings
    }

    /// The server notification that tells of it; `nil` for what is nobody's business but ours.
    package var notification: (type: String, subtype: String?)? { kind.notification }

    /// What happened, in the journal's words: one for every type and subtype of a server notification, and a few that
    /// none tells of.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case subscribed, resubscribed
        case offerRedeemed, upgradedWithOffer, downgradeScheduledWithOffer
        /// Also a crossgrade of the same duration.
        case upgraded
        /// Also a crossgrade of another duration.
        case downgradeScheduled
        case changeCancelled
        case autoRenewEnabled, autoRenewDisabled
        /// A refund turned auto-renew off, which the refund's own notification tells of.
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

        /// A charge was tried and declined, and nothing changed by it.
        case attemptDeclined
        /// What an upgrade gives back for the unused time of the product it replaces.
        case upgradeRefunded
        case priceLowered, priceIncreaseDeclined
        case paymentMethodUpdated
    }
}

extension Fact.Kind {
    /// Type and subtype of the App Store Server Notification, version 2.
    package var notification: (type: String, subtype: String?)? {
        switch self {
        case .subscribed: ("SUBSCRIBED", "INITIAL_BUY")
        case .resubscribed: ("SUBSCRIBED", "RESUBSCRIBE")
        case .offerRedeemed: ("OFFER_REDEEMED", nil)
        case .upgradedWithOffer: ("OFFER_REDEEMED", "UPGRADE")
        case .downgradeScheduledWithOffer: ("OFFER_REDEEMED", "DOWNGRADE")
        case .upgraded: ("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
        case .downgradeScheduled: ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE")
        case .changeCancelled: ("DID_CHANGE_RENEWAL_PREF", nil)
        case .autoRenewEnabled: ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED")
        case .autoRenewDisabled: ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
        case .renewed: ("DID_RENEW", nil)
        case .recovered: ("DID_RENEW", "BILLING_RECOVERY")
        case .renewalFailed: ("DID_FAIL_TO_RENEW", nil)
        case .renewalFailedWithGrace: ("DID_FAIL_TO_RENEW", "GRACE_PERIOD")
        case .gracePeriodEnded: ("GRACE_PERIOD_EXPIRED", nil)
        case .expiredByChoice: ("EXPIRED", "VOLUNTARY")
        case .expiredAfterBillingRetry: ("EXPIRED", "BILLING_RETRY")
        case .expiredForPriceIncrease: ("EXPIRED", "PRICE_INCREASE")
        case .expiredProductNotForSale: ("EXPIRED", "PRODUCT_NOT_FOR_SALE")
        case .expired: ("EXPIRED", nil)
        case .priceIncreasePending: ("PRICE_INCREASE", "PENDING")
        case .priceIncreaseAccepted: ("PRICE_INCREASE", "ACCEPTED")
        case .subscriptionRefunded: ("REFUND", nil)
        case .subscriptionRefundDeclined: ("REFUND_DECLINED", nil)
        case .subscriptionRefundReversed: ("REFUND_REVERSED", nil)
        case .refundRequested: ("CONSUMPTION_REQUEST", nil)
        case .familyAccessRevoked: ("REVOKE", nil)
        case .renewalExtended: ("RENEWAL_EXTENDED", nil)
        case .renewalExtensionFailed: ("RENEWAL_EXTENSION", "FAILURE")
        case .renewalExtensionCompleted: ("RENEWAL_EXTENSION", "SUMMARY")
        case .oneTimeCharged: ("ONE_TIME_CHARGE", nil)
        case .externalPurchaseUnreported: ("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED")
        case .consentRescinded: ("RESCIND_CONSENT", nil)
        case .metadataUpdated: ("METADATA_UPDATE", nil)
        case .migrated: ("MIGRATION", nil)
        case .priceChanged: ("PRICE_CHANGE", nil)
        case .tested: ("TEST", nil)
        case .autoRenewEnded, .attemptDeclined, .upgradeRefunded, .priceLowered, .priceIncreaseDeclined,
            .paymentMethodUpdated:
            nil
        }
    }
}

extension ExpirationIntent {
    var fact: Fact.Kind {
        switch self {
        case .customerCancelled: .expiredByChoice
        case .billingError: .expiredAfterBillingRetry
        case .priceIncreaseDeclined: .expiredForPriceIncrease
        case .productUnavailable: .expiredProductNotForSale
        case .other: .expired
        }
    }
}
