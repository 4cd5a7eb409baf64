/// The server API's `status` of a subscription.
package enum SubscriptionStatus: Int64, Sendable, Codable, CaseIterable {
    case active = 1
    case expired = 2
    case billingRetry = 3
    case gracePeriod = 4
    case revoked = 5
}

/// What protocols say about a subscription's next renewal (`JWSRenewalInfoDecodedPayload`, `pending_renewal_info`).
package struct RenewalInfo: Hashable, Sendable {
    package let originalTransactionID: TransactionID
    package let productID: Product.ID
    package let autoRenewProductID: Product.ID
    /// 1 on, 0 off.
    package let autoRenewStatus: Int64
    package let expirationIntent: ExpirationIntent?
    /// `nil` where there has been no billing problem: the field is left out.
    package let isInBillingRetry: Bool?
    package let gracePeriodExpires: Instant?
    /// May lie in the past.
    package let renewalDate: Instant
    package let recentSubscriptionStartDate: Instant
    /// 0 awaiting an answer, 1 agreed or notified; `nil` without an increase.
    package let priceIncreaseStatus: Int64?
    /// The same of an increase that needs the customer's consent; `nil` where none does.
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

    /// Whether nothing comes of it any more, unless somebody buys: it expired, or was taken back.
    package var hasEnded: Bool {
        switch state {
        case .active, .gracePeriod, .billingRetry: false
        case .expired, .revoked: true
        }
    }

    /// 1 on, 0 off.
    package var autoRenewStatus: Int64 { renewal.isOn ? 1 : 0 }

    /// Why the subscription ended; while a charge is being retried, that it is a billing error.
    package var expirationIntent: ExpirationIntent? {
        switch state {
        case .active, .revoked: nil
        case .gracePeriod, .billingRetry: .billingError
        case .expired(_, _, let intent): intent
        }
    }

    /// Whether a charge is being retried, grace included; `nil` where there was no billing problem.
    package var isInBillingRetry: Bool? {
        switch state {
        case .active, .revoked: nil
        case .gracePeriod, .billingRetry: true
        case .expired: false
        }
    }

    /// Whether the customer cancelled in the grace period or in billing retry, which ended both.
    ///
    /// Who cancels in time leaves when the period ends; who cancels while a charge is retried leaves after that.
    package var wasCancelledInBillingRetry: Bool {
        guard case .expired(let at, let paidUntil, .customerCancelled) = state else { return false }
        return at > paidUntil
    }

    /// The end of the grace period that runs or ran before the charge was retried without access.
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
