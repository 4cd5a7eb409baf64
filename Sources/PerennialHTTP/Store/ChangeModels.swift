import AppStoreFormats
import FastJSON
import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

extension StoreModels {
    /// A page of changes of a customer's purchases.
    struct Changes: Model, CallAnswer {
        struct ChangedTransaction: Model {
            var signedTransaction: String
            var isFinished: Bool

            static let constraints: [String: Constraint] = ["signedTransaction": .jws]
        }

        struct ChangedSubscription: Model {
            var originalTransactionId: String
            var subscriptionGroupId: String
            var status: Int
            var signedTransaction: String
            var signedRenewalInfo: String

            static let constraints: [String: Constraint] = [
                "status": .described("1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked"),
                "signedTransaction": .jws, "signedRenewalInfo": .jws,
            ]
        }

        var date = ""
        var transactions: [ChangedTransaction] = []
        var subscriptions: [ChangedSubscription] = []
        var revision = ""
        var hasMore = false
        var isComplete = false
        var validUntil: String?

        static let constraints: [String: Constraint] = [
            "date": .time,
            "validUntil": .time, "revision": .described("For the next request"),
            "isComplete": .described("The list starts from nothing: purchases that it doesn't have are gone"),
        ]

        static func descriptions(status: Int) -> [AnswerDescription] { [.json(Self.self, status: status)] }

        /// The bytes of a signed transaction, to size the buffer.
        private static let signedLength = 4096

        private(set) var found: PurchaseChanges?

        private enum CodingKeys: String, CodingKey {
            case date, transactions, subscriptions, revision, hasMore, isComplete, validUntil
        }

        init(_ found: PurchaseChanges) { self.found = found }

        /// Writes the signed texts as they are, without decoding them for the model first.
        func response(status: HTTPResponse.Status) -> Response {
            guard let found else { return Response(status: status) }
            let count = found.transactions.count + 2 * found.subscriptions.count
            return JSONResponse.make(capacity: 512 + count * Self.signedLength) { json in
                json.beginObject()
                json.string("date", found.date.rfc3339(fraction: true))
                json.bool("hasMore", found.hasMore)
                json.bool("isComplete", found.isComplete)
                json.string("revision", found.revision)
                json.beginArray("subscriptions")
                for (groupID, item) in found.subscriptions {
                    json.beginObject()
                    json.string("originalTransactionId", item.originalTransactionID.description)
                    json.written("signedRenewalInfo", item.signedRenewalInfo)
                    json.written("signedTransaction", item.signedTransaction)
                    json.number("status", item.status.rawValue)
                    json.string("subscriptionGroupId", groupID)
                    json.endObject()
                }
                json.endArray()
                json.beginArray("transactions")
                for transaction in found.transactions {
                    json.beginObject()
                    json.bool("isFinished", transaction.isFinished)
                    json.written("signedTransaction", transaction.signed)
                    json.endObject()
                }
                json.endArray()
                if let validUntil = found.validUntil { json.string("validUntil", validUntil.rfc3339(fraction: true)) }
                json.endObject()
            }
        }
    }

    struct RefundBody: RequestModel {
        var reason: String?

        static let constraints: [String: Constraint] = ["reason": .oneOf(RefundRequestReason.self)]
    }

    struct RefundAnswer: AnswerModel {
        var state = "requested"
    }

    struct ConsentBody: RequestModel {
        var accepted: Bool
    }

    struct Messages: AnswerModel {
        struct Message: Model, Encodable {
            var reason: String
            var productId: String?
            var originalTransactionId: String?

            static let constraints: [String: Constraint] = ["reason": .oneOf(StoreMessage.Reason.self)]
        }

        var messages: [Message]

        init(_ messages: [StoreMessage]) {
            self.messages = messages.map {
                Message(
                    reason: $0.reason.rawValue, productId: $0.productID.rawValue,
                    originalTransactionId: $0.subscriptionID.description)
            }
        }
    }
}
