import Perennial
import PerennialStorage

/// The kinds of live events: what a filter chooses by.
package enum LiveKind: String, Sendable, CaseIterable {
    case purchase, renewal, refund
    /// A charge was declined, or what follows from it.
    case failedCharge
    /// A subscription or its terms were changed: auto-renew, plan, price, payment method.
    case change
    case expiration
    case `extension`
    /// Family Sharing gave or ended access.
    case sharing
    case download
    /// A transaction was finished by the app.
    case finish
    /// The seller's own journal: closings and payouts.
    case finance
    case other
    /// A request that was carried out.
    case request
    /// A request that was refused or failed.
    case refusal
    /// A notification that arrived.
    case notification
    /// An attempt to send a notification that failed.
    case failedNotification
    /// Further events that aren't shown.
    case skipped
    /// The environment was emptied.
    case emptied

    /// The kinds that a filter may name.
    package static let selectable = allCases.filter { $0 != .skipped && $0 != .emptied }

    /// The name in options of the command line.
    package var optionName: String { OptionName.of(rawValue) }

    package init(_ kind: JournalEntry.Kind) {
        switch kind {
        case .purchased, .boughtAgain: self = .purchase
        case .finished: self = .finish
        case .refunded, .purchaseRefundRequested, .purchaseRefundDeclined, .purchaseRefundReversed: self = .refund
        case .freeSubscriptionEnded: self = .expiration
        case .shared, .sharingEnded: self = .sharing
        case .appDownloaded, .appRedownloaded, .appUpdated: self = .download
        case .subscription(let event): self.init(event)
        case .finance: self = .finance
        }
    }

    private init(_ event: DomainEvent.Kind) {
        switch event {
        case .subscribed, .resubscribed, .offerRedeemed, .upgraded, .upgradedWithOffer, .oneTimeCharged:
            self = .purchase
        case .renewed, .recovered: self = .renewal
        case .renewalFailed, .renewalFailedWithGrace, .gracePeriodEnded, .attemptDeclined: self = .failedCharge
        case .expiredByChoice, .expiredAfterBillingRetry, .expiredForPriceIncrease, .expiredProductNotForSale, .expired:
            self = .expiration
        case .subscriptionRefunded, .subscriptionRefundDeclined, .subscriptionRefundReversed, .refundRequested,
            .upgradeRefunded:
            self = .refund
        case .renewalExtended, .renewalExtensionFailed, .renewalExtensionCompleted: self = .extension
        case .familyAccessRevoked: self = .sharing
        case .downgradeScheduled, .downgradeScheduledWithOffer, .changeCancelled, .autoRenewEnabled, .autoRenewDisabled,
            .autoRenewEnded, .priceIncreasePending, .priceIncreaseAccepted, .priceIncreaseDeclined, .priceLowered,
            .priceChanged, .paymentMethodUpdated, .metadataUpdated, .migrated:
            self = .change
        case .externalPurchaseUnreported, .consentRescinded, .tested: self = .other
        }
    }
}

/// The events that a watcher wants.
package struct LiveFilter: Sendable {
    /// All kinds if empty.
    package var kinds: Set<LiveKind>
    /// The events of one app, and requests that name none.
    package var bundleID: App.BundleID?
    /// The events of one customer.
    package var account: String?
    /// The apps that the watcher may see; `nil` for all, and for requests that name none.
    package var visible: Set<App.BundleID>?

    package init(
        kinds: Set<LiveKind> = [], bundleID: App.BundleID? = nil, account: String? = nil,
        visible: Set<App.BundleID>? = nil
    ) {
        self.kinds = kinds
        self.bundleID = bundleID
        self.account = account
        self.visible = visible
    }

    func contains(_ event: LiveEvent) -> Bool {
        if case .emptied = event.content { return true }
        guard kinds.isEmpty || kinds.contains(event.kind) else { return false }
        switch event.content {
        case .commerce(let commerce):
            return hasApp(event.bundleID) && hasAccount(commerce.entry.account)
        case .request(let request):
            let isWanted = event.bundleID == nil ? visible == nil : hasApp(event.bundleID)
            return isWanted && hasAccount(request.account)
        case .notification(let notification):
            return hasApp(event.bundleID) && hasAccount(notification.account)
        case .emptied, .skipped:
            return true
        }
    }

    private func hasApp(_ other: App.BundleID?) -> Bool {
        guard bundleID == nil || bundleID == other else { return false }
        guard let visible else { return true }
        return other.map(visible.contains) ?? false
    }

    private func hasAccount(_ other: String?) -> Bool { account == nil || account == other }
}
