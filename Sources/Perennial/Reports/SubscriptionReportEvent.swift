/// An event of Apple's Subscription Event report: the columns of a row without the date and the quantity.
package struct SubscriptionReportEvent: Hashable, Sendable {
    package var name: Name
    package var product: Product.ID
    package var group: String?
    /// The standard duration of the product; `nil` if the catalog doesn't know the product.
    package var period: Period?
    /// The offer of the newest period: the report's offer type, duration, name and ID.
    package var offer: AppliedOffer?
    package var isPricePreserved: Bool
    package var proceedsReason: ProceedsReason?
    /// The paid periods since service started last.
    package var consecutivePaidPeriods: Int
    /// The day of the first purchase of the subscription.
    package var originalStart: PacificDay
    package var device: DeviceFamily?
    package var storefront: Storefront
    /// The product before a change of plan; `nil` for other events.
    package var previousProduct: Product.ID?
    /// Days from the start of service to the cancellation; events of the end of service only.
    package var daysBeforeCanceling: Int?
    package var cancellationReason: CancellationReason?
    /// Days without service before a reactivation.
    package var daysCanceled: Int?
    /// Days of the period that a recovered charge has paid for.
    package var paidServiceDaysRecovered: Int?

    package init(
        _ name: Name, product: Product.ID, group: String? = nil, period: Period? = nil, offer: AppliedOffer? = nil,
        isPricePreserved: Bool = false, proceedsReason: ProceedsReason? = nil, consecutivePaidPeriods: Int,
        originalStart: PacificDay, device: DeviceFamily? = nil, storefront: Storefront,
        previousProduct: Product.ID? = nil, daysBeforeCanceling: Int? = nil,
        cancellationReason: CancellationReason? = nil, daysCanceled: Int? = nil, paidServiceDaysRecovered: Int? = nil
    ) {
        self.name = name
        self.product = product
        self.group = group
        self.period = period
        self.offer = offer
        self.isPricePreserved = isPricePreserved
        self.proceedsReason = proceedsReason
        self.consecutivePaidPeriods = consecutivePaidPeriods
        self.originalStart = originalStart
        self.device = device
        self.storefront = storefront
        self.previousProduct = previousProduct
        self.daysBeforeCanceling = daysBeforeCanceling
        self.cancellationReason = cancellationReason
        self.daysCanceled = daysCanceled
        self.paidServiceDaysRecovered = paidServiceDaysRecovered
    }
}

extension SubscriptionReportEvent {
    /// The texts of the report's `Event` column.
    package enum Name: String, Sendable, CaseIterable {
        case subscribe = "Subscribe"
        case startIntroductoryOffer = "Start Introductory Offer"
        case startPromotionalOffer = "Start Promotional Offer"
        case startOfferCode = "Start Offer Code"

        case cancel = "Cancel"
        case canceledFromBillingRetry = "Canceled from Billing Retry"
        case canceledFromGracePeriod = "Canceled from Billing Grace Period"
        case canceledAfterExtension = "Canceled After Renewal Extension"

        case paidFromIntroductoryOffer = "Paid Subscription from Introductory Offer"
        case upgradeFromIntroductoryOffer = "Upgrade from Introductory Offer"
        case downgradeFromIntroductoryOffer = "Downgrade from Introductory Offer"
        case crossgradeFromIntroductoryOffer = "Crossgrade from Introductory Offer"
        case paidFromWinBackOfferWithUpgrade = "Paid Subscription from Win-Back Offer with Upgrade"

        case reactivate = "Reactivate"
        case reactivateWithUpgrade = "Reactivate with Upgrade"
        case reactivateWithDowngrade = "Reactivate with Downgrade"
        case reactivateWithCrossgrade = "Reactivate with Crossgrade"
        case reactivateToIntroductoryOffer = "Reactivate to Introductory Offer"
        case reactivationToPromotionalOffer = "Reactivation to Promotional Offer"

        case renew = "Renew"
        case renewalFromBillingRetry = "Renewal from Billing Retry"
        case renewalsFromGracePeriod = "Renewals from Grace Period"

        case upgrade = "Upgrade"
        case downgrade = "Downgrade"
        case crossgrade = "Crossgrade"
        case upgradeFromBillingRetry = "Upgrade from Billing Retry"
        case downgradeFromBillingRetry = "Downgrade from Billing Retry"
        case crossgradeFromBillingRetry = "Crossgrade from Billing Retry"
        case upgradeFromGracePeriod = "Upgrade from Grace Period"
        case downgradeFromGracePeriod = "Downgrade from Grace Period"
        case crossgradeFromGracePeriod = "Crossgrade from Grace Period"

        case billingRetryFromPaidSubscription = "Billing Retry from Paid Subscription"
        case billingRetryFromIntroductoryOffer = "Billing Retry from Introductory Offer"
        case introductoryOfferFromBillingRetry = "Introductory Offer from Billing Retry"

        case introductoryOfferFromIntroductoryOffer = "Introductory Offer from Introductory Offer"
        case introductoryPriceFromPaidSubscription = "Introductory Price from Paid Subscription"
        case promotionalOfferFromWinBackOffer = "Promotional Offer from Win-Back Offer"

        case refund = "Refund"
    }

    /// The texts of the report's `Cancellation Reason` column.
    package enum CancellationReason: String, Sendable, CaseIterable {
        case canceled = "Canceled"
        case billingIssue = "Billing issue"
        case priceIncrease = "Price increase"
        case removedFromSale = "Removed from Sale"
        case other = "Other"

        /// Creates the reason of a subscription's end.
        package init(_ intent: ExpirationIntent) {
            self =
                switch intent {
                case .customerCancelled: .canceled
                case .billingError: .billingIssue
                case .priceIncreaseDeclined: .priceIncrease
                case .productUnavailable: .removedFromSale
                case .other: .other
                }
        }
    }
}
