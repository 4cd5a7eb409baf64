import Perennial

extension JournalEntry.Kind {
    /// Returns type and subtype of the notification, version 2; `nil` for entries that sellers aren't notified of.
    ///
    /// - Parameter isFree: True if the entry is about a free subscription. No version of Apple's notifications knows those:
    ///   it is sent as the kind of subscription that its transaction names.
    package func notification(isFree: Bool) -> (type: String, subtype: String?)? {
        switch self {
        case .purchased:
            isFree ? DomainEvent.Kind.subscribed.notification : DomainEvent.Kind.oneTimeCharged.notification
        case .shared: DomainEvent.Kind.oneTimeCharged.notification
        case .sharingEnded: DomainEvent.Kind.familyAccessRevoked.notification
        case .refunded: DomainEvent.Kind.subscriptionRefunded.notification
        case .purchaseRefundRequested: DomainEvent.Kind.refundRequested.notification
        case .purchaseRefundDeclined: DomainEvent.Kind.subscriptionRefundDeclined.notification
        case .purchaseRefundReversed: DomainEvent.Kind.subscriptionRefundReversed.notification
        case .freeSubscriptionEnded: DomainEvent.Kind.expiredByChoice.notification
        case .boughtAgain, .finished, .appDownloaded, .appRedownloaded, .appUpdated, .finance: nil
        case .subscription(let fact): fact.notification
        }
    }
}

/// Server notifications, version 1. Apple deprecated it in 2023; old receivers still use it.
package enum NotificationV1 {
    package static let initialBuy = "INITIAL_BUY"
    package static let changeOfPreference = "DID_CHANGE_RENEWAL_PREF"
    package static let changeOfStatus = "DID_CHANGE_RENEWAL_STATUS"
    package static let renewal = "DID_RENEW"
    package static let interactiveRenewal = "INTERACTIVE_RENEWAL"
    package static let cancellation = "CANCEL"
    package static let refund = "REFUND"
    package static let failure = "DID_FAIL_TO_RENEW"
    package static let recovery = "DID_RECOVER"
    package static let priceIncrease = "PRICE_INCREASE_CONSENT"
    package static let consumptionRequest = "CONSUMPTION_REQUEST"
    package static let revocation = "REVOKE"

    /// All types.
    package static let types = [
        initialBuy, changeOfPreference, changeOfStatus, renewal, interactiveRenewal, cancellation, refund, failure,
        recovery, priceIncrease, consumptionRequest, revocation,
    ]

    /// The types that Apple's sandbox sends.
    private static let ofSandbox: Set<String> = [
        initialBuy, changeOfPreference, changeOfStatus, renewal, interactiveRenewal, cancellation, refund,
    ]
    private static let notForFamilies: Set<String> = [initialBuy, cancellation, priceIncrease, refund]

    /// The facts besides the entry that decide on the types.
    package struct Circumstances: Sendable {
        package var environment: StoreEnvironment.Kind
        package var ownership: Transaction.Ownership
        /// True if a returning customer bought another product than before.
        package var isOtherProduct: Bool

        package init(environment: StoreEnvironment.Kind, ownership: Transaction.Ownership, isOtherProduct: Bool) {
            self.environment = environment
            self.ownership = ownership
            self.isOtherProduct = isOtherProduct
        }
    }

    /// Returns the types for an entry in the order of sending: usually one, sometimes two or none.
    package static func types(_ kind: JournalEntry.Kind, _ circumstances: Circumstances) -> [String] {
        let isShared = circumstances.ownership == .familyShared
        return types(kind, isOtherProduct: circumstances.isOtherProduct).filter { type in
            if circumstances.environment == .sandbox, !ofSandbox.contains(type) { return false }
            return isShared ? !notForFamilies.contains(type) : type != revocation
        }
    }

    private static func types(_ kind: JournalEntry.Kind, isOtherProduct: Bool) -> [String] {
        switch kind {
        case .purchased, .boughtAgain, .finished, .freeSubscriptionEnded, .shared, .purchaseRefundDeclined,
            .purchaseRefundReversed, .appDownloaded, .appRedownloaded, .appUpdated, .finance:
            []
        case .purchaseRefundRequested: [consumptionRequest]
        case .sharingEnded: [revocation]
        case .refunded: [refund]
        case .subscription(let fact):
            switch fact {
            case .subscribed: [initialBuy]
            case .resubscribed: isOtherProduct ? [interactiveRenewal, changeOfStatus] : [changeOfStatus]
            case .upgraded, .upgradedWithOffer: [changeOfStatus, interactiveRenewal]
            case .downgradeScheduled, .downgradeScheduledWithOffer, .changeCancelled: [changeOfPreference]
            case .autoRenewEnabled, .autoRenewDisabled, .autoRenewEnded, .expiredAfterBillingRetry: [changeOfStatus]
            case .renewed: [renewal]
            case .recovered: [recovery]
            case .renewalFailed, .renewalFailedWithGrace: [failure]
            case .priceIncreasePending: [priceIncrease]
            case .subscriptionRefunded: [cancellation]
            case .refundRequested: [consumptionRequest]
            case .familyAccessRevoked: [revocation]
            default: []
            }
        }
    }
}
