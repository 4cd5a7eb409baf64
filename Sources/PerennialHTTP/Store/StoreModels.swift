import AppStoreFormats
import FastJSON
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Perennial
import PerennialStore

/// The messages of store/v1 (docs/reference/store.md).
enum StoreModels {
    struct SignInBody: RequestModel {
        var account: String
        var password: String?
        var deviceId: String
        var bundleId: String
        var applicationVersion: String?
        var deviceFamily: String?

        static let constraints: [String: Constraint] = [
            "account": .accountName, "deviceId": .uuidText,
            "applicationVersion": .text(bytes: 0...Accounts.maximumVersionLength),
            "deviceFamily": .oneOf(DeviceFamily.self),
        ]
    }

    struct Session: AnswerModel {
        var token: String
        var account: String
        var storefront: StorefrontModel
        var canMakePayments: Bool
    }

    struct StorefrontModel: AnswerModel {
        var countryCode: String
        var identifier: String
        var currency: String

        init(_ storefront: Storefront) {
            countryCode = storefront.rawValue
            identifier = storefront.number.map { "\($0)" } ?? ""
            currency = storefront.currency?.rawValue ?? ""
        }
    }

    struct ProductsBody: RequestModel {
        var productIds: [String]
        var language: String?

        static let constraints: [String: Constraint] = ["productIds": .items(count: 0...Products.maximumProductIDs)]
    }

    struct ProductsAnswer: AnswerModel {
        var products: [ProductModel]
        var invalidProductIds: [String]
    }

    struct PurchaseBody: RequestModel {
        var productId: String
        var quantity: Int?
        var applicationUsername: String?
        var offer: OfferBody?
        var idempotencyKey: String?
        var simulatesAskToBuy: Bool?
        var includeReceipt: Bool?

        static let constraints: [String: Constraint] = [
            "quantity": .range(PurchaseRequest.quantities), "idempotencyKey": .idempotencyKey,
            "applicationUsername": .text(bytes: 0...PurchaseRequest.maximumUsernameLength),
        ]
    }

    struct RestoreBody: RequestModel {
        var applicationUsername: String?
    }

    struct TransactionAnswer: Model, CallAnswer {
        var transaction: TransactionModel

        static func descriptions(status: Int) -> [AnswerDescription] { [.json(Self.self, status: status)] }

        func response(status: HTTPResponse.Status) -> Response {
            JSONResponse.make { json in
                json.beginObject()
                transaction.write(to: &json, as: "transaction")
                json.endObject()
            }
        }
    }

    /// The state of a purchase without a transaction: it waits for approval, or never got it.
    struct PurchaseState: AnswerModel {
        var state: String

        static let constraints: [String: Constraint] = ["state": .described("deferred, declined or lapsed")]
        static let waiting = PurchaseState(state: "deferred")
    }

    /// The answer to a purchase.
    enum PurchaseAnswer: CallAnswer {
        case sold(TransactionModel)
        /// Ask to Buy: 202.
        case waiting

        static func descriptions(status: Int) -> [AnswerDescription] {
            [.json(TransactionAnswer.self, "Sold"), .json(PurchaseState.self, status: 202, "It waits for approval")]
        }

        func response(status: HTTPResponse.Status) throws -> Response {
            switch self {
            case .sold(let transaction): TransactionAnswer(transaction: transaction).response(status: status)
            case .waiting: try PurchaseState.waiting.response(status: .accepted)
            }
        }
    }

    /// The outcome of an earlier purchase.
    enum OutcomeAnswer: CallAnswer {
        case sold(TransactionModel)
        case state(PurchaseState)

        static func descriptions(status: Int) -> [AnswerDescription] {
            [
                AnswerDescription(status: status, mediaType: "application/json") {
                    [
                        "anyOf": [
                            try ModelSchema.schema(of: TransactionAnswer.self, .answer),
                            try ModelSchema.schema(of: PurchaseState.self, .answer),
                        ]
                    ]
                }
            ]
        }

        func response(status: HTTPResponse.Status) throws -> Response {
            switch self {
            case .sold(let transaction): TransactionAnswer(transaction: transaction).response(status: status)
            case .state(let state): try state.response(status: status)
            }
        }
    }

    struct Transactions: Model, CallAnswer {
        var transactions: [TransactionModel]
        var hasMore: Bool?
        /// Of lists that are asked for again from where they ended.
        var revision: String?

        static func descriptions(status: Int) -> [AnswerDescription] { [.json(Self.self, status: status)] }

        func response(status: HTTPResponse.Status) -> Response {
            JSONResponse.make { json in
                json.beginObject()
                json.bool("hasMore", hasMore)
                json.string("revision", revision)
                json.beginArray("transactions")
                for transaction in transactions { transaction.write(to: &json) }
                json.endArray()
                json.endObject()
            }
        }
    }

    struct AppReceiptAnswer: AnswerModel {
        var appReceipt: String

        static let constraints: [String: Constraint] = ["appReceipt": .base64]
    }

    struct TransactionReceiptAnswer: AnswerModel {
        var transactionReceipt: String

        static let constraints: [String: Constraint] = ["transactionReceipt": .base64]
    }

    struct AppTransactionAnswer: AnswerModel {
        var signedAppTransaction: String

        static let constraints: [String: Constraint] = ["signedAppTransaction": .jws]
    }
}

/// A product in a customer's language and currency.
struct ProductModel: Model, Encodable {
    struct SubscriptionModel: Model, Encodable {
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

    struct OfferModel: Model, Encodable {
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

    static let constraints: [String: Constraint] = ["type": .oneOf(ProductType.self), "price": .milliunits]

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
                introductoryOffer: offer.introductoryOffer.map(model),
                isEligibleForIntroductoryOffer: offer.isEligibleForIntroductoryOffer,
                promotionalOffers: offer.promotionalOffers.map(model),
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
struct TransactionModel: Model {
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
    var original: Original?

    static let constraints: [String: Constraint] = [
        "type": .oneOf(ProductType.self), "purchaseDate": .time, "originalPurchaseDate": .time, "expiresDate": .time,
        "revocationDate": .time, "appAccountToken": .uuid, "price": .milliunits,
        "state": .described("purchased or restored"), "transactionReceipt": .base64,
    ]

    /// The original of a restored transaction: one transaction, in an array because a structure can't hold itself.
    struct Original: Decodable, Sendable, SchemaProviding {
        let transaction: [TransactionModel]

        static func schema(_ use: SchemaUse) -> OpenAPINode {
            ["type": "object", "description": "The original transaction, in the same form"]
        }
        static var sample: Original { Original(transaction: []) }
    }

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
        original = Original(transaction: [TransactionModel(restored.original)])
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
        original?.transaction.first?.write(to: &json, as: "original")
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
    static func read(_ buffer: ByteBuffer, refusesUnknownFields: Bool) throws -> Self {
        try Self(fastPath: Array(buffer.readableBytesView)) ?? Request.decode(Self.self, from: buffer)
    }

    /// Reads the body of a usual purchase, without the cost of a general decoder.
    ///
    /// `nil` for a body that isn't usual, which the decoder then reads, or refuses in its words.
    init?(fastPath bytes: [UInt8]) {
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
