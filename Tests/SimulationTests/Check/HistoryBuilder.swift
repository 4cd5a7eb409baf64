import Perennial

@testable import PerennialSimulation

/// Builds histories of a store by hand. Each operation takes a millisecond, one after the other, unless its times are named.
struct HistoryBuilder {
    static let products = ["film": "consumable", "filter": "nonConsumable", "monthly": "autoRenewable"]
    private static let length: Int64 = 1000

    private(set) var operations: [RecordedOperation] = []
    var clock = StoreEnvironment.Clock.manual
    var isComplete = true
    private var time: Int64 = 0

    var history: RecordedHistory {
        RecordedHistory(
            header: RecordedHistory.Header(
                app: "com.example.magazine", environment: "Exercise-1", clock: clock.rawValue, seed: 1, clients: 2,
                nodes: ["http://one", "http://two"], started: "2026-01-01T00:00:00Z", products: Self.products),
            operations: operations.sorted { $0.end < $1.end },
            trailer: RecordedHistory.Trailer(end: time, isComplete: isComplete, operations: operations.count))
    }

    var outcome: HistoryCheck.Outcome { HistoryCheck([history]).run() }

    /// Adds an operation after those before.
    mutating func add(_ request: RecordedOperation.Request, _ answer: RecordedOperation.Answer) {
        add(request, answer, from: time + 1, to: time + Self.length)
    }

    mutating func add(
        _ request: RecordedOperation.Request, _ answer: RecordedOperation.Answer, from begin: Int64, to end: Int64
    ) {
        operations.append(
            RecordedOperation(
                number: operations.count + 1, client: 0, node: 0, begin: begin, end: end, request: request,
                answer: answer))
        time = max(time, end)
    }

    // MARK: - Customers

    mutating func buy(
        _ product: String, _ key: String, _ answer: RecordedOperation.Answer, by customer: String = "ann"
    ) {
        add(.buy(customer: customer, product: product, key: key), answer)
    }

    mutating func buy(_ product: String, _ key: String, as transaction: String, by customer: String = "ann") {
        buy(product, key, .sold(transaction: transaction, original: transaction), by: customer)
    }

    mutating func list(_ transactions: [ListedTransaction], of customer: String = "ann") {
        add(.list(customer: customer), .listed(transactions))
    }

    mutating func setPrice(_ price: Int64, _ answer: RecordedOperation.Answer = .done) {
        add(.setPrice(product: "film", price: price), answer)
    }

    // MARK: - Journal

    /// Adds a reading of the journal to its end.
    mutating func read(_ entries: [RecordedEntry], from position: Int64 = 1) {
        add(.journal(position: position, limit: 200), .entries(entries))
    }
}

extension ListedTransaction {
    init(_ id: String, _ product: String = "film", refunded: Bool = false, finished: Bool = false) {
        self.init(
            id: id, original: id, product: product, starts: "2026-01-01T00:00:00Z",
            revoked: refunded ? "2026-01-02T00:00:00Z" : nil, isFinished: finished)
    }

    /// A period of the monthly subscription, by days of January 2026.
    init(period id: String, of original: String, from start: Int, to end: Int) {
        func day(_ number: Int) -> String { "2026-01-\(number < 10 ? "0" : "")\(number)T00:00:00Z" }
        self.init(id: id, original: original, product: "monthly", starts: day(start), ends: day(end))
    }
}

extension RecordedEntry {
    init(
        _ position: Int64, _ kind: String, _ transaction: String, _ product: String = "film",
        of customer: String = "ann",
        original: String? = nil, seller: Int64 = 700
    ) {
        self.init(
            position: position, kind: kind, at: "2026-01-01T00:00:00Z", customer: customer, transaction: transaction,
            original: original ?? transaction, product: product,
            postings: [
                Line(account: "customer", amount: -1000, currency: "USD"),
                Line(account: "commission", amount: 300, currency: "USD"),
                Line(account: "proceeds", amount: seller, currency: "USD"),
            ])
    }
}
