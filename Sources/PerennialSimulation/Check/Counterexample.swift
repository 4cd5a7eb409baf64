import Perennial

/// The shortest part of a customer's history that no order explains, for people to read.
struct Counterexample {
    /// Limit on the steps of all searches together, as a multiple of that for one search.
    private static let searchesMax = 4

    private let customer: CustomerOperations
    private let products: [String: String]
    private let stepsMax: Int

    init(_ customer: CustomerOperations, products: [String: String], stepsMax: Int) {
        self.customer = customer
        self.products = products
        self.stepsMax = stepsMax
    }

    func violation() -> HistoryCheck.Violation {
        var steps = 0
        var operations = prefix(&steps)
        let last = operations.filter { !$0.operation.isUnknown }.max { $0.operation.end < $1.operation.end }
        leaveOut(from: &operations, &steps)
        let answer = last.map { "#\($0.operation.number), \($0.operation.request): \($0.operation.answer)" }
        return HistoryCheck.Violation(
            .unexplained, "no order of the requests of \(customer.name) explains \(answer ?? "the answers")", operations
        )
    }

    private func isUnexplained(_ operations: [SeenNotification], _ steps: inout Int) -> Bool {
        guard steps < stepsMax * Self.searchesMax else { return false }
        let result = OrderSearch(operations.map(\.operation), products: products, stepsMax: stepsMax).run()
        steps += result.steps
        return result.verdict == .unexplained
    }

    /// Returns the history up to the first answer that can't be explained. A prefix of a history with an order has one, too.
    private func prefix(_ steps: inout Int) -> [SeenNotification] {
        let ends = Set(customer.operations.filter { !$0.operation.isUnknown }.map(\.operation.end)).sorted()
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if isUnexplained(cut(at: ends[middle]), &steps) { high = middle } else { low = middle + 1 }
        }
        return ends.indices.contains(low) ? cut(at: ends[low]) : customer.operations
    }

    /// The history as it was known at a time: later requests are missing, and later answers.
    private func cut(at end: Int64) -> [SeenNotification] {
        customer.operations.filter { $0.operation.begin <= end }.compactMap { witness in
            guard witness.operation.end > end else { return witness }
            if case .list = witness.operation.request { return nil }
            var cut = witness
            cut.operation.answer = .unknown(reason: "not yet")
            return cut
        }
    }

    /// Leaves out operations that the contradiction doesn't need, as long as none is left out that another answer may need.
    private func leaveOut(from operations: inout [SeenNotification], _ steps: inout Int) {
        for index in operations.indices.reversed() where Self.isRemovable(operations[index].operation, in: operations) {
            var rest = operations
            rest.remove(at: index)
            if isUnexplained(rest, &steps) { operations = rest }
        }
    }

    /// True if a history without the operation has an order if the whole one has.
    private static func isRemovable(_ operation: RecordedOperation, in operations: [SeenNotification]) -> Bool {
        switch (operation.request, operation.answer) {
        case (.customer, _), (.list, _), (.refund, .refused), (.finish, .refused): return true
        case (.buy(_, let product, let key), _):
            // A request that began earlier and has the same answer takes its place in any order.
            return operations.contains { other in
                guard case .buy(_, product, key) = other.operation.request,
                    other.operation.number != operation.number, other.operation.begin <= operation.begin
                else { return false }
                return other.operation.answer == operation.answer || operation.isUnknown && !other.operation.isUnknown
            }
        default: return false
        }
    }
}
