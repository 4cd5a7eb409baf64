import Foundation

/// A product, in the customer's language and storefront.
///
/// Source: Apple, StoreKit documentation, "SKProduct".
public final class SKProduct: NSObject, Sendable {
    /// Types of in-app purchases: the known ones, or a later one.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// Name of the type in store/v1.
        public let rawValue: String

        /// Makes a type from its name in store/v1.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A consumable.
        public static let consumable = ProductType(rawValue: "consumable")
        /// A non-consumable.
        public static let nonConsumable = ProductType(rawValue: "nonConsumable")
        /// An auto-renewable subscription.
        public static let autoRenewable = ProductType(rawValue: "autoRenewable")
        /// A free subscription of a Newsstand app.
        public static let free = ProductType(rawValue: "free")
        /// A non-renewing subscription.
        public static let nonRenewing = ProductType(rawValue: "nonRenewing")
    }

    /// Product identifier.
    public let productIdentifier: String
    /// Display name in the customer's language.
    public let localizedTitle: String
    /// Description in the customer's language.
    public let localizedDescription: String
    /// Locale for ``price``: the language of the texts with the storefront's currency.
    public let priceLocale: Locale
    /// True if Family Sharing is available.
    public let isFamilyShareable: Bool
    /// Version of the product's content; empty if the store knows none.
    public let downloadContentVersion: String
    /// Period of the subscription; `nil` for other products.
    public let subscriptionPeriod: SKProductSubscriptionPeriod?
    /// Identifier of the subscription group; `nil` for other products.
    public let subscriptionGroupIdentifier: String?
    /// Introductory offer of the subscription; `nil` without one.
    public let introductoryPrice: SKProductDiscount?
    /// True if the customer is eligible for the introductory offer; an addition to StoreKit 1.
    public let isEligibleForIntroOffer: Bool
    /// Promotional offers of the subscription.
    public let discounts: [SKProductDiscount]
    /// Type of the product; an addition to StoreKit.
    public let productType: ProductType
    /// Price as text, such as `0,99 €`; an addition to StoreKit.
    public let displayPrice: String
    private let amount: Decimal

    /// Price in the storefront's currency.
    public var price: NSDecimalNumber { NSDecimalNumber(decimal: amount) }
    /// Always false: content comes from the seller's content server.
    public var isDownloadable: Bool { false }
    /// Always empty.
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
    /// Makes an amount from thousandths of a currency.
    init(milliunits: Int64) {
        self.init(sign: milliunits < 0 ? .minus : .plus, exponent: -3, significand: Decimal(milliunits.magnitude))
    }
}

extension Locale {
    /// Makes a locale of a language with a currency.
    init(currency: String, language: String) {
        self.init(identifier: "\(language.replacingOccurrences(of: "-", with: "_"))@currency=\(currency)")
    }
}
