import Perennial

/// A customer's requests in a compact form for the search: names are replaced by small numbers.
struct CustomerModel: Sendable {
    /// The outcome of an idempotency key.
    enum Outcome: Hashable, Sendable {
        case sold(Int)
        /// A refusal by the index of its code.
        case refused(Int)
        /// Sold under a transaction that no answer names.
        case soldUnseen
        /// Refused or sold, and only a request with the same key shows it.
        case unseen
    }

    enum Step: Sendable {
        /// `nil` for a request without an answer.
        case buy(key: Int, product: Int, Outcome?)
        case card(isAccepted: Bool)
        case refund(Int, isDone: Bool?)
        case finish(Int, isDone: Bool?)
        case list(sold: Bits, revoked: Bits, finished: Bits)
    }

    /// A step with the time in which it took effect.
    struct Timed: Sendable {
        var step: Step
        var begin: Int64
        /// `.max` for a request without an answer: it may take effect at any time after its begin, or never.
        var end: Int64
        /// The index of the operation.
        var operation: Int
        var isUnknown: Bool { end == .max }
    }

    struct TransactionFacts: Sendable {
        var product: Int
        /// Transactions with the same original, which a refund of a non-consumable revokes together.
        var repeats: Bits = Bits()
        var isSubscription = false
        /// True if an answer to a purchase named it.
        var isAnswer = false
    }

    struct ProductFacts: Sendable {
        var type: ProductType?
        /// Transactions of the product that no answer named, which a purchase without an answer may have made.
        var candidates: [Int] = []
    }

    /// The customer's state between two steps.
    struct State: Hashable, Sendable {
        /// Outcomes by key, with the product that the key was used for first.
        var outcomes: [Bound?]
        var isDeclined = false
        var sold = Bits()
        var revoked = Bits()
        var finished = Bits()
        /// Products of which a subscription was sold without a known transaction.
        var unseen = Bits()

        struct Bound: Hashable, Sendable {
            var product: Int
            var outcome: Outcome
        }
    }

    private(set) var steps: [Timed] = []
    private(set) var transactions: [TransactionFacts] = []
    private(set) var products: [ProductFacts] = []
    private(set) var codes: [String] = []
    /// The outcomes that answers name, by key and product.
    private(set) var known: [KeyOfProduct: Outcome] = [:]
    private(set) var subscriptions = Bits()
    private var keyCount = 0

    struct KeyOfProduct: Hashable {
        var key: Int
        var product: Int
    }

    /// - Parameter operations: The customer's operations, by their begin.
    init(_ operations: [RecordedOperation], products types: [String: String]) {
        var numbers = Numbers()
        for (index, operation) in operations.enumerated() {
            let step: Step?
            switch (operation.request, operation.answer) {
            case (.buy(_, let product, let key), let answer):
                let product = self.product(product, types, &numbers)
                let number = numbers.keys.number(of: key)
                let outcome = self.outcome(answer, product, &numbers)
                step = .buy(key: number, product: product, outcome)
                // The refusal of a used key says nothing about the key's own outcome.
                if let outcome, outcome != reused(&numbers) {
                    known[KeyOfProduct(key: number, product: product)] = outcome
                }
            case (.card(_, let isAccepted), let answer):
                if case .refused = answer { step = nil } else { step = .card(isAccepted: isAccepted) }
            case (.refund(_, let transaction), let answer):
                step = .refund(self.transaction(transaction, nil, &numbers), isDone: Self.isDone(answer))
            case (.finish(_, let transaction), let answer):
                step = .finish(self.transaction(transaction, nil, &numbers), isDone: Self.isDone(answer))
            case (.list, .listed(let listed)): step = list(listed, types, &numbers)
            default: step = nil
            }
            guard let step else { continue }
            steps.append(
                Timed(
                    step: step, begin: operation.begin, end: operation.isUnknown ? .max : operation.end,
                    operation: index))
        }
        keyCount = numbers.keys.count
        codes = numbers.codes.names
        relate(numbers)
    }

    var start: State { State(outcomes: Array(repeating: nil, count: keyCount)) }

    // MARK: - Numbers for names

    private struct Numbers {
        var keys = Names()
        var products = Names()
        var transactions = Names()
        var codes = Names()
        var originals: [Int: String] = [:]
    }

    private struct Names {
        private(set) var names: [String] = []
        private var numbers: [String: Int] = [:]
        var count: Int { names.count }

        mutating func number(of name: String) -> Int {
            if let number = numbers[name] { return number }
            numbers[name] = names.count
            names.append(name)
            return names.count - 1
        }
    }

    private static func isDone(_ answer: RecordedOperation.Answer) -> Bool? {
        switch answer {
        case .done: true
        case .refused: false
        default: nil
        }
    }

    private mutating func product(_ name: String, _ types: [String: String], _ numbers: inout Numbers) -> Int {
        let number = numbers.products.number(of: name)
        if number == products.count { products.append(ProductFacts(type: types[name].flatMap(ProductType.init))) }
        return number
    }

    private mutating func transaction(_ id: String, _ product: Int?, _ numbers: inout Numbers) -> Int {
        let number = numbers.transactions.number(of: id)
        if number == transactions.count { transactions.append(TransactionFacts(product: product ?? -1)) }
        if let product { transactions[number].product = product }
        return number
    }

    private func reused(_ numbers: inout Numbers) -> Outcome {
        .refused(numbers.codes.number(of: PurchaseRefusal.Code.idempotencyKeyReused.rawValue))
    }

    private mutating func outcome(
        _ answer: RecordedOperation.Answer, _ product: Int, _ numbers: inout Numbers
    ) -> Outcome? {
        switch answer {
        case .sold(let id, let original):
            let number = transaction(id, product, &numbers)
            transactions[number].isAnswer = true
            numbers.originals[number] = original
            return .sold(number)
        case .refused(let code): return .refused(numbers.codes.number(of: code))
        default: return nil
        }
    }

    private mutating func list(
        _ listed: [ListedTransaction], _ types: [String: String], _ numbers: inout Numbers
    ) -> Step {
        var (sold, revoked, finished) = (Bits(), Bits(), Bits())
        for item in listed {
            let number = transaction(item.id, product(item.product, types, &numbers), &numbers)
            numbers.originals[number] = item.original
            sold.insert(number)
            if item.revoked != nil { revoked.insert(number) }
            if item.isFinished { finished.insert(number) }
        }
        return .list(sold: sold, revoked: revoked, finished: finished)
    }

    private mutating func relate(_ numbers: Numbers) {
        let groups = Dictionary(grouping: numbers.originals.keys) { numbers.originals[$0] ?? "" }
        for (number, facts) in transactions.enumerated() {
            transactions[number].repeats.insert(number)
            // Without a list or an answer to a purchase the product isn't known.
            guard products.indices.contains(facts.product) else { continue }
            if products[facts.product].type == .autoRenewable {
                transactions[number].isSubscription = true
                subscriptions.insert(number)
            } else {
                for other in numbers.originals[number].flatMap({ groups[$0] }) ?? [number] {
                    transactions[number].repeats.insert(other)
                }
            }
            if !facts.isAnswer { products[facts.product].candidates.append(number) }
        }
    }
}

/// A set of small numbers.
struct Bits: Hashable, Sendable {
    private var words: [UInt64] = []

    mutating func insert(_ number: Int) {
        while words.count <= number >> 6 { words.append(0) }
        words[number >> 6] |= 1 << UInt64(number & 63)
    }

    func contains(_ number: Int) -> Bool {
        words.indices.contains(number >> 6) && words[number >> 6] & (1 << UInt64(number & 63)) != 0
    }

    var isEmpty: Bool { words.isEmpty }

    func union(_ other: Bits) -> Bits { combine(other) { $0 | $1 } }
    func intersection(_ other: Bits) -> Bits { combine(other) { $0 & $1 } }
    func subtracting(_ other: Bits) -> Bits { combine(other) { $0 & ~$1 } }

    /// The numbers, in order.
    var numbers: [Int] {
        words.enumerated().flatMap { index, word in
            (0..<64).compactMap { word & (1 << UInt64($0)) != 0 ? index << 6 + $0 : nil }
        }
    }

    /// Equal sets have equal words: there is no zero at the end.
    private func combine(_ other: Bits, _ operation: (UInt64, UInt64) -> UInt64) -> Bits {
        var result = Bits()
        result.words = (0..<max(words.count, other.words.count)).map {
            operation(
                words.indices.contains($0) ? words[$0] : 0, other.words.indices.contains($0) ? other.words[$0] : 0)
        }
        while result.words.last == 0 { result.words.removeLast() }
        return result
    }
}
