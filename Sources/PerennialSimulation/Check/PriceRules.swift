import Perennial

/// The rule on prices that the clients of the histories have set: what is sold costs one that was in force at some time between
/// the request and the answer. A node that sells by an old catalog breaks it.
struct PriceRules {
    /// The setting of a price by a client.
    private struct Setting {
        var price: Int64
        var history: Int
        var witness: SeenNotification

        /// True if another price was set for certain between this setting and a time of the same history.
        func isReplaced(by other: Setting, before time: Int64) -> Bool {
            guard history == other.history, !witness.operation.isUnknown, !other.witness.operation.isUnknown else {
                return false
            }
            return witness.operation.end < other.witness.operation.begin && other.witness.operation.end < time
        }
    }

    private(set) var violations: [HistoryCheck.Violation] = []

    init(_ histories: [RecordedHistory], _ customers: [CustomerOperations], _ journal: SharedJournal) {
        var settings: [String: [Setting]] = [:]
        for (index, history) in histories.enumerated() {
            for operation in history.operations {
                guard case .setPrice(let product, let price) = operation.request else { continue }
                if case .refused = operation.answer { continue }
                settings[product, default: []].append(
                    Setting(
                        price: price, history: index,
                        witness: SeenNotification(history, operation, isNamed: histories.count > 1)))
            }
        }
        guard !settings.isEmpty else { return }
        for customer in customers { check(customer, settings, journal) }
    }

    private mutating func check(
        _ customer: CustomerOperations, _ settings: [String: [Setting]], _ journal: SharedJournal
    ) {
        // The operations are in the order of their begin.
        var first: [String: Int64] = [:]
        for witness in customer.operations {
            guard case .buy(_, let product, let key) = witness.operation.request, let settings = settings[product]
            else {
                continue
            }
            let begin = first[key] ?? witness.operation.begin
            first[key] = begin
            guard case .sold(let transaction, _) = witness.operation.answer, let sale = journal.sale(of: transaction),
                sale.kind == .purchased, let paid = Self.paid(sale.entry)
            else { continue }
            // Before the first setting the price is the catalog's, which the history doesn't say.
            let known = settings.contains {
                $0.history == customer.history && !$0.witness.operation.isUnknown && $0.witness.operation.end < begin
            }
            guard known else { continue }
            let inForce = settings.filter { setting in
                (setting.history != customer.history || setting.witness.operation.begin < witness.operation.end)
                    && !settings.contains {
                        setting.history == customer.history && setting.isReplaced(by: $0, before: begin)
                    }
            }
            let prices = inForce.map { Money(milliunits: $0.price, paid.currency) }
            guard !CommonRules.isCharged(paid, among: prices) else { continue }
            violations.append(
                HistoryCheck.Violation(
                    .wrongCharge, "\(transaction) cost \(paid), not \(prices.map(\.description).sorted())",
                    inForce.map(\.witness).suffix(Self.shownMax) + [witness]))
        }
    }

    /// Settings that a violation shows.
    private static let shownMax = 4

    /// Amount that the customer has paid by the entry of a sale.
    private static func paid(_ entry: RecordedEntry) -> Money? {
        let lines = entry.postings.filter { $0.account == Posting.Account.customer.rawValue }
        guard let line = lines.first else { return nil }
        return Money(
            milliunits: -lines.reduce(0) { $0 + $1.amount }, Currency(rawValue: line.currency))
    }
}
