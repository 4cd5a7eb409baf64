import FastJSON
import Foundation
import Perennial
import PerennialStore

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
    var signedTransaction: String?
    var signedRenewalInfo: String?
    var original: Original?

    static let constraints: [String: Constraint] = [
        "type": .oneOf(ProductType.self), "purchaseDate": .time, "originalPurchaseDate": .time, "expiresDate": .time,
        "revocationDate": .time, "appAccountToken": .uuid, "price": .milliunits,
        "state": .described("purchased or restored"), "transactionReceipt": .base64,
        "signedTransaction": .jws, "signedRenewalInfo": .jws,
    ]

    /// The original of a restored transaction: one transaction, in an array because a structure can't hold itself.
    struct Original: Decodable, Sendable, SchemaProviding {
        let transaction: [TransactionModel]

        static func schema(_ use: SchemaUse) -> OpenAPINode {
            ["$ref": .string(OpenAPIDocument.transaction), "description": "The original transaction"]
        }
        static var sample: Original { Original(transaction: []) }
    }

    init(_ transaction: Transaction, receipt: String? = nil, signed: SignedSale? = nil) {
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
        signedTransaction = signed?.transaction
        signedRenewalInfo = signed?.renewalInfo
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
        json.string("signedRenewalInfo", signedRenewalInfo)
        json.string("signedTransaction", signedTransaction)
        json.string("state", state)
        json.string("transactionId", transactionId)
        json.string("transactionReceipt", transactionReceipt)
        json.string("type", type)
        json.endObject()
    }
}
