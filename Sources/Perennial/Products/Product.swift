/// The five kinds of in-app purchase, each with its own rules of repetition, restoring and expiry.
package enum ProductType: String, Sendable, Hashable, Codable, CaseIterable {
    case consumable
    case nonConsumable
    case autoRenewable
    case free
    case nonRenewing

    /// Whether `restoreCompletedTransactions` brings it back: consumables and non-renewing subscriptions don't come back.
    package var isRestorable: Bool {
        switch self {
        case .nonConsumable, .autoRenewable, .free: true
        case .consumable, .nonRenewing: false
        }
    }

    /// Whether the protocols speak of it as an auto-renewable subscription: its receipts need the shared secret.
    package var renews: Bool { self == .autoRenewable || self == .free }
}

/// What a seller offers, as it stands in the catalog.
package struct Product: Hashable, Sendable, Codable {
    /// The seller's own name of a product, unique in an app: `com.example.magazine.monthly`.
    package struct ID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package var description: String { rawValue }
        package static func < (one: ID, other: ID) -> Bool { one.rawValue < other.rawValue }
    }

    /// How far a product is on its way to customers.
    package enum State: String, Sendable, Codable, CaseIterable {
        case readyToSubmit
        case inReview
        case rejected
        /// Production sells only what is approved; sandbox sells whatever is cleared for sale.
        case approved
    }

    package struct Localization: Hashable, Sendable, Codable {
        /// A language with or without region, such as `en_US` or `de`.
        package var locale: String
        package var displayName: String
        package var description: String

        package init(locale: String, displayName: String, description: String) {
            self.locale = locale
            self.displayName = displayName
            self.description = description
        }
    }

    /// What makes a product a subscription that renews.
    package struct Subscription: Hashable, Sendable, Codable {
        package var groupID: String
        /// 1 is the highest level of service.
        package var level: Int
        package var period: Period
        package var introductoryOffer: Offer?
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
    /// The store's number for the product: verifyReceipt's `item_id`.
    package var appleID: Int64
    package var type: ProductType
    /// For the seller's eyes and reports.
    package var referenceName: String
    package var isFamilyShareable: Bool
    package var state: State
    package var isClearedForSale: Bool
    package var localizations: [Localization]
    /// The price in each storefront that has one of its own.
    package var prices: [Storefront: Money]
    /// The price wherever `prices` says nothing.
    package var basePrice: Money
    /// Set for `.autoRenewable` only.
    package var subscription: Subscription?
    /// What offer codes grant for a product that doesn't renew. A subscription has its own.
    package var codeOffers: [OneTimeOffer] {
        get { oneTimeOffers ?? [] }
        set { oneTimeOffers = newValue.isEmpty ? nil : newValue }
    }
    /// Never empty. A definition that was stored before there were such offers has no such key.
    private var oneTimeOffers: [OneTimeOffer]?

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
        self.prices = prices
        self.basePrice = basePrice
        self.subscription = subscription
        self.codeOffers = codeOffers
    }
}
