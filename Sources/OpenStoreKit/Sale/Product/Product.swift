import Foundation

/// A product, in the customer's language and storefront.
///
/// Source: Apple, StoreKit documentation, "Product".
public struct Product: Identifiable, Equatable, Hashable, Sendable {
    /// Type of product identifiers.
    public typealias ID = String

    /// Product identifier.
    public let id: String
    /// Type of the product.
    public let type: ProductType
    /// Display name in the customer's language.
    public let displayName: String
    /// Description in the customer's language.
    public let description: String
    /// Price in the storefront's currency.
    public let price: Decimal
    /// Price as text, such as `0,99 €`.
    public let displayPrice: String
    /// True if Family Sharing is available.
    public let isFamilyShareable: Bool
    /// Facts of the subscription; `nil` for other products.
    public let subscription: SubscriptionInfo?
    /// True if a purchase may include several seats. False: this store sells single seats.
    public let supportsMultiSeatPurchase: Bool

    /// The store's answer for this product.
    private let answer: Data
    /// Locale of the price.
    private let priceLocale: Locale
    /// Currency code of the price, of ISO 4217.
    private let currencyCode: String
    /// The store that the product is from.
    let origin: Origin

    init(_ product: ProductsAnswer.Product, origin: Origin) throws {
        let locale = Locale(currency: product.currency, language: product.language)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.id = product.productId
        self.type = ProductType(storeName: product.type)
        self.displayName = product.displayName
        self.description = product.description
        self.price = Decimal(milliunits: product.price)
        self.displayPrice = product.displayPrice
        self.isFamilyShareable = product.isFamilyShareable ?? false
        self.subscription = type.isSubscription ? SubscriptionInfo(product, priceLocale: locale) : nil
        self.supportsMultiSeatPurchase = false
        self.answer = try encoder.encode(product)
        self.priceLocale = locale
        self.currencyCode = product.currency
        self.origin = origin
    }

    /// The store's answer for this product, as JSON with sorted keys.
    public var jsonRepresentation: Data { answer }

    /// Format style of ``price``: currency and the locale of the product's texts.
    public var priceFormatStyle: Decimal.FormatStyle.Currency {
        Decimal.FormatStyle.Currency(code: currencyCode, locale: priceLocale)
    }

    /// Format style of the unit of a subscription's period, in the locale of the product's texts.
    public var subscriptionPeriodUnitFormatStyle: SubscriptionPeriod.Unit.FormatStyle {
        SubscriptionPeriod.Unit.FormatStyle(locale: priceLocale)
    }

    /// Compares the answers of the store for two products.
    public static func == (one: Product, other: Product) -> Bool { one.answer == other.answer }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(answer)
    }
}

extension Product: CustomDebugStringConvertible {
    /// The JSON of ``jsonRepresentation``.
    public var debugDescription: String { String(decoding: answer, as: UTF8.self) }
}

extension Product {
    /// The store that a product is from, for its purchase.
    struct Origin: Sendable {
        /// Connection of the task that loaded the product; `nil` for the process's.
        var taskConnection: StoreConnection?
        /// Country of the storefront at the time, of ISO 3166-1 alpha-3.
        var countryCode: String?

        /// The connection for an action on the product; `nil` without a store.
        ///
        /// A product that was loaded inside of ``StoreConnection/withCurrent(isolation:_:)`` stays with that connection, also
        /// in detached tasks.
        var connection: StoreConnection? {
            CurrentStore.taskConnection ?? taskConnection ?? CurrentStore.processConnection
        }
    }
}

extension ProductsAnswer.Product {
    /// Language of the texts, such as `de` or `en-US`.
    fileprivate var language: String {
        guard let locale, !locale.isEmpty else { return "en-US" }
        return locale
    }
}
