/// A customer's auto-renewable subscription: one for each customer and subscription group, from the first purchase
/// on.
///
/// A value without a clock. Events change it through ``decide(_:at:in:id:)``; ``nextDue`` is the instant of its next
/// due work.
package struct Subscription: Hashable, Sendable {
    /// The original transaction ID: the ID of the first purchase in the group.
    package let id: TransactionID
    package let accountID: Account.ID
    package let groupID: String
    package let ownership: Transaction.Ownership
    package let originalPurchaseDate: Instant
    package internal(set) var storefront: Storefront
    /// The app's name for the customer. Renewals carry it on.
    package internal(set) var applicationUsername: String?
    /// The newest sold period. It may lie ahead, because a renewal is charged before the running period ends.
    package internal(set) var current: BillingPeriod
    /// The period before `current`, which runs until `current` begins.
    package internal(set) var previous: BillingPeriod?
    package internal(set) var anchor: PeriodAnchor
    package internal(set) var state: State
    package internal(set) var renewal: RenewalPreference
    /// Automatic renewals since the last purchase.
    package internal(set) var renewals: Int
    /// Paid days, by the products' durations. Win-back offers require a minimum.
    package internal(set) var paidDays: Int
    /// Milliseconds of paid service in the group before the newest period, without gaps longer than 60 days.
    package internal(set) var paidService: Int64
    /// The start of the newest purchase after a long gap in paid service.
    package internal(set) var recentSubscriptionStartDate: Instant
    /// The purchaser's periods behind a member subscription; `nil` for a purchased subscription.
    @Boxed package internal(set) var source: FamilySharingSource?
    /// Rarely used state; `nil` if all of it is empty.
    @Boxed var offerHistory: OfferHistory?

    /// The state of a subscription. Each case has exactly the dates it needs.
    package enum State: Hashable, Sendable {
        /// Paid, or in a free offer, until `until`. The renewal is charged at `chargeAt`, which is no later.
        case active(until: Instant, chargeAt: Instant)
        /// The renewal's charge was declined; access continues.
        case gracePeriod(BillingFailure, until: Instant)
        /// The renewal's charge was declined; access has ended.
        case billingRetry(BillingFailure, graceEnded: Instant?)
        /// - Parameters:
        ///   - at: When it expired.
        ///   - paidUntil: The end of the last period.
        case expired(at: Instant, paidUntil: Instant, ExpirationIntent)
        case revoked(at: Instant, Revocation)
    }

    /// A renewal whose charge was declined.
    package struct BillingFailure: Hashable, Sendable {
        /// The end of the last period.
        package let expired: Instant
        /// The instant of the next attempt; `retryUntil` if there is none.
        package internal(set) var nextAttempt: Instant
        /// The end of billing retry.
        package let retryUntil: Instant
    }

    /// A revocation of access.
    package struct Revocation: Hashable, Sendable {
        package enum Cause: String, Sendable, Codable, CaseIterable {
            case refund
            /// The purchaser left the family, stopped sharing, or got a refund.
            case family
        }

        package let cause: Cause
        /// The end of the last period, which a reversal restores.
        package let paidUntil: Instant
        /// The reason why it had ended before the revocation; `nil` if it was active.
        package let ended: ExpirationIntent?
    }

    /// Returns the subscription with another application username.
    package func named(_ applicationUsername: String) -> Subscription {
        var subscription = self
        subscription.applicationUsername = applicationUsername
        return subscription
    }

    /// The product of the newest period.
    package var product: SubscribedProduct { current.product }

    /// The end of the newest period sold.
    package var paidUntil: Instant {
        switch state {
        case .active(let until, _): until
        case .gracePeriod(let failure, _), .billingRetry(let failure, _): failure.expired
        case .expired(_, let paidUntil, _): paidUntil
        case .revoked(_, let revocation): revocation.paidUntil
        }
    }

    /// Returns true if the customer has access.
    package func isEntitled(at now: Instant) -> Bool {
        switch state {
        case .active(let until, _), .gracePeriod(_, let until): now < until
        case .billingRetry, .expired, .revoked: false
        }
    }
}

/// The reason why a subscription ended, with the App Store Server API's numbers (`expirationIntent`).
package enum ExpirationIntent: Int64, Sendable, Codable, CaseIterable {
    case customerCancelled = 1
    case billingError = 2
    case priceIncreaseDeclined = 3
    case productUnavailable = 4
    case other = 5
}

extension TransactionID: Codable {}
extension Account.ID: Codable {}
extension Transaction.Ownership: Codable {}
extension AppliedOffer.Kind: Codable {}

extension Subscription {
    /// The offers, renewal extensions and price increase of a subscription's past. Most subscriptions have none.
    package struct OfferHistory: Hashable, Sendable {
        var offersUsed: [OfferUse] = []
        var extensions: [GrantedExtension] = []
        var lastPriceIncrease: Instant?
        /// Milliseconds that extensions added to the newest period.
        var unpaidTime: Int64 = 0

        package init() {}
    }

    /// The offers redeemed in this group, each once with its last use.
    package internal(set) var offersUsed: [OfferUse] {
        get { offerHistory?.offersUsed ?? [] }
        set { updateOfferHistory { $0.offersUsed = newValue } }
    }

    package internal(set) var extensions: [GrantedExtension] {
        get { offerHistory?.extensions ?? [] }
        set { updateOfferHistory { $0.extensions = newValue } }
    }

    package internal(set) var lastPriceIncrease: Instant? {
        get { offerHistory?.lastPriceIncrease }
        set { updateOfferHistory { $0.lastPriceIncrease = newValue } }
    }

    /// Milliseconds that extensions added to the newest period, for which nothing was paid.
    var unpaidTime: Int64 {
        get { offerHistory?.unpaidTime ?? 0 }
        set { updateOfferHistory { $0.unpaidTime = newValue } }
    }

    private mutating func updateOfferHistory(_ change: (inout OfferHistory) -> Void) {
        var changed = offerHistory ?? OfferHistory()
        change(&changed)
        offerHistory = changed == OfferHistory() ? nil : changed
    }
}
