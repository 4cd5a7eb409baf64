import Perennial

/// Decides whether a store that keeps its rules can have given the answers of recorded histories.
///
/// Believes only the clients: requests, answers and their times. The rules are those of ``StoreRule/inHistories``.
package struct HistoryCheck: Sendable {
    /// Default limit on the steps of the search for one customer's order.
    package static let stepsMax = 1_000_000
    /// Limit on the violations that are reported.
    static let violationsMax = 100

    /// A broken rule, with the operations that show it.
    package struct Violation: Sendable, Equatable {
        package var rule: StoreRule
        package var what: String
        package var operations: [String] = []

        init(_ rule: StoreRule, _ what: String, _ operations: [SeenNotification] = []) {
            self.rule = rule
            self.what = what
            self.operations = operations.map(\.description)
        }
    }

    /// A question that the histories or the limit of steps leave open.
    package struct Undecided: Sendable, Equatable {
        /// `nil` for a question about no single customer.
        package var customer: String?
        package var what: String
        /// Steps of the search, and requests of the customer without an answer.
        package var steps: Int = 0
        package var unknown: Int = 0
    }

    package struct Outcome: Sendable {
        package var operations = 0
        /// Operations without an answer.
        package var unknown = 0
        package var customers = 0
        package var entries = 0
        /// Steps of all searches.
        package var steps = 0
        package var violations: [Violation] = []
        package var undecided: [Undecided] = []

        package var succeeded: Bool { violations.isEmpty && undecided.isEmpty }
    }

    private let histories: [RecordedHistory]
    private let stepsMax: Int

    /// - Parameter stepsMax: Limit on the steps of the search for one customer's order.
    package init(_ histories: [RecordedHistory], stepsMax: Int = HistoryCheck.stepsMax) {
        self.histories = histories
        self.stepsMax = stepsMax
    }

    /// Applies every rule.
    ///
    /// - Parameter progress: Called after each customer, with the numbers of those done and of all.
    package func run(progress: (Int, Int) -> Void = { _, _ in }) -> Outcome {
        var outcome = Outcome()
        for history in histories {
            outcome.operations += history.operations.count
            outcome.unknown += history.operations.count(where: \.isUnknown)
            if let open = Self.unfinished(history) { outcome.undecided.append(open) }
        }
        // A history of another environment has another journal, other customers and another clock.
        for (environment, group) in Dictionary(grouping: histories, by: \.header.environment).sorted(by: {
            $0.key < $1.key
        }) {
            let customers = Self.customers(of: group, &outcome)
            let journal = SharedJournal(group)
            outcome.entries += journal.entries.count
            outcome.violations += journal.violations
            outcome.violations += RefusalRules(group).violations
            outcome.violations += ClockRules(group).violations
            outcome.violations += AnswerRules(customers, journal).violations
            outcome.violations += PriceRules(group, customers, journal).violations
            outcome.violations += ListRules(customers, journal, group).violations
            let notifications = NotificationRules(group, journal)
            outcome.violations += notifications.violations
            outcome.undecided += notifications.undecided
            if let silence = Self.unanswered(customers) { outcome.undecided.append(silence) }
            if let gap = journal.undecided(environment) { outcome.undecided.append(gap) }
            outcome.customers += customers.count
            for (index, customer) in customers.enumerated() {
                search(customer, group.first?.header.products ?? [:], &outcome)
                progress(index + 1, customers.count)
            }
        }
        outcome.violations = Array(outcome.violations.prefix(Self.violationsMax))
        return outcome
    }

    private func search(_ customer: CustomerOperations, _ products: [String: String], _ outcome: inout Outcome) {
        let (verdict, steps) = OrderSearch(customer, products: products, stepsMax: stepsMax).run()
        outcome.steps += steps
        switch verdict {
        case .explained: break
        case .undecided:
            outcome.undecided.append(
                Undecided(
                    customer: customer.name, what: "no order was found, and not all were tried", steps: steps,
                    unknown: customer.operations.count { $0.operation.isUnknown }))
        case .unexplained:
            outcome.violations.append(
                Counterexample(customer, products: products, stepsMax: stepsMax).violation())
        }
    }

    /// Groups the operations by customer. A customer whose operations two processes recorded has no one clock.
    private static func customers(of group: [RecordedHistory], _ outcome: inout Outcome) -> [CustomerOperations] {
        var owners: [String: Int] = [:]
        var operations: [String: [SeenNotification]] = [:]
        for (index, history) in group.enumerated() {
            for operation in history.operations {
                guard let name = operation.customer else { continue }
                guard owners[name, default: index] == index else {
                    outcome.undecided.append(
                        Undecided(
                            customer: name, what: "two histories have this customer, and their times don't compare"))
                    continue
                }
                owners[name] = index
                operations[name, default: []].append(SeenNotification(history, operation, isNamed: group.count > 1))
            }
        }
        return operations.sorted { $0.key < $1.key }.map { name, witnesses in
            CustomerOperations(
                name: name, history: owners[name] ?? 0,
                operations: witnesses.sorted {
                    ($0.operation.begin, $0.operation.number) < ($1.operation.begin, $1.operation.number)
                })
        }
    }

    /// A store that answers no customer keeps every promise, and proves none.
    private static func unanswered(_ customers: [CustomerOperations]) -> Undecided? {
        let operations = customers.flatMap(\.operations)
        guard !operations.isEmpty, operations.allSatisfy(\.operation.isUnknown) else { return nil }
        return Undecided(what: "none of \(operations.count) requests of customers was answered")
    }

    private static func unfinished(_ history: RecordedHistory) -> Undecided? {
        guard let trailer = history.trailer else {
            return Undecided(what: "\(history.name) was cut off: its last line is missing")
        }
        guard trailer.operations == history.operations.count else {
            return Undecided(
                what:
                    "\(history.name) has \(history.operations.count) operations, and its last line says \(trailer.operations)"
            )
        }
        guard !trailer.isComplete else { return nil }
        return Undecided(what: "\(history.name) ends without \(trailer.missing ?? "its last readings")")
    }
}

/// An operation with the history that recorded it.
struct SeenNotification: Sendable, CustomStringConvertible {
    var history: String
    var operation: RecordedOperation
    /// True if the description names the history.
    var isNamed: Bool

    init(_ history: RecordedHistory, _ operation: RecordedOperation, isNamed: Bool) {
        self.history = history.name
        self.operation = operation
        self.isNamed = isNamed
    }

    var description: String { isNamed ? "\(history) \(operation)" : operation.description }
}

/// The operations of a customer, by their begin.
struct CustomerOperations: Sendable {
    var name: String
    /// The index of the history within its environment's.
    var history: Int
    var operations: [SeenNotification]
}
