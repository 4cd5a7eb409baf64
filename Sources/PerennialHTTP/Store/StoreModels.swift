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
        /// The revision of lists that are asked for again from where they ended.
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
        /// The group's name in the customer's language.
        var groupDisplayName: String?
        var level: Int
        var period: String
        var introductoryOffer: OfferModel?
        /// True if the customer never had an introductory offer in the group.
        var isEligibleForIntroductoryOffer: Bool
        var promotionalOffers: [OfferModel]
        /// The win-back offers that the customer may have now.
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
                groupId: subscription.groupID, groupDisplayName: offer.groupName, level: subscription.level,
                period: subscription.period.iso8601,
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
