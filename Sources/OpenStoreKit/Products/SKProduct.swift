import Foundation

/// A product, in the customer's language and storefront.
///
/// Source: Apple, StoreKit documentation, "SKProduct".
open class SKProduct: NSObject, @unchecked Sendable {
    /// Facts of the store; `nil` in an object of a subclass.
    private let facts: Facts?

    /// Makes a product without values, for subclasses.
    public override init() {
        self.facts = nil
    }

    /// Makes a product of the store's answer.
    ///
    /// - Parameter content: Version and size in bytes of its content by the content server; `nil` if none is known.
    init(_ product: ProductsAnswer.Product, content: (version: String, size: Int64)? = nil) {
        self.facts = Facts(product, content)
    }

    /// Product identifier.
    open var productIdentifier: String { facts?.product.productId ?? "" }
    /// Display name in the customer's language.
    open var localizedTitle: String { facts?.product.displayName ?? "" }
    /// Description in the customer's language.
    open var localizedDescription: String { facts?.product.description ?? "" }
    /// Price in the storefront's currency.
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: Decimal(milliunits: facts?.product.price ?? 0)) }
    /// Locale for ``price``: the language of the texts with the storefront's currency.
    open var priceLocale: Locale { facts?.priceLocale ?? Locale(identifier: "en_US") }
    /// True if Family Sharing is available.
    open var isFamilyShareable: Bool { facts?.product.isFamilyShareable ?? false }
    /// Period of the subscription; `nil` for other products.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? { facts?.subscriptionPeriod }
    /// Identifier of the subscription group; `nil` for other products.
    open var subscriptionGroupIdentifier: String? { facts?.product.subscription?.groupId }
    /// Introductory offer of the subscription; `nil` without one.
    open var introductoryPrice: SKProductDiscount? { facts?.introductoryPrice }
    /// Promotional offers of the subscription.
    open var discounts: [SKProductDiscount] { facts?.discounts ?? [] }

    // MARK: Hosted content

    /// True if the product has content to download.
    open var isDownloadable: Bool { !downloadContentVersion.isEmpty }
    /// Version of the product's content, of the content server or else of the store; empty without one.
    open var downloadContentVersion: String { facts?.contentVersion ?? "" }
    /// Size of the content in bytes; empty without content, or if the content server hasn't told it.
    open var downloadContentLengths: [NSNumber] { facts?.contentLengths ?? [] }
    /// ``isDownloadable`` by its name on macOS.
    open var downloadable: Bool { isDownloadable }
    /// ``downloadContentVersion`` by its name on macOS.
    open var contentVersion: String { downloadContentVersion }
    /// ``downloadContentLengths`` by its name on macOS.
    open var contentLengths: [NSNumber] { downloadContentLengths }

    /// Units of ``SKProductSubscriptionPeriod``, with StoreKit's raw values.
    public enum PeriodUnit: UInt, Sendable {
        case day = 0
        case week = 1
        case month = 2
        case year = 3
    }
}

extension SKProduct {
    /// The store's answer, with the objects made of it.
    private final class Facts: Sendable {
        let product: ProductsAnswer.Product
        let priceLocale: Locale
        let subscriptionPeriod: SKProductSubscriptionPeriod?
        let introductoryPrice: SKProductDiscount?
        let discounts: [SKProductDiscount]
        let contentVersion: String?
        let contentSize: Int64?
        var contentLengths: [NSNumber] { contentSize.map { [NSNumber(value: $0)] } ?? [] }

        init(_ product: ProductsAnswer.Product, _ content: (version: String, size: Int64)?) {
            let locale = Locale(currency: product.currency, language: product.locale ?? "en")
            self.product = product
            self.contentVersion = content?.version ?? product.contentVersion
            self.contentSize = content.flatMap { $0.size > 0 ? $0.size : nil }
            self.priceLocale = locale
            self.subscriptionPeriod = product.subscription.flatMap { SKProductSubscriptionPeriod(iso8601: $0.period) }
            self.introductoryPrice = product.subscription?.introductoryOffer.flatMap {
                SKProductDiscount($0, type: .introductory, priceLocale: locale)
            }
            self.discounts = (product.subscription?.promotionalOffers ?? []).compactMap {
                SKProductDiscount($0, type: .subscription, priceLocale: locale)
            }
        }
    }

    /// The store's answer; `nil` for a product of a subclass.
    var answer: ProductsAnswer.Product? { facts?.product }
    /// Type of the product in store/v1; empty for a product of a subclass.
    package var storeType: String { facts?.product.type ?? "" }
    /// Price as text, such as `0,99 €`; empty for a product of a subclass.
    package var storeDisplayPrice: String { facts?.product.displayPrice ?? "" }
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
