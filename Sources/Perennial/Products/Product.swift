/// The types of in-app purchase, with their rules of repetition, restoring and expiry.
package enum ProductType: String, Sendable, Hashable, Codable, CaseIterable {
    case consumable
    case nonConsumable
    case autoRenewable
    case free
    case nonRenewing

    /// True if `restoreCompletedTransactions` restores it. Consumables and non-renewing subscriptions are not
    /// restored.
    package var isRestorable: Bool {
        switch self {
        case .nonConsumable, .autoRenewable, .free: true
        case .consumable, .nonRenewing: false
        }
    }

    /// True if the protocols treat it as an auto-renewable subscription, whose receipts need the shared secret.
    package var renews: Bool { self == .autoRenewable || self == .free }
}

/// A product in the seller's catalog.
package struct Product: Hashable, Sendable, Codable {
    /// The seller's ID of a product, unique in an app: `com.example.magazine.monthly`.
    package struct ID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package var description: String { rawValue }
        package static func < (one: ID, other: ID) -> Bool { one.rawValue < other.rawValue }
    }

    /// The review state of a product.
    package enum State: String, Sendable, Codable, CaseIterable {
        case readyToSubmit
        case waitingForReview
        case inReview
        /// Rejected for its metadata only.
        case developerActionNeeded
        case rejected
        /// Removed by the store's operator.
        case removedFromSale
        /// Approved. Production sells only approved products; Sandbox sells all that are cleared for sale.
        case approved
    }

    package struct Localization: Hashable, Sendable, Codable {
        /// A language with or without a region, such as `en_US` or `de`.
        package var locale: String
        package var displayName: String
        package var description: String

        package init(locale: String, displayName: String, description: String) {
            self.locale = locale
            self.displayName = displayName
            self.description = description
        }
    }

    /// The properties of an auto-renewable subscription.
    package struct Subscription: Hashable, Sendable, Codable {
        package var groupID: String
        /// 1 is the highest level of service.
        package var level: Int
        package var period: Period
        /// False if the seller has not set the period yet: then no environment sells the subscription.
        package var hasPeriod: Bool {
            get { lacksPeriod != true }
            set { lacksPeriod = newValue ? nil : true }
        }
        /// `nil` for a subscription with a period, so that its stored definition has no such key.
        private var lacksPeriod: Bool?
        /// The introductory offer of all storefronts without dates.
        package var introductoryOffer: Offer?
        /// The introductory offers of single storefronts, or with dates. They come before ``introductoryOffer``.
        package var limitedIntroductoryOffers: [Offer] {
            get { introductoryOffersWithLimits ?? [] }
            set { introductoryOffersWithLimits = newValue.isEmpty ? nil : newValue }
        }
        /// `nil` in place of none, so that a definition stored before such offers existed has no such key.
        private var introductoryOffersWithLimits: [Offer]?
        package var promotionalOffers: [Offer]
        package var codeOffers: [Offer]
        package var winBackOffers: [Offer]

        package init(
            groupID: String, level: Int, period: Period, introductoryOffer: Offer? = nil,
            promotionalOffers: [Offer] = [],
            codeOffers: [Offer] = [], winBackOffers: [Offer] = []
        ) {
            self.groupID = groupID
            self.level = level
            self.period = period
            self.introductoryOffer = introductoryOffer
            self.promotionalOffers = promotionalOffers
            self.codeOffers = codeOffers
            self.winBackOffers = winBackOffers
        }
    }

    package var id: ID
    /// The product's Apple ID: verifyReceipt's `item_id`.
    package var appleID: Int64
    package var type: ProductType
    /// The name in the seller's reports.
    package var referenceName: String
    package var isFamilyShareable: Bool
    package var state: State
    package var isClearedForSale: Bool
    package var localizations: [Localization]
    /// The prices of storefronts with their own.
    package var prices: [Storefront: Money] {
        get { ownPrices.prices }
        set { ownPrices.prices = newValue }
    }
    private var ownPrices: StorefrontPriceTexts
    /// The price in storefronts without one in `prices`.
    package var basePrice: Money
    /// The subscription's properties; `.autoRenewable` only.
    package var subscription: Subscription?
    /// The code offers of a product that doesn't renew. A subscription has its own.
    package var codeOffers: [OneTimeOffer] {
        get { oneTimeOffers ?? [] }
        set { oneTimeOffers = newValue.isEmpty ? nil : newValue }
    }
    /// `nil` in place of none, so that a definition stored before such offers existed has no such key.
    private var oneTimeOffers: [OneTimeOffer]?
    /// False if the catalog gives the product no price: its prices are 0, and Production doesn't sell it.
    package var isPriced: Bool {
        get { lacksPrice != true }
        set { lacksPrice = newValue ? nil : true }
    }
    /// `nil` for a product with a price, so that its stored definition has no such key.
    private var lacksPrice: Bool?
    /// The prices that take effect later, by the catalog.
    package var priceSchedule: [ScheduledPrice] {
        get { laterPrices?.prices ?? [] }
        set { laterPrices = newValue.isEmpty ? nil : ScheduledPriceTexts(prices: newValue) }
    }
    /// `nil` in place of none, so that a definition stored before schedules existed has no such key.
    private var laterPrices: ScheduledPriceTexts?
    /// The storefronts in which it is sold; `nil` for all.
    package var availability: Availability?
    /// True if a storefront without its own price pays the price point equal to the base price, instead of the base price's
    /// number in its currency.
    package var equalizesPrices: Bool {
        get { equalized == true }
        set { equalized = newValue ? true : nil }
    }
    /// `nil` for false, so that a definition stored before equalization existed has no such key.
    private var equalized: Bool?
    /// The storefront of the base price; `nil` for the first of its currency.
    package var baseStorefront: Storefront?
    /// True if the product is sold only in storefronts with their own price, as subscriptions that are priced in App Store
    /// Connect.
    package var requiresOwnPrices: Bool {
        get { ownPricesOnly == true }
        set { ownPricesOnly = newValue ? true : nil }
    }
    /// `nil` for false, for the same reason.
    private var ownPricesOnly: Bool?

    /// The names in documents, where prices have the name that they had before they were a text.
    private enum CodingKeys: String, CodingKey {
        case id, appleID, type, referenceName, isFamilyShareable, state, isClearedForSale, localizations
        case ownPrices = "prices"
        case basePrice, subscription, oneTimeOffers, lacksPrice, laterPrices, availability, equalized, baseStorefront
        case ownPricesOnly
    }

    package init(
        id: ID, appleID: Int64 = 0, type: ProductType, referenceName: String, isFamilyShareable: Bool = false,
        state: State = .approved, isClearedForSale: Bool = true, localizations: [Localization] = [],
        prices: [Storefront: Money] = [:], basePrice: Money, subscription: Subscription? = nil,
        codeOffers: [OneTimeOffer] = []
    ) {
        self.id = id
        self.appleID = appleID
        self.type = type
        self.referenceName = referenceName
        self.isFamilyShareable = isFamilyShareable
        self.state = state
        self.isClearedForSale = isClearedForSale
        self.localizations = localizations
        ownPrices = StorefrontPriceTexts(prices: prices)
        self.basePrice = basePrice
        self.subscription = subscription
        self.codeOffers = codeOffers
    }
}
