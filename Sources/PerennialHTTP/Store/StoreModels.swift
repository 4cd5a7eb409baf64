import AppStoreFormats
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
        var offer: OfferBody?
        var idempotencyKey: String?
        var simulatesAskToBuy: Bool?
        var includeReceipt: Bool?
    }

    /// A purchase without a transaction: it waits for approval, or never got it.
    struct PurchaseState: Encodable {
        var state: String

        init(_ outcome: PurchaseOutcome) {
            switch outcome {
            case .sold: state = "purchased"
            case .waiting: state = "deferred"
            case .declined: state = "declined"
            case .lapsed: state = "lapsed"
            }
        }
    }

    struct RestoreRequest: Decodable {
        var applicationUsername: String?
    }

    struct TransactionAnswer {
        var transaction: TransactionModel

        func write(to json: inout JSONWriter) {
            json.beginObject()
            transaction.write(to: &json, as: "transaction")
            json.endObject()
        }
    }

    struct Transactions {
        var transactions: [TransactionModel]
        var hasMore: Bool?
        /// Of lists that are asked for again from where they ended.
        var revision: String?

        func write(to json: inout JSONWriter) {
            json.beginObject()
            json.bool("hasMore", hasMore)
            json.string("revision", revision)
            json.beginArray("transactions")
            for transaction in transactions { transaction.write(to: &json) }
            json.endArray()
            json.endObject()
        }
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
        /// Whether the customer never had an introductory offer in the group.
        var isEligibleForIntroductoryOffer: Bool
        var promotionalOffers: [OfferModel]
        /// Those that the customer may have now.
        var winBackOffers: [OfferModel]
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
                let price = item.price(in: offer.storefront) ?? .zero(offer.price.currency)
                return OfferModel(
                    offerId: item.id, paymentMode: item.paymentMode.rawValue, period: item.period.iso8601,
                    periodCount: item.periodCount, price: price.milliunits,
                    displayPrice: Self.display(price, locale: offer.localization?.locale ?? ""))
            }
            return SubscriptionModel(
                groupId: subscription.groupID, level: subscription.level, period: subscription.period.iso8601,
                introductoryOffer: subscription.introductoryOffer.map(model),
                isEligibleForIntroductoryOffer: offer.isEligibleForIntroductoryOffer,
                promotionalOffers: subscription.promotionalOffers.map(model),
                winBackOffers: offer.winBackOffers.map(model))
        }
    }

    private static func display(_ price: Money, locale: String) -> String {
        let style = Decimal.FormatStyle.Currency(
            code: price.currency.rawValue, locale: Locale(identifier: locale.isEmpty ? "en_US" : locale))
        return (Decimal(price.milliunits) / 1000).formatted(style)
    }
}

/// A transaction as a device sees it.
struct TransactionModel {
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

    init(_ transaction: Transaction, receipt: String? = nil) {
        transactionId = transaction.id.description
        originalTransactionId = transaction.originalID.description
        productId = transaction.productID.rawValue
        type = transaction.type.rawValue
        quantity = transaction.quantity
        purchaseDate = transaction.purchaseDate.rfc3339(fraction: true)
        originalPurchaseDate =
            transaction.originalPurchaseDate == transaction.purchaseDate
            ? purchaseDate : transaction.originalPurchaseDate.rfc3339(fraction: true)
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

    /// Written directly: this is the answer to every purchase. Keys are in order, as ``JSONResponse`` has them.
    func write(to json: inout JSONWriter, as key: StaticString? = nil) {
        json.beginObject(key)
        json.string("appAccountToken", appAccountToken)
        json.string("applicationUsername", applicationUsername)
        json.string("currency", currency)
        json.string("expiresDate", expiresDate)
        json.bool("isFinished", isFinished)
        original?.first?.write(to: &json, as: "original")
        json.string("originalPurchaseDate", originalPurchaseDate)
        json.string("originalTransactionId", originalTransactionId)
        json.number("price", price)
        json.string("productId", productId)
        json.string("purchaseDate", purchaseDate)
        json.number("quantity", Int64(quantity))
        json.string("revocationDate", revocationDate)
        json.string("state", state)
        json.string("transactionId", transactionId)
        json.string("transactionReceipt", transactionReceipt)
        json.string("type", type)
        json.endObject()
    }
}

extension StoreModels.PurchaseBody {
    /// Reads the body of a usual purchase, without the cost of a general decoder.
    ///
    /// `nil` for whatever isn't usual, which the decoder then reads, or refuses in its words.
    init?(scanning bytes: [UInt8]) {
        var body = Self(productId: "")
        var seen: Set<String> = []
        var isUsual = true
        var scanner = JSONScanner(bytes)
        let isJSON: Void? = try? scanner.scanEveryMember { key, value in
            isUsual = isUsual && seen.insert(key).inserted
            switch (key, value) {
            case ("productId", .string(let text)): body.productId = text
            case ("quantity", .number(let number)):
                body.quantity = Int(exactly: number)
                isUsual = isUsual && body.quantity != nil
            case ("applicationUsername", .string(let text)): body.applicationUsername = text
            case ("idempotencyKey", .string(let text)): body.idempotencyKey = text
            case ("includeReceipt", .bool(let value)): body.includeReceipt = value
            default: isUsual = false
            }
        }
        guard isJSON != nil, isUsual, seen.contains("productId") else { return nil }
        self = body
    }
}
