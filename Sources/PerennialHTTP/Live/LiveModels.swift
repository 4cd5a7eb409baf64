import Perennial
import PerennialStorage
import PerennialStore

/// The messages of control/v1/live.
enum LiveModels {
    /// An event as `data` of a server-sent event.
    struct Event: AnswerModel {
        struct Commerce: Model, Encodable {
            /// The kind of the journal's entry.
            var event: String
            var position: Int64
            var account: String?
            var productId: String?
            var transactionId: String?
            var originalTransactionId: String?
            var price: Int64?
            var currency: String?
            var quantity: Int64?
            var storefront: String?

            static let constraints: [String: Constraint] = [
                "event": .described("The kind of the journal's entry, such as renewed"),
                "position": .described("In the app's journal"), "price": .milliunits,
            ]
        }

        struct Request: Model, Encodable {
            var method: String
            var path: String
            var status: Int
            var milliseconds: Double
            var caller: String
            var code: String?
            var reason: String?
            var advice: String?

            static let constraints: [String: Constraint] = ["caller": .oneOf(LiveRequest.Caller.self)]
        }

        struct Notification: Model, Encodable {
            var notificationUUID: String
            var notificationType: String
            var subtype: String?
            var version: Int64
            var url: String
            var account: String?
            var transactionId: String?
            var originalTransactionId: String?
            var attempt: Int
            var result: String
            var httpStatus: Int64?
            /// The beginning of the receiver's answer.
            var response: NotificationModels.Response?
            var nextAttempt: String?
            var advice: String?

            static let constraints: [String: Constraint] = ["notificationUUID": .uuid, "nextAttempt": .time]
        }

        var kind: String
        /// The environment's time of commerce, real time of requests and notifications.
        var time: String?
        var sequence: Int64?
        var bundleId: String?
        var commerce: Commerce?
        var request: Request?
        var notification: Notification?
        /// The events that aren't told, because there were too many.
        var skipped: Int64?

        static let constraints: [String: Constraint] = [
            "kind": .oneOf(LiveKind.self), "time": .time,
            "sequence": .described("Increases within the server's process"),
            "skipped": .described("The events that aren't told, because there were too many"),
        ]

        init(skipped: Int64) {
            kind = LiveKind.skipped.rawValue
            self.skipped = skipped
        }

        init(_ event: LiveEvent) {
            kind = event.kind.rawValue
            time = event.at.rfc3339(fraction: true)
            sequence = event.sequence
            bundleId = event.bundleID?.rawValue
            switch event.content {
            case .commerce(let commerce): self.commerce = Commerce(commerce)
            case .request(let request): self.request = Request(request)
            case .notification(let notification): self.notification = Notification(notification)
            case .emptied: time = nil
            case .skipped(let count): skipped = count
            }
        }
    }
}

extension LiveModels.Event.Commerce {
    init(_ commerce: LiveCommerce) {
        let entry = commerce.entry
        event = entry.kind.rawValue
        position = entry.position
        account = entry.account
        productId = entry.productID?.rawValue
        transactionId = entry.transactionID?.description
        originalTransactionId = entry.originalID?.description
        price = entry.price?.milliunits
        currency = entry.price?.currency.rawValue
        quantity = entry.quantity
        storefront = entry.storefront?.rawValue
    }
}

extension LiveModels.Event.Request {
    init(_ request: LiveRequest) {
        (method, path, status) = (request.method, request.path, request.status)
        milliseconds = Double(request.microseconds) / 1000
        caller = request.caller.rawValue
        (code, reason, advice) = (request.code, request.reason, request.advice)
    }
}

extension LiveModels.Event.Notification {
    init(_ sent: LiveNotification) {
        (notificationUUID, notificationType, subtype) = (sent.uuid, sent.type, sent.subtype)
        (version, url, account) = (sent.version, sent.url, sent.account)
        transactionId = sent.transactionID?.description
        originalTransactionId = sent.originalID?.description
        (attempt, result, httpStatus) = (sent.attempt, sent.result, sent.httpStatus)
        response = sent.response.map(NotificationModels.Response.init)
        nextAttempt = sent.nextAttempt?.rfc3339(fraction: true)
        advice = sent.advice
    }
}
