import Perennial

/// The rules on the answers to requests that change something: one answer for each key, and nothing acknowledged is lost.
struct AnswerRules {
    private(set) var violations: [HistoryCheck.Violation] = []
    private let journal: SharedJournal
    /// The key that each transaction answers, over all customers.
    private var keys: [String: (key: String, witness: SeenNotification)] = [:]

    init(_ customers: [CustomerOperations], _ journal: SharedJournal) {
        self.journal = journal
        // Sales by customer and product.
        var sold: [String: [String: Int]] = [:]
        for seen in journal.entries.values {
            guard let kind = seen.kind, Self.requested.contains(kind), let customer = seen.entry.customer,
                let product = seen.entry.product
            else { continue }
            sold[customer, default: [:]][product, default: 0] += 1
        }
        for customer in customers {
            checkKeys(customer)
            checkLosses(customer)
            checkRequests(customer, sold[customer.name] ?? [:])
        }
    }

    /// The sales that a customer asks for. Renewals come by themselves.
    private static let requested: Set<JournalEntry.Kind> = [
        .purchased, .boughtAgain, .subscription(.subscribed), .subscription(.resubscribed),
    ]

    private struct Key: Hashable {
        var key: String
        var product: String
    }

    /// Checks that each key has one answer, and each transaction one key.
    private mutating func checkKeys(_ customer: CustomerOperations) {
        var answers: [Key: SeenNotification] = [:]
        for witness in customer.operations {
            guard case .buy(_, let product, let key) = witness.operation.request, !witness.operation.isUnknown else {
                continue
            }
            // The key of another request: its own answer, of which the search knows more.
            if case .refused(PurchaseRefusal.Code.idempotencyKeyReused.rawValue) = witness.operation.answer { continue }
            let request = Key(key: key, product: product)
            if let first = answers[request], first.operation.answer != witness.operation.answer {
                violations.append(
                    HistoryCheck.Violation(
                        .soldTwice,
                        "the key \(key) has two answers: \(first.operation.answer), and \(witness.operation.answer)",
                        [first, witness]))
            }
            answers[request] = answers[request] ?? witness
            guard case .sold(let transaction, _) = witness.operation.answer else { continue }
            if let other = keys[transaction], other.key != "\(customer.name) \(key)" {
                violations.append(
                    HistoryCheck.Violation(
                        .soldTwice, "\(transaction) is the answer to two requests", [other.witness, witness]))
            }
            keys[transaction] = ("\(customer.name) \(key)", witness)
        }
    }

    /// Checks that the journal has no sale without a request.
    private mutating func checkRequests(_ customer: CustomerOperations, _ sold: [String: Int]) {
        var requested: [String: Set<String>] = [:]
        for witness in customer.operations {
            guard case .buy(_, let product, let key) = witness.operation.request else { continue }
            requested[product, default: []].insert(key)
        }
        for (product, count) in sold.sorted(by: { $0.key < $1.key }) {
            let keys = requested[product]?.count ?? 0
            guard !CommonRules.isCovered(sold: count, requested: keys) else { continue }
            violations.append(
                HistoryCheck.Violation(
                    .soldTwice,
                    "the journal sells \(product) \(count) times to \(customer.name), who asked for \(keys)"))
        }
    }

    /// Checks that later lists and the journal have what was acknowledged.
    private mutating func checkLosses(_ customer: CustomerOperations) {
        let lists = customer.operations.filter { if case .listed = $0.operation.answer { true } else { false } }
        for witness in customer.operations {
            switch (witness.operation.request, witness.operation.answer) {
            case (.buy, .sold(let transaction, _)):
                expect(transaction, "sold", witness, lists, in: customer, journal.sales) { _ in true }
            case (.refund(_, let transaction), .done):
                expect(transaction, "refunded", witness, lists, in: customer, journal.refunds) { $0.revoked != nil }
            case (.finish(_, let transaction), .done):
                expect(transaction, "finished", witness, lists, in: customer, journal.finishes) { $0.isFinished }
            default: break
            }
        }
    }

    private mutating func expect(
        _ transaction: String, _ word: String, _ witness: SeenNotification, _ lists: [SeenNotification],
        in customer: CustomerOperations,
        _ positions: [String: Int64], _ isKept: (ListedTransaction) -> Bool
    ) {
        for list in lists where list.operation.begin > witness.operation.end {
            guard case .listed(let transactions) = list.operation.answer else { continue }
            if let found = transactions.first(where: { $0.id == transaction }), isKept(found) { continue }
            violations.append(
                HistoryCheck.Violation(.lostAnswer, "\(transaction) was \(word), and isn't", [witness, list]))
            return
        }
        guard let ending = journal.ending(after: witness.operation.end, in: customer.history) else { return }
        guard let position = positions[transaction] else {
            violations.append(
                HistoryCheck.Violation(
                    .lostAnswer, "\(transaction) was \(word), and the journal doesn't say so",
                    [witness, ending.witness]))
            return
        }
        guard position > ending.last else { return }
        violations.append(
            HistoryCheck.Violation(
                .journalOrder,
                "\(transaction) was \(word), and a reader who asked afterwards came to the end at \(ending.last): its entry "
                    + "got the position \(position) later",
                [witness, ending.witness]))
    }
}

/// The rule that a request is refused only for a reason that it can have, and that the store doesn't fail.
struct RefusalRules {
    private(set) var violations: [HistoryCheck.Violation] = []

    init(_ histories: [RecordedHistory]) {
        for history in histories {
            for operation in history.operations {
                let what: String
                switch operation.answer {
                case .refused(let code) where !Self.refusals(of: operation.request).contains(code):
                    what = "a request was refused with \(code)"
                case .failed(let reason): what = "the store failed: \(reason)"
                default: continue
                }
                violations.append(
                    HistoryCheck.Violation(
                        .unexpectedError, what, [SeenNotification(history, operation, isNamed: histories.count > 1)]))
            }
        }
    }

    /// The codes with which the store may refuse a request.
    static func refusals(of request: RecordedOperation.Request) -> Set<String> {
        switch request {
        case .buy:
            Set([PurchaseRefusal.Code.paymentDeclined, .alreadySubscribed, .idempotencyKeyReused].map(\.rawValue))
        case .refund: [RefundError.Code.alreadyRefunded.rawValue, Self.unknownTransaction]
        case .finish: [Self.unknownTransaction]
        case .customer, .card, .list, .clock, .setPrice, .advance, .journal, .notified, .notifications: []
        }
    }

    /// The code of docs/reference/store.md for a transaction that the customer doesn't have.
    static let unknownTransaction = "transactionNotFound"
}
