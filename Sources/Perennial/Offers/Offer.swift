/// An offer for a subscription: a price for some of its periods.
package struct Offer: Hashable, Sendable, Codable {
    package enum PaymentMode: String, Sendable, Codable, CaseIterable {
        case freeTrial
        /// The offer's price for each of `periodCount` periods.
        case payAsYouGo
        /// One price for the whole span.
        case payUpFront
    }

    /// The groups of customers that an offer code is for.
    package enum Eligibility: String, Sendable, Codable, CaseIterable {
        case new, existing, expired
    }

    /// The offer's ID; `nil` for an introductory offer, which has none.
    package var id: String?
    package var referenceName: String
    package var paymentMode: PaymentMode
    package var period: Period
    package var periodCount: Int
    /// The price in storefronts without one in `prices`; zero for a free trial.
    package var basePrice: Money
    package var prices: [Storefront: Money]
    /// The groups of customers; offer codes only.
    package var eligibility: Set<Eligibility>
    /// True if the offer can follow the introductory one; offer codes only.
    package var isStackable: Bool
    /// The eligibility rules; win-back offers only. `nil` for the default rules.
    package var winBackRules: WinBackRules?
    /// The storefronts and dates; `nil` for all storefronts and no dates.
    package var availability: OfferAvailability?

    package init(
        id: String?, referenceName: String = "", paymentMode: PaymentMode, period: Period, periodCount: Int = 1,
        basePrice: Money, prices: [Storefront: Money] = [:], eligibility: Set<Eligibility> = [],
        isStackable: Bool = false, winBackRules: WinBackRules? = nil, availability: OfferAvailability? = nil
    ) {
        self.id = id
        self.referenceName = referenceName
        self.paymentMode = paymentMode
        self.period = period
        self.periodCount = periodCount
        self.basePrice = basePrice
        self.prices = prices
        self.eligibility = eligibility
        self.isStackable = isStackable
        self.winBackRules = winBackRules
        self.availability = availability
    }
}
