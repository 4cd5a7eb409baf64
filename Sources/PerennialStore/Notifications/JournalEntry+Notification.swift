import Perennial

extension JournalEntry.Kind {
    /// Type and subtype of the server notification, version 2, that tells of an entry; `nil` for what is nobody's business
    /// but ours.
    ///
    /// - Parameter isFree: Whether the entry is about a free subscription, which no version ever spoke of: it is told like
    ///   the subscription that its transaction says it is.
    package func notification(isFree: Bool) -> (type: String, subtype: String?)? {
        switch self {
        case .purchased: isFree ? Fact.Kind.subscribed.notification : Fact.Kind.oneTimeCharged.notification
        case .shared: Fact.Kind.oneTimeCharged.notification
        case .sharingEnded: Fact.Kind.familyAccessRevoked.notification
        case .refunded: Fact.Kind.subscriptionRefunded.notification
        case .purchaseRefundRequested: Fact.Kind.refundRequested.notification
        case .purchaseRefundDeclined: Fact.Kind.subscriptionRefundDeclined.notification
        case .purchaseRefundReversed: Fact.Kind.subscriptionRefundReversed.notification
        case .freeSubscriptionEnded: Fact.Kind.expiredByChoice.notification
        case .boughtAgain, .finished: nil
        case .subscription(let fact): fact.notification
        }
    }
}

/// Server notifications, version 1: deprecated in 2023, and still what old receivers understand.
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

    /// What Apple's sandbox sends of them.
    private static let ofSandbox: Set<String> = [
        initialBuy, changeOfPreference, changeOfStatus, renewal, interactiveRenewal, cancellation, refund,
    ]
    private static let notForFamilies: Set<String> = [initialBuy, cancellation, priceIncrease, refund]

    /// What bears on which types tell of an entry.
    package struct Circumstances: Sendable {
        package var environment: StoreEnvironment.Kind
        package var ownership: Transaction.Ownership
        /// Whether a customer who came back bought another product than the one of before.
        package var isOtherProduct: Bool

        package init(environment: StoreEnvironment.Kind, ownership: Transaction.Ownership, isOtherProduct: Bool) {
            self.environment = environment
            self.ownership = ownership
            self.isOtherProduct = isOtherProduct
        }
    }

    /// The types that tell of an entry, in the order in which they are sent; most often one, sometimes two or none.
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
            .purchaseRefundReversed:
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
