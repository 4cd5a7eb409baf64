/// The price of a subscription's period, in the words of the analytics reports.
package enum AnalyticsPrice: Sendable {
    case freeTrial
    case paidOffer
    case preserved
    case full

    package init(_ offer: AppliedOffer?, isPricePreserved: Bool) {
        switch offer?.paymentMode {
        case .freeTrial: self = .freeTrial
        case .some: self = .paidOffer
        case nil: self = isPricePreserved ? .preserved : .full
        }
    }

    init(_ offer: Offer?) { self = offer?.paymentMode == .freeTrial ? .freeTrial : .paidOffer }

    var isOffer: Bool { self == .freeTrial || self == .paidOffer }

    /// `Free Trial`, `Full Price`.
    var text: String {
        switch self {
        case .freeTrial: "Free Trial"
        case .paidOffer: "Paid Offer"
        case .preserved: "Preserved Price"
        case .full: "Full Price"
        }
    }

    /// The price in the names of churn and refunds.
    var plural: String {
        switch self {
        case .freeTrial: "Free Trials"
        case .paidOffer: "Paid Offers"
        case .preserved, .full: text
        }
    }
}

/// A metric of an analytics report with the group that it belongs to.
package struct AnalyticsMetric: Hashable, Sendable {
    package var name: String
    package var grouping: String

    init(_ name: String, _ grouping: String) {
        self.name = name
        self.grouping = grouping
    }

    /// The metric that counts a subscription at the end of a day.
    package init(_ snapshot: ReportSnapshot) {
        switch snapshot.state {
        case .gracePeriod: self.init("Grace period", "Billing issue")
        case .billingRetry: self.init("Billing retry", "Billing issue")
        case .active:
            switch AnalyticsPrice(snapshot.offer, isPricePreserved: snapshot.isPricePreserved) {
            case .freeTrial: self.init("Free trials", "Subscription offers")
            case .paidOffer: self.init("Paid offers", "Subscription offers")
            case .preserved: self.init("Preserved price", "Paid plans")
            case .full: self.init("Full price", "Paid plans")
            }
        }
    }

    /// The metric that counts an event.
    ///
    /// - Parameter introductory: The product's introductory offer, which events that follow one name.
    package init(_ event: SubscriptionReportEvent, introductory: Offer?) {
        let price = AnalyticsPrice(event.offer, isPricePreserved: event.isPricePreserved)
        let former = AnalyticsPrice(introductory)
        switch event.name {
        case .subscribe, .startIntroductoryOffer, .startPromotionalOffer, .startOfferCode, .reactivate,
            .reactivateWithUpgrade, .reactivateWithDowngrade, .reactivateWithCrossgrade,
            .reactivateToIntroductoryOffer, .reactivationToPromotionalOffer:
            self =
                price.isOffer
                ? Self("\(price.text) Starts", "Offer Starts")
                : Self("\(price.text) Subscription Starts", "Paid Subscription Starts")
        case .renew:
            self = Self("\(price.text) Renewals", price.isOffer ? "Offer Renewals" : "Renewals")
        case .paidFromIntroductoryOffer, .upgradeFromIntroductoryOffer, .downgradeFromIntroductoryOffer,
            .crossgradeFromIntroductoryOffer:
            self = Self("\(price.text) from \(former.text)", "Paid Subscriptions from Offers")
        case .paidFromWinBackOfferWithUpgrade:
            self = Self("\(price.text) from Paid Offer", "Paid Subscriptions from Offers")
        case .billingRetryFromPaidSubscription:
            self = Self("Entered Billing Retry from \(price.text)", "Entered Billing Issue")
        case .billingRetryFromIntroductoryOffer:
            self = Self(
                "Entered Billing Retry from \(price.isOffer ? price.text : former.text)", "Entered Billing Issue")
        case .renewalFromBillingRetry, .upgradeFromBillingRetry, .downgradeFromBillingRetry,
            .crossgradeFromBillingRetry, .introductoryOfferFromBillingRetry:
            self = Self("\(price.text) Recoveries from Billing Retry", "Recoveries from Billing Issue")
        case .renewalsFromGracePeriod, .upgradeFromGracePeriod, .downgradeFromGracePeriod, .crossgradeFromGracePeriod:
            self = Self("\(price.text) Recoveries from Grace Period", "Recoveries from Billing Issue")
        case .cancel, .canceledAfterExtension, .canceledFromBillingRetry, .canceledFromGracePeriod:
            let kind = event.isInvoluntary ? "Involuntary" : "Voluntary"
            self = Self("\(kind) Churn from \(price.plural)", "\(kind) Churn")
        case .upgrade, .downgrade, .crossgrade: self = Self("Plan Changes", "Exits")
        case .introductoryOfferFromIntroductoryOffer, .promotionalOfferFromWinBackOffer:
            self = Self("Offer to Offer", "Exits")
        case .introductoryPriceFromPaidSubscription: self = Self("Offers from Paid", "Exits")
        case .refund: self = Self("Refunds from \(price.plural)", "Exits")
        }
    }
}

extension SubscriptionReportEvent {
    /// True for an end of service that the customer didn't ask for.
    fileprivate var isInvoluntary: Bool {
        name == .canceledFromBillingRetry || name == .canceledFromGracePeriod || cancellationReason == .billingIssue
    }

    /// The text of the column `Plan Change Type`; empty for an event without a change.
    package var analyticsPlanChange: String {
        guard previousProduct != nil else { return "" }
        let text = name.rawValue.lowercased()
        return ["Upgrade", "Downgrade", "Crossgrade"].first { text.contains($0.lowercased()) } ?? ""
    }

    /// The text of the column `Cancellation Reason`; empty for an event that is no end of service.
    package var analyticsCancellationReason: String {
        switch cancellationReason {
        case .canceled: "Turned off auto-renew"
        case .billingIssue: "Billing issue"
        case .priceIncrease: "Price increase"
        case .removedFromSale: "Removed from Sale"
        case .other: "Unavailable"
        case nil: ""
        }
    }
}

extension AppliedOffer.Kind {
    /// The text of the column `Offer Type`.
    package var analyticsText: String {
        switch self {
        case .introductory: "Introductory offer"
        case .promotional: "Promotional offer"
        case .code: "Offer code"
        case .winBack: "Win-back offer"
        }
    }
}
