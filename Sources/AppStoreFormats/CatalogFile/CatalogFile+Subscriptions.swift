extension CatalogFile {
    /// The settings of an auto-renewable subscription.
    public struct Subscription: Hashable, Sendable {
        /// The position in the file.
        public var position: Position
        /// The subscription group.
        public var group: String?
        /// The level of service in the group; 1 is the highest.
        public var level: Int?
        /// An ISO 8601 duration.
        public var period: String?
        /// False if the seller has not set the period yet.
        public var hasPeriod: Bool?
        /// The introductory offer of all storefronts without dates.
        public var introductoryOffer: Offer?
        /// The introductory offers of single storefronts, or with dates; `nil` if the key is missing.
        public var introductoryOffers: [Offer]?
        /// The promotional offers; `nil` if the key is missing, which keeps those of a `.storekit` file.
        public var promotionalOffers: [Offer]?
        /// The offers that codes grant; `nil` if the key is missing.
        public var codeOffers: [Offer]?
        /// The win-back offers; `nil` if the key is missing.
        public var winBackOffers: [Offer]?
    }

    /// An offer of an auto-renewable subscription.
    public struct Offer: Hashable, Sendable {
        /// The position in the file.
        public var position: Position
        /// The identifier; missing for an introductory offer.
        public var id: String?
        /// The name for the seller.
        public var referenceName: String?
        /// `freeTrial`, `payAsYouGo` or `payUpFront`.
        public var paymentMode: String
        /// An ISO 8601 duration.
        public var period: String
        /// The number of periods.
        public var periodCount: Int
        /// The price in the default storefront.
        public var price: Price?
        /// The prices by storefront.
        public var prices: [String: Price]
        /// `new`, `existing` and `expired`: codes only.
        public var eligibility: [String]
        /// True if the offer comes on top of the introductory offer; codes only.
        public var isStackable: Bool
        /// The customers who may have the offer; win-back offers only.
        public var eligible: WinBackEligibility?
        /// The storefronts and dates; missing for all storefronts and no dates.
        public var availability: OfferAvailability?
    }

    /// The storefronts and dates of an offer.
    public struct OfferAvailability: Hashable, Sendable {
        /// The storefronts' codes; missing for all.
        public var storefronts: [String]?
        /// The first instant, an RFC 3339 time.
        public var starts: String?
        /// The end, exclusive.
        public var ends: String?
        /// False for an offer that the seller has ended.
        public var isActive: Bool
    }

    /// The customers who may have a win-back offer after they left, in months.
    public struct WinBackEligibility: Hashable, Sendable {
        /// The least number of months that they have paid in all.
        public var paid: Int?
        /// The least and the greatest number of months since the subscription ended.
        public var sinceEnd: Int?
        /// The greatest number of months since the subscription ended.
        public var sinceEndAtMost: Int?
        /// The least number of months since their last win-back offer.
        public var betweenOffers: Int?
    }
}
