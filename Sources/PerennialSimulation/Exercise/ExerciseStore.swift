import BaseEncoding
import Foundation
import Perennial

/// The store as the clients of an exercise ask it: requests of a history as requests of store/v1 and control/v1.
struct ExerciseStore: Sendable {
    /// Statuses after which a request may be repeated, because it wasn't decided: 502 and 504 are a proxy's.
    private static let undecided: Set<Int> = [408, 425, 429, 502, 504]
    /// Entries and transactions that one page holds.
    static let pageLength = 200

    let transport: any ExerciseTransport
    let plan: ExercisePlan

    /// Asks a node once. A list of more than one page is unknown: its pages are of different times.
    func answer(
        to request: RecordedOperation.Request, token: String?, at node: Int
    ) async -> RecordedOperation.Answer {
        let (sent, read) = message(request, token)
        var message = sent
        message.node = node % max(transport.nodes.count, 1)
        switch await transport.send(message) {
        case .lost(let reason): return .unknown(reason: reason)
        case .unavailable: return .unknown(reason: "HTTP 503")
        case .answer(let status, let body): return Self.answer(status, body, read)
        }
    }

    static func answer(
        _ status: Int, _ body: [UInt8], _ read: ([UInt8]) throws -> RecordedOperation.Answer
    ) -> RecordedOperation.Answer {
        switch status {
        case _ where undecided.contains(status): return .unknown(reason: "HTTP \(status)")
        case 200..<300:
            return (try? read(body)) ?? .failed(reason: "HTTP \(status) with an answer that can't be read")
        case 400..<500:
            guard let code = try? JSONDecoder().decode(ErrorBody.self, from: Data(body)).error.code else {
                return .failed(reason: "HTTP \(status) without a code")
            }
            return .refused(code: code)
        case 503: return .failed(reason: "HTTP 503 without Retry-After")
        default: return .failed(reason: "HTTP \(status)")
        }
    }

    // MARK: - Messages

    private typealias Reading = ([UInt8]) throws -> RecordedOperation.Answer

    private func message(
        _ request: RecordedOperation.Request, _ token: String?
    ) -> (ExerciseRequest, Reading) {
        let app = "control/v1/apps/\(Self.encoded(plan.app))"
        let device = token.map(ExerciseRequest.Caller.device) ?? .unknown
        switch request {
        case .customer(let name):
            let body = ["account": name, "paymentMethod": "valid", "storefront": ExercisePlan.storefront]
            return (post("control/v1/accounts", body), { _ in .done })
        case .card(let name, true):
            return (post("control/v1/accounts", ["account": name, "paymentMethod": "valid"]), { _ in .done })
        case .card(let name, false):
            return (post("control/v1/accounts", ["account": name, "paymentMethod": "declined"]), { _ in .done })
        case .buy(_, let product, let key):
            let body = PurchaseBody(productId: product, idempotencyKey: key, includeReceipt: false)
            return (post("store/v1/purchases", body, device), Self.sale)
        case .refund(_, let transaction):
            return (post("control/v1/transactions/\(transaction)/refund", [String: String]()), { _ in .done })
        case .finish(_, let transaction):
            return (self.request("POST", "store/v1/transactions/\(transaction)/finish", device), { _ in .done })
        case .list(let name):
            return (
                self.request("GET", "\(app)/transactions?account=\(Self.encoded(name))&limit=\(Self.pageLength)"),
                Self.list
            )
        case .clock: return (self.request("GET", "control/v1/clock"), Self.time)
        case .setPrice(let product, let price):
            let body = PriceBody(price: price, storefront: ExercisePlan.storefront)
            return (post("\(app)/products/\(Self.encoded(product))/price", body), { _ in .done })
        case .advance(let by):
            var message = post("control/v1/clock/advance", ["by": by])
            message.isLong = true
            return (message, Self.time)
        case .journal(let position, let limit):
            return (self.request("GET", "\(app)/journal?position=\(position)&limit=\(limit)"), Self.entries)
        case .notifications, .notified:
            return (self.request("GET", "\(app)/notifications/history?limit=\(Self.pageLength)"), { _ in .done })
        }
    }

    func request(
        _ method: String, _ path: String, _ caller: ExerciseRequest.Caller = .control, body: [UInt8]? = nil
    ) -> ExerciseRequest {
        ExerciseRequest(
            node: 0, method: method, path: path, environment: plan.environment, body: body, caller: caller)
    }

    func post(
        _ path: String, _ body: some Encodable, _ caller: ExerciseRequest.Caller = .control
    ) -> ExerciseRequest {
        // These bodies have nothing that JSON can't say.
        request("POST", path, caller, body: (try? JSONEncoder().encode(body)).map { Array($0) })
    }

    /// The text as a part of a path or query: all but the unreserved characters of RFC 3986 are encoded.
    static func encoded(_ text: String) -> String { PercentEncoding.encode(text) }

    // MARK: - Answers

    private struct PurchaseBody: Encodable {
        var productId: String
        var idempotencyKey: String
        var includeReceipt: Bool
    }

    private struct PriceBody: Encodable {
        var price: Int64
        var storefront: String
    }

    private struct ErrorBody: Decodable {
        struct Members: Decodable { var code: String }
        var error: Members
    }

    private struct Unreadable: Error {}

    private static func sale(_ body: [UInt8]) throws -> RecordedOperation.Answer {
        struct Answer: Decodable {
            struct Sold: Decodable {
                var transactionId: String
                var originalTransactionId: String
            }
            var transaction: Sold
        }
        let sold = try JSONDecoder().decode(Answer.self, from: Data(body)).transaction
        return .sold(transaction: sold.transactionId, original: sold.originalTransactionId)
    }

    private static func list(_ body: [UInt8]) throws -> RecordedOperation.Answer {
        let page = try JSONDecoder().decode(ListedTransactions.self, from: Data(body))
        guard page.next == nil else { return .unknown(reason: "more than \(pageLength) transactions") }
        return .listed(page.transactions.map(ListedTransaction.init))
    }

    /// Reads a page of a customer's transactions.
    func page(of customer: String, after: String?, at node: Int) async -> ExercisePage<ListedTransactions> {
        var (message, _) = message(.list(customer: customer), nil)
        message.node = node % max(transport.nodes.count, 1)
        if let after { message.path += "&after=\(Self.encoded(after))" }
        return await page(message)
    }

    /// Sends a request whose answer isn't one of a history, such as a page of a longer list.
    func page<Page: Decodable>(_ message: ExerciseRequest) async -> ExercisePage<Page> {
        guard case .answer(let status, let body) = await transport.send(message) else { return .none }
        if status == 200, let page = try? JSONDecoder().decode(Page.self, from: Data(body)) { return .page(page) }
        return switch Self.answer(status, body, { _ in throw Unreadable() }) {
        case .failed(let reason): .failed(.failed(reason: reason))
        case .refused(let code): .failed(.refused(code: code))
        default: .none
        }
    }

    private static func time(_ body: [UInt8]) throws -> RecordedOperation.Answer {
        struct Answer: Decodable { var now: String }
        guard let now = Instant(rfc3339: try JSONDecoder().decode(Answer.self, from: Data(body)).now) else {
            throw Unreadable()
        }
        return .time(now)
    }

    private static func entries(_ body: [UInt8]) throws -> RecordedOperation.Answer {
        struct Answer: Decodable {
            struct Item: Decodable {
                var position: Int64
                var postings: [RecordedEntry.Line]
                var at: String
                var kind: String
                var originalTransactionId: String?
                var transactionId: String?
                var account: String?
                var productId: String?
            }
            var entries: [Item]
        }
        return .entries(
            try JSONDecoder().decode(Answer.self, from: Data(body)).entries.map { item in
                RecordedEntry(
                    position: item.position, kind: item.kind, at: item.at, customer: item.account,
                    transaction: item.transactionId, original: item.originalTransactionId, product: item.productId,
                    postings: item.postings)
            })
    }
}

/// The answer to a request for a page.
enum ExercisePage<Page> {
    case page(Page)
    case none
    /// The store may not answer so.
    case failed(RecordedOperation.Answer)
}

/// A page of a customer's transactions, as control/v1 answers it.
struct ListedTransactions: Decodable {
    struct Item: Decodable {
        var transactionId: String
        var originalTransactionId: String
        var productId: String
        var purchaseDate: String
        var expiresDate: String?
        var revocationDate: String?
        var isUpgraded: Bool
        var isFinished: Bool
    }

    var transactions: [Item]
    var next: String?
}

extension ListedTransaction {
    init(_ item: ListedTransactions.Item) {
        self.init(
            id: item.transactionId, original: item.originalTransactionId, product: item.productId,
            starts: item.purchaseDate, ends: item.expiresDate, revoked: item.revocationDate,
            isUpgraded: item.isUpgraded, isFinished: item.isFinished)
    }
}
