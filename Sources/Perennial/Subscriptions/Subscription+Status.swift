/// The server API's `status` of a subscription.
package enum SubscriptionStatus: Int64, Sendable, Codable, CaseIterable {
    case active = 1
    case expired = 2
    case billingRetry = 3
    case gracePeriod = 4
    case revoked = 5
}

/// The next renewal as the protocols report it (`JWSRenewalInfoDecodedPayload`, `pending_renewal_info`).
package struct RenewalInfo: Hashable, Sendable {
    package let originalTransactionID: TransactionID
    package let productID: Product.ID
    package let autoRenewProductID: Product.ID
    /// 1 on, 0 off.
    package let autoRenewStatus: Int64
    package let expirationIntent: ExpirationIntent?
    /// `nil` without a billing problem: the field is left out.
    package let isInBillingRetry: Bool?
    package let gracePeriodExpires: Instant?
    /// The end of the last paid period, which may lie in the past.
    package let renewalDate: Instant
    package let recentSubscriptionStartDate: Instant
    /// 0 while an answer is awaited, 1 after consent or notice; `nil` without an increase.
    package let priceIncreaseStatus: Int64?
    /// The status of an increase that needs consent; `nil` if none does.
    package let priceConsentStatus: Int64?
    /// The offer of the next renewal.
    package let offer: AppliedOffer?
    package let renewalPrice: Money
    package let applicationUsername: String?
}

extension Subscription {
    package func status(at now: Instant) -> SubscriptionStatus {
        switch state {
        case .active(let until, _): now < until ? .active : .expired
        case .gracePeriod(_, let until): now < until ? .gracePeriod : .billingRetry
        case .billingRetry: .billingRetry
        case .expired: .expired
        case .revoked: .revoked
        }
    }

    /// True if the subscription has expired or was revoked. Only a new purchase continues it.
    package var hasEnded: Bool {
        switch state {
        case .active, .gracePeriod, .billingRetry: false
        case .expired, .revoked: true
        }
    }

    /// 1 on, 0 off.
    package var autoRenewStatus: Int64 { renewal.isOn ? 1 : 0 }

    /// The reason why the subscription ended; a billing error while a charge is retried.
    package var expirationIntent: ExpirationIntent? {
        switch state {
        case .active, .revoked: nil
        case .gracePeriod, .billingRetry: .billingError
        case .expired(_, _, let intent): intent
        }
    }

    /// True while a charge is retried, also in the grace period; `nil` without a billing problem.
    package var isInBillingRetry: Bool? {
        switch state {
        case .active, .revoked: nil
        case .gracePeriod, .billingRetry: true
        case .expired: false
        }
    }

    /// True if the customer cancelled in the grace period or in billing retry, which ends both.
    ///
    /// A subscription that was cancelled in time expires at the period's end, otherwise after it.
    package var wasCancelledInBillingRetry: Bool {
        guard case .expired(let at, let paidUntil, .customerCancelled) = state else { return false }
        return at > paidUntil
    }

    /// The end of the current grace period, or of the one before billing retry.
    package var gracePeriodExpires: Instant? {
        switch state {
        case .gracePeriod(_, let until): until
        case .billingRetry(_, let graceEnded): graceEnded
        case .active, .expired, .revoked: nil
        }
    }

    package var renewalInfo: RenewalInfo {
        RenewalInfo(
            originalTransactionID: id, productID: product.id, autoRenewProductID: renewal.productID,
            autoRenewStatus: autoRenewStatus, expirationIntent: expirationIntent, isInBillingRetry: isInBillingRetry,
            gracePeriodExpires: gracePeriodExpires, renewalDate: paidUntil,
            recentSubscriptionStartDate: recentSubscriptionStartDate,
            priceIncreaseStatus: renewal.priceIncrease?.status,
            priceConsentStatus: renewal.priceIncrease.flatMap { $0.asksForConsent ? $0.status : nil },
            offer: nextOffer?.terms.applied, renewalPrice: nextPrice, applicationUsername: applicationUsername)
    }
}
