import Perennial

/// An operation as a line of JSON. Its members depend on the request and the answer.
struct HistoryLine: Codable {
    /// A line whose members don't fit together.
    struct Malformed: Error {
        var reason: String
    }

    private enum Kind: String, Codable {
        case customer, buy, card, refund, finish, list, clock, setPrice, advance, journal, notified, notifications
    }

    private enum Outcome: String, Codable {
        case sold, refused, done, listed, time, entries, sent, unknown, failed
    }

    private static let acceptedCard = Account.PaymentMethod.valid.rawValue
    private static let declinedCard = Account.PaymentMethod.declined.rawValue

    private var op: Int
    private var client: Int
    private var node: Int?
    private var begin: Int64
    private var end: Int64
    private var `do`: Kind
    private var answer: Outcome
    private var customer: String?
    private var product: String?
    private var key: String?
    private var method: String?
    private var transaction: String?
    private var original: String?
    private var code: String?
    private var reason: String?
    private var price: Int64?
    private var by: String?
    private var now: String?
    private var position: Int64?
    private var limit: Int?
    private var transactions: [ListedTransaction]?
    private var entries: [RecordedEntry]?
    private var notification: RecordedNotification?
    private var status: Int?
    private var notifications: [RecordedNotification]?

    init(_ operation: RecordedOperation) {
        op = operation.number
        client = operation.client
        node = operation.node
        begin = operation.begin
        end = operation.end
        customer = operation.customer
        switch operation.request {
        case .customer: `do` = .customer
        case .buy(_, let product, let key):
            `do` = .buy
            (self.product, self.key) = (product, key)
        case .card(_, let isAccepted):
            `do` = .card
            method = isAccepted ? Self.acceptedCard : Self.declinedCard
        case .refund(_, let transaction):
            `do` = .refund
            self.transaction = transaction
        case .finish(_, let transaction):
            `do` = .finish
            self.transaction = transaction
        case .list: `do` = .list
        case .clock: `do` = .clock
        case .setPrice(let product, let price):
            `do` = .setPrice
            (self.product, self.price) = (product, price)
        case .advance(let by):
            `do` = .advance
            self.by = by
        case .journal(let position, let limit):
            `do` = .journal
            (self.position, self.limit) = (position, limit)
        case .notified(let notification, let status):
            `do` = .notified
            (self.notification, self.status) = (notification, status)
        case .notifications: `do` = .notifications
        }
        switch operation.answer {
        case .sold(let transaction, let original):
            answer = .sold
            (self.transaction, self.original) = (transaction, original)
        case .refused(let code):
            answer = .refused
            self.code = code
        case .done: answer = .done
        case .listed(let transactions):
            answer = .listed
            self.transactions = transactions
        case .time(let now):
            answer = .time
            self.now = now.rfc3339(fraction: true)
        case .entries(let entries):
            answer = .entries
            self.entries = entries
        case .sent(let notifications):
            answer = .sent
            self.notifications = notifications
        case .unknown(let reason):
            answer = .unknown
            self.reason = reason
        case .failed(let reason):
            answer = .failed
            self.reason = reason
        }
    }

    /// - Throws: ``Malformed`` if a member is missing, or the answer isn't one to the request.
    func operation() throws(Malformed) -> RecordedOperation {
        guard begin <= end else { throw Malformed(reason: "operation \(op) ends before it begins") }
        let (request, answer) = (try request(), try given())
        guard Self.fits(answer, request) else {
            throw Malformed(reason: "operation \(op): \(self.answer.rawValue) is no answer to \(self.do.rawValue)")
        }
        return RecordedOperation(
            number: op, client: client, node: node, begin: begin, end: end, request: request, answer: answer)
    }

    private func request() throws(Malformed) -> RecordedOperation.Request {
        switch `do` {
        case .customer: .customer(try needed(customer, "customer"))
        case .buy:
            .buy(
                customer: try needed(customer, "customer"), product: try needed(product, "product"),
                key: try needed(key, "key"))
        case .card: .card(customer: try needed(customer, "customer"), isAccepted: try isAccepted())
        case .refund:
            .refund(customer: try needed(customer, "customer"), transaction: try needed(transaction, "transaction"))
        case .finish:
            .finish(customer: try needed(customer, "customer"), transaction: try needed(transaction, "transaction"))
        case .list: .list(customer: try needed(customer, "customer"))
        case .clock: .clock
        case .setPrice:
            .setPrice(product: try needed(product, "product"), price: try needed(price, "price"))
        case .advance: .advance(by: try needed(by, "by"))
        case .journal: .journal(position: try needed(position, "position"), limit: try needed(limit, "limit"))
        case .notified:
            .notified(try needed(notification, "notification"), status: try needed(status, "status"))
        case .notifications: .notifications
        }
    }

    private func given() throws(Malformed) -> RecordedOperation.Answer {
        switch answer {
        case .sold:
            .sold(transaction: try needed(transaction, "transaction"), original: try needed(original, "original"))
        case .refused: .refused(code: try needed(code, "code"))
        case .done: .done
        case .listed: .listed(try needed(transactions, "transactions"))
        case .time: .time(try time())
        case .entries: .entries(try needed(entries, "entries"))
        case .sent: .sent(try needed(notifications, "notifications"))
        case .unknown: .unknown(reason: try needed(reason, "reason"))
        case .failed: .failed(reason: try needed(reason, "reason"))
        }
    }

    private func isAccepted() throws(Malformed) -> Bool {
        let method = try needed(method, "method")
        guard [Self.acceptedCard, Self.declinedCard].contains(method) else {
            throw Malformed(reason: "operation \(op): method is \(Self.acceptedCard) or \(Self.declinedCard)")
        }
        return method == Self.acceptedCard
    }

    private func time() throws(Malformed) -> Instant {
        guard let time = Instant(rfc3339: try needed(now, "now")) else {
            throw Malformed(reason: "operation \(op): now is no time of RFC 3339")
        }
        return time
    }

    private func needed<Value>(_ value: Value?, _ member: String) throws(Malformed) -> Value {
        guard let value else { throw Malformed(reason: "operation \(op) has no \(member)") }
        return value
    }

    private static func fits(_ answer: RecordedOperation.Answer, _ request: RecordedOperation.Request) -> Bool {
        switch (request, answer) {
        case (_, .unknown), (_, .failed), (_, .refused): true
        case (.buy, .sold), (.list, .listed), (.clock, .time), (.advance, .time), (.journal, .entries),
            (.notifications, .sent):
            true
        case (.customer, .done), (.card, .done), (.refund, .done), (.finish, .done), (.setPrice, .done),
            (.notified, .done):
            true
        default: false
        }
    }
}
