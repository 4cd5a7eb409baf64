import Perennial

/// The rules on what lists of a customer's transactions show, by themselves and beside journal and clock.
struct ListRules {
    private(set) var violations: [HistoryCheck.Violation] = []
    private let journal: SharedJournal
    private let sales: [String: [SharedJournal.Seen]]
    private let due: [DueRenewals]
    /// The types of products, by ID.
    private let types: [String: String]

    init(_ customers: [CustomerOperations], _ journal: SharedJournal, _ histories: [RecordedHistory]) {
        self.journal = journal
        due = histories.map { DueRenewals($0, isNamed: histories.count > 1) }
        types = histories.first?.header.products ?? [:]
        sales = Dictionary(grouping: journal.entries.values.filter { $0.kind?.isSale == true }) {
            $0.entry.customer ?? ""
        }
        for customer in customers { check(customer) }
    }

    private mutating func check(_ customer: CustomerOperations) {
        let sold = (sales[customer.name] ?? []).sorted { $0.entry.position < $1.entry.position }
        let wasDeclined = customer.operations.contains {
            if case .card(_, false) = $0.operation.request { true } else { false }
        }
        // One of each kind is enough of a customer.
        var found: Set<StoreRule> = []
        for witness in customer.operations {
            guard case .listed(let transactions) = witness.operation.answer else { continue }
            let now: [HistoryCheck.Violation?] = [
                overlap(transactions, witness), gap(transactions, witness), several(transactions, witness),
                unsold(transactions, witness, customer), unlisted(transactions, sold, witness, customer),
            ]
            for violation in now.compactMap({ $0 }) where found.insert(violation.rule).inserted {
                violations.append(violation)
            }
        }
        if !wasDeclined { checkDue(customer, due[customer.history]) }
    }

    // MARK: - Periods

    private func overlap(_ transactions: [ListedTransaction], _ witness: SeenNotification) -> HistoryCheck.Violation? {
        for (original, periods) in Dictionary(grouping: transactions.filter { $0.ends != nil }, by: \.original) {
            let live = periods.filter { $0.revoked == nil && !$0.isUpgraded }.compactMap(\.period)
            guard let (one, next) = CommonRules.overlap(of: live) else { continue }
            return HistoryCheck.Violation(
                .paidTwice,
                "\(one.id) (until \(one.end?.rfc3339() ?? "")) and \(next.id) (from \(next.start.rfc3339())) of the "
                    + "subscription \(original) overlap", [witness])
        }
        return nil
    }

    /// Finds a product that the customer was sold although it was owned: purchases that didn't wait for each other.
    private func several(_ transactions: [ListedTransaction], _ witness: SeenNotification) -> HistoryCheck.Violation? {
        let live = transactions.filter { $0.revoked == nil && !$0.isUpgraded }
        for (product, owned) in Dictionary(grouping: live, by: \.product).sorted(by: { $0.key < $1.key }) {
            guard Set(owned.map(\.original)).count > 1 else { continue }
            switch types[product].flatMap(ProductType.init(rawValue:)) {
            case .nonConsumable:
                let names = owned.map(\.id).joined(separator: " and ")
                return HistoryCheck.Violation(
                    .severalActive, "\(names) of the non-consumable \(product) are no repeats of one purchase",
                    [witness])
            case .autoRenewable:
                guard let (one, next) = CommonRules.overlap(of: owned.compactMap(\.period)) else { continue }
                return HistoryCheck.Violation(
                    .severalActive,
                    "\(one.id) and \(next.id) of \(product) are in force at \(next.start.rfc3339()) together", [witness]
                )
            default: continue
            }
        }
        return nil
    }

    private func gap(_ transactions: [ListedTransaction], _ witness: SeenNotification) -> HistoryCheck.Violation? {
        for (original, periods) in Dictionary(grouping: transactions.filter { $0.ends != nil }, by: \.original) {
            let ends = Set(periods.compactMap { $0.period?.end })
            for period in periods {
                guard let start = period.period?.start, let position = journal.sales[period.id],
                    journal.entries[position]?.kind == .subscription(.renewed),
                    // A renewal refunded before it began may follow a period that ends elsewhere now.
                    (period.revoked.flatMap(Instant.init(rfc3339:)) ?? start) >= start,
                    !CommonRules.continues(start, ends: ends)
                else { continue }
                return HistoryCheck.Violation(
                    .gapInService,
                    "\(period.id) renews \(original) from \(start.rfc3339()), where nothing ended", [witness])
            }
        }
        return nil
    }

    /// Checks that an advance left nothing behind, and that the nodes have renewed on a real clock.
    private mutating func checkDue(_ customer: CustomerOperations, _ due: DueRenewals) {
        for witness in customer.operations {
            guard case .listed(let transactions) = witness.operation.answer,
                let reached = due.advances.reached(before: witness.operation.begin)
            else { continue }
            for (original, periods) in Dictionary(grouping: transactions.filter { $0.ends != nil }, by: \.original) {
                guard !periods.contains(where: { $0.revoked != nil }),
                    let newest = periods.compactMap({ $0.period?.end }).max(),
                    newest + due.lateMax <= reached.time, Set(periods.map(\.id)).count < due.periodsMax
                else { continue }
                violations.append(
                    HistoryCheck.Violation(
                        .due,
                        "\(original) is paid until \(newest.rfc3339()), and the clock was at \(reached.time.rfc3339())",
                        [reached.witness, witness]))
                return
            }
        }
    }

    // MARK: - Journal

    /// Finds a listed transaction that the journal, read to its end later, doesn't have.
    private func unsold(
        _ transactions: [ListedTransaction], _ witness: SeenNotification, _ customer: CustomerOperations
    ) -> HistoryCheck.Violation? {
        guard let ending = journal.ending(after: witness.operation.end, in: customer.history) else { return nil }
        for transaction in transactions {
            guard let position = journal.sales[transaction.id], position <= ending.last else {
                return HistoryCheck.Violation(
                    .journalAndTables, "\(transaction.id) is listed, and the journal hasn't sold it",
                    [witness, ending.witness])
            }
            guard let entry = journal.entries[position]?.entry,
                entry.customer != customer.name || entry.product != transaction.product
            else { continue }
            return HistoryCheck.Violation(
                .journalAndTables,
                "\(transaction.id) is listed as \(transaction.product), and the journal says \(entry)",
                [witness])
        }
        return nil
    }

    /// Finds a sale that a reader of the journal saw before the customer's transactions were asked for.
    private func unlisted(
        _ transactions: [ListedTransaction], _ sold: [SharedJournal.Seen], _ witness: SeenNotification,
        _ customer: CustomerOperations
    ) -> HistoryCheck.Violation? {
        let listed = Set(transactions.map(\.id))
        for sale in sold {
            guard let since = sale.since[customer.history], since < witness.operation.begin,
                let transaction = sale.entry.transaction, !listed.contains(transaction)
            else { continue }
            return HistoryCheck.Violation(
                .journalAndTables, "the journal has sold \(transaction) at \(sale.entry.position), and it isn't listed",
                [sale.reader, witness])
        }
        return nil
    }
}

extension ListedTransaction {
    /// The period of a subscription; `nil` for other products.
    fileprivate var period: PaidPeriod<String>? {
        guard let start = Instant(rfc3339: starts), let end = ends.flatMap(Instant.init(rfc3339:)) else { return nil }
        return PaidPeriod(id: id, start: start, end: end)
    }
}
