/// A change of product between two periods of a subscription.
enum LifecyclePlanChange: Sendable, CaseIterable {
    case same
    case upgrade
    case downgrade
    case crossgrade
}

extension SubscriptionLifecycle.Sale {
    /// Returns the change from an earlier period. Products of an unknown level count as on the same one.
    func planChange(from earlier: SubscriptionLifecycle.Sale) -> LifecyclePlanChange {
        if product == earlier.product { return .same }
        guard let level, let before = earlier.level, level != before else { return .crossgrade }
        return level < before ? .upgrade : .downgrade
    }

    /// Returns the name of the event that this sale is: one for the state before, the change of product, and the offer
    /// before and after.
    ///
    /// Apple's list isn't closed. A sale for which the known part of the list has no name of its own counts as the
    /// nearest one, and the columns of the offer say the rest: offers of the same kind that continue are renewals.
    func eventName(after lifecycle: SubscriptionLifecycle?) -> SubscriptionReportEvent.Name {
        guard let lifecycle else { return startName(else: .subscribe) }
        let change = planChange(from: lifecycle.current)
        switch lifecycle.state {
        case .ended: return reactivationName(change)
        case .gracePeriod: return Self.graceNames[change] ?? .renewalsFromGracePeriod
        case .billingRetry:
            if offer?.kind == .introductory, change == .same { return .introductoryOfferFromBillingRetry }
            return Self.retryNames[change] ?? .renewalFromBillingRetry
        case .active: return renewalName(after: lifecycle.current, change)
        }
    }

    private func startName(else name: SubscriptionReportEvent.Name) -> SubscriptionReportEvent.Name {
        switch offer?.kind {
        case .introductory: .startIntroductoryOffer
        case .promotional: .startPromotionalOffer
        case .code: .startOfferCode
        case .winBack, nil: name
        }
    }

    private func reactivationName(_ change: LifecyclePlanChange) -> SubscriptionReportEvent.Name {
        switch offer?.kind {
        case .introductory: .reactivateToIntroductoryOffer
        case .promotional: .reactivationToPromotionalOffer
        case .code: .startOfferCode
        case .winBack, nil:
            switch change {
            case .same: .reactivate
            case .upgrade: .reactivateWithUpgrade
            case .downgrade: .reactivateWithDowngrade
            case .crossgrade: .reactivateWithCrossgrade
            }
        }
    }

    private func renewalName(
        after earlier: SubscriptionLifecycle.Sale, _ change: LifecyclePlanChange
    ) -> SubscriptionReportEvent.Name {
        if change == .same, offer == earlier.offer { return .renew }
        let plain = Self.renewalNames[change] ?? .renew
        switch (earlier.offer?.kind, offer?.kind) {
        case (.introductory, .introductory): return .introductoryOfferFromIntroductoryOffer
        case (_, .introductory): return .introductoryPriceFromPaidSubscription
        case (.winBack, .promotional): return .promotionalOfferFromWinBackOffer
        case (_, .promotional), (_, .code): return startName(else: plain)
        case (.introductory, nil): return Self.introductoryNames[change] ?? .paidFromIntroductoryOffer
        case (.winBack, nil): return change == .upgrade ? .paidFromWinBackOfferWithUpgrade : plain
        case (_, .winBack), (_, nil): return plain
        }
    }

    private static let renewalNames: [LifecyclePlanChange: SubscriptionReportEvent.Name] = [
        .upgrade: .upgrade, .downgrade: .downgrade, .crossgrade: .crossgrade,
    ]
    private static let introductoryNames: [LifecyclePlanChange: SubscriptionReportEvent.Name] = [
        .upgrade: .upgradeFromIntroductoryOffer, .downgrade: .downgradeFromIntroductoryOffer,
        .crossgrade: .crossgradeFromIntroductoryOffer,
    ]
    private static let retryNames: [LifecyclePlanChange: SubscriptionReportEvent.Name] = [
        .upgrade: .upgradeFromBillingRetry, .downgrade: .downgradeFromBillingRetry,
        .crossgrade: .crossgradeFromBillingRetry,
    ]
    private static let graceNames: [LifecyclePlanChange: SubscriptionReportEvent.Name] = [
        .upgrade: .upgradeFromGracePeriod, .downgrade: .downgradeFromGracePeriod,
        .crossgrade: .crossgradeFromGracePeriod,
    ]
}

extension SubscriptionLifecycle {
    /// The event of a charge that failed for good or at the end of grace. The start of a grace period has none.
    var retryEventName: SubscriptionReportEvent.Name {
        current.offer?.kind == .introductory ? .billingRetryFromIntroductoryOffer : .billingRetryFromPaidSubscription
    }

    /// The event of the end of service.
    var cancelEventName: SubscriptionReportEvent.Name {
        switch state {
        case .gracePeriod: .canceledFromGracePeriod
        case .billingRetry: .canceledFromBillingRetry
        case .active, .ended: isExtended ? .canceledAfterExtension : .cancel
        }
    }
}
