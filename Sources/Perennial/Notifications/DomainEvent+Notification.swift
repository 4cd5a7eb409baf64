extension DomainEvent.Kind {
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
