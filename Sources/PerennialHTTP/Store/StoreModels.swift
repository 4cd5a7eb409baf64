import Foundation
import Perennial
import PerennialStore

/// What store/v1 carries (docs/protocols/store.md), one type a message.
enum StoreModels {
    struct SignIn: Decodable {
        var account: String
        var password: String?
        var deviceId: String
        var bundleId: String
        var applicationVersion: String?
    }

    struct Session: Encodable {
        var token: String
        var account: String
        var storefront: StorefrontModel
        var canMakePayments: Bool
    }

    struct StorefrontModel: Encodable {
        var countryCode: String
        var identifier: String
        var currency: String

        init(_ storefront: Storefront) {
            countryCode = storefront.rawValue
            identifier = storefront.number.map { "\($0)" } ?? ""
            currency = storefront.currency?.rawValue ?? ""
        }
    }

    struct ProductsRequest: Decodable {
        var productIds: [String]
        var language: String?
    }

    struct Products: Encodable {
        var products: [ProductModel]
        var invalidProductIds: [String]
    }

    struct PurchaseBody: Decodable {
        var productId: String
        var quantity: Int?
        var applicationUsername: String?
        var idempotencyKey: String?
        var simulatesAskToBuy: Bool?
        var includeReceipt: Bool?
    }

    struct Deferred: Encodable {
        var state = "deferred"
    }

    struct RestoreRequest: Decodable {
        var applicationUsername: String?
    }

    struct TransactionAnswer: Encodable {
        var transaction: TransactionModel
    }

    struct Transactions: Encodable {
        var transactions: [TransactionModel]
        var hasMore: Bool?
    }

    struct AppReceiptAnswer: Encodable {
        var appReceipt: String
    }

    struct TransactionReceiptAnswer: Encodable {
        var transactionReceipt: String
    }
}

/// A product in a customer's language and currency.
struct ProductModel: Encodable {
    struct SubscriptionModel: Encodable {
        var groupId: String
        var level: Int
        var period: String
        var introductoryOffer: OfferModel?
        var promotionalOffers: [OfferModel]
    }

    struct OfferModel: Encodable {
        var offerId: String?
        var paymentMode: String
        var period: String
        var periodCount: Int
        var price: Int64
        var displayPrice: String
    }

    var productId: String
    var type: String
    var displayName: String
    var description: String
    var locale: String
    var price: Int64
    var currency: String
    var displayPrice: String
    var isFamilyShareable: Bool
    var subscription: SubscriptionModel?

    init(_ offer: ProductOffer, language: String?) {
        let product = offer.product
        productId = product.id.rawValue
        type = product.type.rawValue
        displayName = offer.localization?.displayName ?? product.referenceName
        description = offer.localization?.description ?? ""
        locale = offer.localization?.locale ?? ""
        price = offer.price.milliunits
        currency = offer.price.currency.rawValue
        displayPrice = Self.display(offer.price, locale: locale)
        isFamilyShareable = product.isFamilyShareable
        subscription = product.subscription.map { subscription in
            func model(_ item: Offer) -> OfferModel {
                let price = Money(milliunits: item.basePrice.milliunits, offer.price.currency)
                return OfferModel(
                    offerId: item.id, paymentMode: item.paymentMode.rawValue, period: item.period.iso8601,
                    periodCount: item.periodCount, price: price.milliunits,
                    displayPrice: Self.display(price, locale: offer.localization?.locale ?? ""))
            }
            return SubscriptionModel(
                groupId: subscription.groupID, level: subscription.level, period: subscription.period.iso8601,
                introductoryOffer: subscription.introductoryOffer.map(model),
                promotionalOffers: subscription.promotionalOffers.map(model))
        }
    }

    private static func display(_ price: Money, locale: String) -> String {
        let style = Decimal.FormatStyle.Currency(
            code: price.currency.rawValue, locale: Locale(identifier: locale.isEmpty ? "en_US" : locale))
        return (Decimal(price.milliunits) / 1000).formatted(style)
    }
}

/// A transaction as a device sees it.
struct TransactionModel: Encodable {
    var transactionId: String
    var originalTransactionId: String
    var productId: String
    var type: String
    var quantity: Int
    var purchaseDate: String
    var originalPurchaseDate: String
    var expiresDate: String?
    var revocationDate: String?
    var applicationUsername: String?
    var appAccountToken: String?
    var price: Int64
    var currency: String
    var state: String
    var isFinished: Bool
    var transactionReceipt: String?
    var original: [TransactionModel]?

    enum CodingKeys: String, CodingKey {
        case transactionId, originalTransactionId, productId, type, quantity, purchaseDate, originalPurchaseDate
        case expiresDate, revocationDate, applicationUsername, appAccountToken, price, currency, state, isFinished
        case transactionReceipt, original
    }

    init(_ transaction: Transaction, receipt: String? = nil) {
        transactionId = transaction.id.description
        originalTransactionId = transaction.originalID.description
        productId = transaction.productID.rawValue
        type = transaction.type.rawValue
        quantity = transaction.quantity
        purchaseDate = transaction.purchaseDate.rfc3339(fraction: true)
        originalPurchaseDate = transaction.originalPurchaseDate.rfc3339(fraction: true)
        expiresDate = transaction.expiresDate?.rfc3339(fraction: true)
        revocationDate = transaction.revocation?.date.rfc3339(fraction: true)
        applicationUsername = transaction.applicationUsername
        appAccountToken = transaction.applicationUsername.flatMap(UUID.init(uuidString:))?.uuidString.lowercased()
        price = transaction.price.milliunits
        currency = transaction.price.currency.rawValue
        state = "purchased"
        isFinished = transaction.isFinished
        transactionReceipt = receipt
    }

    /// A restored transaction: new in number, its original inside.
    init(_ restored: RestoredTransaction) {
        self.init(restored.original)
        original = [TransactionModel(restored.original)]
        transactionId = restored.id.description
        state = "restored"
        isFinished = false
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(transactionId, forKey: .transactionId)
        try container.encode(originalTransactionId, forKey: .originalTransactionId)
        try container.encode(productId, forKey: .productId)
        try container.encode(type, forKey: .type)
        try container.encode(quantity, forKey: .quantity)
        try container.encode(purchaseDate, forKey: .purchaseDate)
        try container.encode(originalPurchaseDate, forKey: .originalPurchaseDate)
        try container.encodeIfPresent(expiresDate, forKey: .expiresDate)
        try container.encodeIfPresent(revocationDate, forKey: .revocationDate)
        try container.encodeIfPresent(applicationUsername, forKey: .applicationUsername)
        try container.encodeIfPresent(appAccountToken, forKey: .appAccountToken)
        try container.encode(price, forKey: .price)
        try container.encode(currency, forKey: .currency)
        try container.encode(state, forKey: .state)
        try container.encode(isFinished, forKey: .isFinished)
        try container.encodeIfPresent(transactionReceipt, forKey: .transactionReceipt)
        try container.encodeIfPresent(original?.first, forKey: .original)
    }
}
