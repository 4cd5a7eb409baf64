/// The snapshot of a subscription at an instant: everything by which Apple's Subscription report groups, and the count
/// that includes it.
///
/// A subscription whose service has ended has none. The end-of-day counts of the report are the numbers of equal
/// snapshots.
package struct ReportSnapshot: Hashable, Sendable {
    /// The states of a subscription that Apple's report counts.
    package enum State: String, Sendable, Codable, CaseIterable {
        /// Paid, or in a free offer.
        case active
        case gracePeriod
        case billingRetry
    }

    package var product: Product.ID
    package var group: String?
    /// The standard duration of the product; `nil` if the catalog doesn't know the product.
    package var period: Period?
    /// The offer of the newest period.
    package var offer: AppliedOffer?
    /// The price of the newest period.
    package var customerPrice: Money
    /// The seller's proceeds of the newest period.
    package var proceeds: Money
    package var isPricePreserved: Bool
    package var proceedsReason: ProceedsReason?
    /// The device of the last purchase.
    package var device: DeviceFamily?
    package var storefront: Storefront
    package var state: State

    package init(
        product: Product.ID, group: String? = nil, period: Period? = nil, offer: AppliedOffer? = nil,
        customerPrice: Money, proceeds: Money, isPricePreserved: Bool = false, proceedsReason: ProceedsReason? = nil,
        device: DeviceFamily? = nil, storefront: Storefront, state: State = .active
    ) {
        self.product = product
        self.group = group
        self.period = period
        self.offer = offer
        self.customerPrice = customerPrice
        self.proceeds = proceeds
        self.isPricePreserved = isPricePreserved
        self.proceedsReason = proceedsReason
        self.device = device
        self.storefront = storefront
        self.state = state
    }
}

extension ReportSnapshot {
    /// The columns of counts in Apple's Subscription report, with their headers in version 1_3.
    package enum Count: String, Sendable, CaseIterable {
        case standardPrice = "Active Standard Price Subscriptions"
        case introductoryFreeTrial = "Active Free Trial Introductory Offer Subscriptions"
        case introductoryPayUpFront = "Active Pay Up Front Introductory Offer Subscriptions"
        case introductoryPayAsYouGo = "Active Pay as You Go Introductory Offer Subscriptions"
        case promotionalFreeTrial = "Free Trial Promotional Offer Subscriptions"
        case promotionalPayUpFront = "Pay Up Front Promotional Offer Subscriptions"
        case promotionalPayAsYouGo = "Pay As You Go Promotional Offer Subscriptions"
        case codeFreeTrial = "Free Trial Offer Code Subscriptions"
        case codePayUpFront = "Pay Up Front Offer Code Subscriptions"
        case codePayAsYouGo = "Pay As You Go Offer Code Subscriptions"
        case billingRetry = "Billing Retry"
        case gracePeriod = "Grace Period"
        case winBackFreeTrial = "Free Trial Win-back Offers"
        case winBackPayUpFront = "Pay Up Front Win-back Offers"
        case winBackPayAsYouGo = "Pay As You Go Win-back Offers"
    }

    /// The column that counts the subscription.
    package var count: Count {
        switch state {
        case .gracePeriod: .gracePeriod
        case .billingRetry: .billingRetry
        case .active: offer.flatMap { Count($0) } ?? .standardPrice
        }
    }

    /// True if the newest period is a free trial.
    package var isFreeTrial: Bool { offer?.paymentMode == .freeTrial }

    /// True if the subscription is paid for and its service runs. The grace period counts, billing retry doesn't.
    package var isPaid: Bool { state != .billingRetry && customerPrice.milliunits > 0 }

    /// The monthly recurring revenue: the price of the newest period for a month, rounded down; zero unless it is paid.
    ///
    /// A month has 30 days or 4 weeks, a year 12 months. The price of an offer paid up front is spread over the offer.
    package var monthlyRevenue: Money {
        guard isPaid, let span = offer?.period ?? period else { return .zero(customerPrice.currency) }
        let (factor, divisor): (Int64, Int64) =
            switch span.unit {
            case .day: (30, Int64(span.count))
            case .week: (4, Int64(span.count))
            case .month: (1, Int64(span.count))
            case .year: (1, 12 * Int64(span.count))
            }
        return Money(
            milliunits: customerPrice.milliunits.clampedMultiplied(by: factor) / max(divisor, 1),
            customerPrice.currency)
    }
}

extension ReportSnapshot.Count {
    /// Creates the column of an offer; `nil` for an offer of products that don't renew.
    package init?(_ offer: AppliedOffer) {
        switch (offer.kind, offer.paymentMode) {
        case (.introductory, .freeTrial): self = .introductoryFreeTrial
        case (.introductory, .payUpFront): self = .introductoryPayUpFront
        case (.introductory, .payAsYouGo): self = .introductoryPayAsYouGo
        case (.promotional, .freeTrial): self = .promotionalFreeTrial
        case (.promotional, .payUpFront): self = .promotionalPayUpFront
        case (.promotional, .payAsYouGo): self = .promotionalPayAsYouGo
        case (.code, .freeTrial): self = .codeFreeTrial
        case (.code, .payUpFront): self = .codePayUpFront
        case (.code, .payAsYouGo): self = .codePayAsYouGo
        case (.winBack, .freeTrial): self = .winBackFreeTrial
        case (.winBack, .payUpFront): self = .winBackPayUpFront
        case (.winBack, .payAsYouGo): self = .winBackPayAsYouGo
        case (_, .oneTime): return nil
        }
    }
}
