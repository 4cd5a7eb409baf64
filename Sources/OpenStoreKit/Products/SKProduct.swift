import Foundation

/// What the store offers under a product identifier, in the customer's language and storefront.
public final class SKProduct: NSObject, Sendable {
    /// The kinds of in-app purchase. A set that may grow.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let consumable = ProductType(rawValue: "consumable")
        public static let nonConsumable = ProductType(rawValue: "nonConsumable")
        public static let autoRenewable = ProductType(rawValue: "autoRenewable")
        /// A free subscription of a Newsstand app.
        public static let free = ProductType(rawValue: "free")
        public static let nonRenewing = ProductType(rawValue: "nonRenewing")
    }

    public let productIdentifier: String
    public let localizedTitle: String
    public let localizedDescription: String
    /// Formats ``price``: the language of the texts, and the storefront's currency.
    public let priceLocale: Locale
    public let isFamilyShareable: Bool
    /// The version of the product's content on the seller's server; empty where the store knows none.
    public let downloadContentVersion: String
    public let subscriptionPeriod: SKProductSubscriptionPeriod?
    public let subscriptionGroupIdentifier: String?
    public let introductoryPrice: SKProductDiscount?
    /// Not StoreKit 1's: whether the customer never had an introductory offer in the group, so that it applies by itself.
    public let isEligibleForIntroOffer: Bool
    /// Promotional offers.
    public let discounts: [SKProductDiscount]
    /// Not StoreKit's: the kind of product.
    public let productType: ProductType
    /// Not StoreKit's: the price as the store writes it, such as `0,99 €`.
    public let displayPrice: String
    private let amount: Decimal

    /// The price in the storefront's currency.
    public var price: NSDecimalNumber { NSDecimalNumber(decimal: amount) }
    /// Content comes from the seller's server, never from the store.
    public var isDownloadable: Bool { false }
    public var downloadContentLengths: [NSNumber] { [] }

    init(_ product: ProductsAnswer.Product) {
        let locale = Locale(currency: product.currency, language: product.locale ?? "en")
        self.productIdentifier = product.productId
        self.localizedTitle = product.displayName
        self.localizedDescription = product.description
        self.priceLocale = locale
        self.isFamilyShareable = product.isFamilyShareable ?? false
        self.downloadContentVersion = product.contentVersion ?? ""
        self.subscriptionPeriod = product.subscription.flatMap { SKProductSubscriptionPeriod(iso8601: $0.period) }
        self.subscriptionGroupIdentifier = product.subscription?.groupId
        self.introductoryPrice = product.subscription?.introductoryOffer.flatMap {
            SKProductDiscount($0, type: .introductory, priceLocale: locale)
        }
        self.isEligibleForIntroOffer = product.subscription?.isEligibleForIntroductoryOffer ?? true
        self.discounts = (product.subscription?.promotionalOffers ?? []).compactMap {
            SKProductDiscount($0, type: .subscription, priceLocale: locale)
        }
        self.productType = ProductType(rawValue: product.type)
        self.displayPrice = product.displayPrice
        self.amount = Decimal(milliunits: product.price)
    }
}

extension Decimal {
    /// A price of the store's protocol, in thousandths of the currency.
    init(milliunits: Int64) {
        self.init(sign: milliunits < 0 ? .minus : .plus, exponent: -3, significand: Decimal(milliunits.magnitude))
    }
}

extension Locale {
    /// A language's way to write amounts of a currency.
    init(currency: String, language: String) {
        self.init(identifier: "\(language.replacingOccurrences(of: "-", with: "_"))@currency=\(currency)")
    }
}
