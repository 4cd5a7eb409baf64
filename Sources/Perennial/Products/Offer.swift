/// A price of its own for some periods of a subscription.
package struct Offer: Hashable, Sendable, Codable {
    package enum PaymentMode: String, Sendable, Codable, CaseIterable {
        case freeTrial
        /// The offer's price for each of `periodCount` periods.
        case payAsYouGo
        /// One price for the whole span.
        case payUpFront
    }

    /// Whom an offer code is for.
    package enum Eligibility: String, Sendable, Codable, CaseIterable {
        case new, existing, expired
    }

    /// `nil` for an introductory offer, which has no name of its own.
    package var id: String?
    package var referenceName: String
    package var paymentMode: PaymentMode
    package var period: Period
    package var periodCount: Int
    /// The price where `prices` says nothing; zero for a free trial.
    package var basePrice: Money
    package var prices: [Storefront: Money]
    /// Codes only.
    package var eligibility: Set<Eligibility>
    /// Codes only: whether the offer comes on top of the introductory one.
    package var isStackable: Bool
    /// Win-back offers only: which customers who left may have it; `nil` for the rules that hold without more.
    package var winBackRules: WinBackRules?

    package init(
        id: String?, referenceName: String = "", paymentMode: PaymentMode, period: Period, periodCount: Int = 1,
        basePrice: Money, prices: [Storefront: Money] = [:], eligibility: Set<Eligibility> = [],
        isStackable: Bool = false, winBackRules: WinBackRules? = nil
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
    }
}
