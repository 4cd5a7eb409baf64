import Perennial

/// An operation of a client: the request, the answer, and the times of both.
package struct RecordedOperation: Sendable, Equatable {
    /// The operation's number, unique in its history.
    package var number: Int
    package var client: Int
    /// The index of the asked node in the history's header; `nil` for what came by itself.
    package var node: Int?
    /// Microseconds since the history's start, on a clock that never goes back.
    package var begin: Int64
    /// The time of the answer, or at which the client stopped waiting for one.
    package var end: Int64
    package var request: Request
    package var answer: Answer

    package init(
        number: Int, client: Int, node: Int?, begin: Int64, end: Int64, request: Request, answer: Answer
    ) {
        self.number = number
        self.client = client
        self.node = node
        self.begin = begin
        self.end = end
        self.request = request
        self.answer = answer
    }

    package enum Request: Sendable, Equatable {
        /// Makes an account and signs it in on a device.
        case customer(String)
        case buy(customer: String, product: String, key: String)
        /// Sets the account's payment method.
        case card(customer: String, isAccepted: Bool)
        case refund(customer: String, transaction: String)
        case finish(customer: String, transaction: String)
        /// Lists a customer's transactions.
        case list(customer: String)
        case clock
        /// Changes a product's price in the customers' storefront, in thousandths of its currency's unit.
        case setPrice(product: String, price: Int64)
        /// Moves a manual clock by an ISO 8601 duration.
        case advance(by: String)
        /// Reads a page of the journal.
        case journal(position: Int64, limit: Int)
        /// A notification that has arrived, and the receiver's status.
        case notified(RecordedNotification, status: Int)
        /// Lists all notifications of the environment.
        case notifications
    }

    package enum Answer: Sendable, Equatable {
        case sold(transaction: String, original: String)
        case refused(code: String)
        case done
        case listed([ListedTransaction])
        /// The time of the environment's clock.
        case time(Instant)
        case entries([RecordedEntry])
        case sent([RecordedNotification])
        /// The answer was lost: the operation has happened, happens later, or never does.
        case unknown(reason: String)
        /// The store failed, such as with HTTP 500, which it may not. Whether the operation has happened is as unknown.
        case failed(reason: String)
    }

    /// The customer whose state the operation reads or changes.
    package var customer: String? {
        switch request {
        case .customer(let name), .list(let name): name
        case .buy(let name, _, _), .card(let name, _), .refund(let name, _), .finish(let name, _): name
        case .clock, .setPrice, .advance, .journal, .notified, .notifications: nil
        }
    }

    package var isUnknown: Bool { answer.isUnknown }
}

extension RecordedOperation.Answer {
    /// True if the operation may have happened or not.
    var isUnknown: Bool {
        switch self {
        case .unknown, .failed: true
        case .sold, .refused, .done, .listed, .time, .entries, .sent: false
        }
    }
}

/// A transaction as a list shows it.
package struct ListedTransaction: Sendable, Equatable, Codable {
    package var id: String
    package var original: String
    package var product: String
    /// Times are RFC 3339.
    package var starts: String
    package var ends: String?
    package var revoked: String?
    package var isUpgraded: Bool
    package var isFinished: Bool

    package init(
        id: String, original: String, product: String, starts: String, ends: String? = nil, revoked: String? = nil,
        isUpgraded: Bool = false, isFinished: Bool = false
    ) {
        self.id = id
        self.original = original
        self.product = product
        self.starts = starts
        self.ends = ends
        self.revoked = revoked
        self.isUpgraded = isUpgraded
        self.isFinished = isFinished
    }
}

/// An entry of the journal as a reader sees it.
package struct RecordedEntry: Sendable, Equatable, Codable {
    package struct Line: Sendable, Equatable, Codable {
        package var account: String
        package var amount: Int64
        package var currency: String

        package init(account: String, amount: Int64, currency: String) {
            self.account = account
            self.amount = amount
            self.currency = currency
        }
    }

    package var position: Int64
    /// The name of a `JournalEntry.Kind`.
    package var kind: String
    package var at: String
    package var customer: String?
    package var transaction: String?
    package var original: String?
    package var product: String?
    package var postings: [Line]

    package init(
        position: Int64, kind: String, at: String, customer: String? = nil, transaction: String? = nil,
        original: String? = nil, product: String? = nil, postings: [Line] = []
    ) {
        self.position = position
        self.kind = kind
        self.at = at
        self.customer = customer
        self.transaction = transaction
        self.original = original
        self.product = product
        self.postings = postings
    }
}

/// A notification as it arrived, or as the store lists it.
package struct RecordedNotification: Sendable, Equatable, Codable {
    package var uuid: String
    package var type: String
    package var subtype: String?
    package var original: String?
    package var transaction: String?
    /// Milliseconds since 1970.
    package var signed: Int64
    /// SHA-256 of the body, in hexadecimal; of an arrival only.
    package var digest: String?
    /// The store's state of sending and the results of its attempts; of a listed one only.
    package var state: String?
    package var attempts: [String]?

    package init(
        uuid: String, type: String, subtype: String? = nil, original: String? = nil, transaction: String? = nil,
        signed: Int64, digest: String? = nil, state: String? = nil, attempts: [String]? = nil
    ) {
        self.uuid = uuid
        self.type = type
        self.subtype = subtype
        self.original = original
        self.transaction = transaction
        self.signed = signed
        self.digest = digest
        self.state = state
        self.attempts = attempts
    }
}
