/// A customer's auto-renewable subscription: one for each customer and subscription group, from the first purchase on.
///
/// A value without a clock. Everything that happens to it goes through ``decide(_:at:in:id:)``; ``nextDue`` says when
/// it must be looked at without anything having happened.
package struct Subscription: Hashable, Sendable {
    /// The original transaction ID: the transaction of the first purchase in the group.
    package let id: TransactionID
    package let accountID: Account.ID
    package let groupID: String
    package let ownership: Transaction.Ownership
    package let originalPurchaseDate: Instant
    package internal(set) var storefront: Storefront
    /// The app's own name for the customer, carried on by renewals.
    package internal(set) var applicationUsername: String?
    /// The newest period that was sold. It may lie ahead, since a renewal is charged before the running period ends.
    package internal(set) var current: SoldPeriod
    /// The period before `current`; it runs until that begins.
    package internal(set) var previous: SoldPeriod?
    package internal(set) var anchor: PeriodAnchor
    package internal(set) var state: State
    package internal(set) var renewal: RenewalPreference
    /// Automatic renewals since the last purchase.
    package internal(set) var renewals: Int
    /// Days for which money was paid, by the products' durations: what win-back offers ask for.
    package internal(set) var paidDays: Int
    /// When the newest purchase after a long gap in paid service began.
    package internal(set) var recentSubscriptionStartDate: Instant
    /// What a family member's copy stands for; `nil` for what the customer bought.
    @Aside package internal(set) var source: SharedSource?
    /// What most subscriptions have none of; `nil` where there is nothing at all.
    @Aside var past: Past?

    /// Where a subscription stands. Each case has the dates that it needs and no others.
    package enum State: Hashable, Sendable {
        /// Paid for, or in a free offer, until its end; the renewal is charged at `chargeAt`, not after the end.
        case active(until: Instant, chargeAt: Instant)
        /// The renewal could not be charged; access goes on.
        case gracePeriod(BillingFailure, until: Instant)
        /// The renewal could not be charged; access has ended.
        case billingRetry(BillingFailure, graceEnded: Instant?)
        /// - Parameter at: When it was given up. `paidUntil` is the end of the last period.
        case expired(at: Instant, paidUntil: Instant, ExpirationIntent)
        case revoked(at: Instant, Withdrawal)
    }

    /// A renewal that could not be charged.
    package struct BillingFailure: Hashable, Sendable {
        /// The end of the last period.
        package let expired: Instant
        /// When the charge is tried next; `retryUntil` when there is no further attempt.
        package internal(set) var nextAttempt: Instant
        /// The end of billing retry.
        package let retryUntil: Instant
    }

    /// Access taken back.
    package struct Withdrawal: Hashable, Sendable {
        package enum Cause: String, Sendable, Codable, CaseIterable {
            case refund
            /// The purchaser left the family, stopped sharing, or was refunded.
            case family
        }

        package let cause: Cause
        /// The end of the last period, which a reversal brings back.
        package let paidUntil: Instant
        /// Why it had ended before it was taken back; `nil` if it was running.
        package let ended: ExpirationIntent?
    }

    /// The same subscription, under another name that the app has for its customer.
    package func named(_ applicationUsername: String) -> Subscription {
        var subscription = self
        subscription.applicationUsername = applicationUsername
        return subscription
    }

    /// What the customer is subscribed to.
    package var product: SubscribedProduct { current.product }

    /// The end of the newest period sold.
    package var paidUntil: Instant {
        switch state {
        case .active(let until, _): until
        case .gracePeriod(let failure, _), .billingRetry(let failure, _): failure.expired
        case .expired(_, let paidUntil, _): paidUntil
        case .revoked(_, let withdrawal): withdrawal.paidUntil
        }
    }

    /// Whether the customer has access.
    package func isEntitled(at now: Instant) -> Bool {
        switch state {
        case .active(let until, _), .gracePeriod(_, let until): now < until
        case .billingRetry, .expired, .revoked: false
        }
    }
}

/// Why a subscription ended, by the App Store Server API's numbers (`expirationIntent`).
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
