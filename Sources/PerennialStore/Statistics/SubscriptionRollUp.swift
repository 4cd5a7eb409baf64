import Perennial
import PerennialStorage

/// The roll-up of subscriptions and statistics: the lifecycles of subscriptions, the snapshots at the end of each day, the
/// events of each day, and the totals from which statistics are computed.
struct SubscriptionRollUp: RollUp {
    func changes(for batch: RollUpBatch, on connection: any Connection) throws -> any RollUpChanges {
        let products = Dictionary(batch.app.reportedProducts.map { ($0.id, $0) }) { first, _ in first }
        let classifier = SalesClassifier(batch.app)
        let ids = Set(batch.entries.compactMap(\.subscriptionID))
        let lifecycles = try SubscriptionLifecyclesTable.lifecycles(of: ids, batch.key, on: connection)
        let accounts = Set(batch.entries.lazy.filter { $0.entry.kind != .finished }.map(\.entry.accountID))
        var changes = Changes(
            known: try StatisticCustomersTable.customers(of: accounts, batch.key, on: connection))
        for entry in batch.entries {
            changes.statistics.position = entry.position
            let totals = classifier.totals(of: entry.entry, entry.transaction, refunding: entry.sale?.facts)
            var version = entry.entry.facts?.appVersion
            if let id = entry.subscriptionID,
                let step = SubscriptionLifecycle.Step(
                    entry.entry, entry.transaction, after: changes.lifecycles[id] ?? lifecycles[id], products)
            {
                changes.add(step, of: id, at: entry.position)
                version = version ?? step.lifecycle.appVersion
            }
            changes.add(totals, of: entry, version: version)
        }
        return changes
    }

    func erase(_ key: RollUpKey, on connection: any Connection) throws {
        while try !erase(key, atMost: .max, on: connection) {}
    }

    func erase(_ key: RollUpKey, atMost limit: Int, on connection: any Connection) throws -> Bool {
        let tables = [
            SubscriptionEventsTable.erase, ReportSnapshotsTable.erase, SubscriptionLifecyclesTable.erase,
            StatisticTotalsTable.erase, StatisticEntriesTable.erase, StatisticCustomersTable.erase,
        ]
        for erase in tables {
            guard try erase(key, limit, connection) else { return false }
        }
        return true
    }

    private struct Changes: RollUpChanges {
        /// Customers who were seen before the batch.
        var known: [Account.ID: StatisticCustomer]
        var lifecycles: [TransactionID: SubscriptionLifecycle] = [:]
        var snapshots: [PacificDay: [ReportSnapshot: Int64]] = [:]
        var events: [SubscriptionEventsTable.Occurrence] = []
        var customers: [Account.ID: StatisticCustomer] = [:]
        var statistics = StatisticChanges()

        init(known: [Account.ID: StatisticCustomer]) {
            self.known = known
        }

        mutating func add(_ step: SubscriptionLifecycle.Step, of id: TransactionID, at position: Int64) {
            lifecycles[id] = step.lifecycle
            let (before, after) = (step.snapshotBefore, step.snapshot)
            if before != after {
                if let before { snapshots[step.day, default: [:]][before, default: 0] -= 1 }
                if let after { snapshots[step.day, default: [:]][after, default: 0] += 1 }
            }
            events += step.events.map {
                SubscriptionEventsTable.Occurrence(day: step.day, event: $0, position: position)
            }
            statistics.add(step)
        }

        mutating func add(_ totals: [SalesTotal], of entry: RollUpBatch.Entry, version: String?) {
            statistics.add(
                totals, of: entry.entry, version: version,
                sale: entry.sale.map { (PacificDay($0.at), $0.facts) })
            let account = entry.entry.accountID
            let before = customers[account] ?? known[account]
            guard var customer = before ?? StatisticCustomer(entry.entry, entry.transaction, totals) else { return }
            if before == nil { statistics.add(1, .newCustomers, customer.place) }
            customer.apply(totals, at: entry.entry.at, to: &statistics)
            if customer != before { customers[account] = customer }
        }

        func write(_ key: RollUpKey, on connection: any Connection) throws {
            try SubscriptionLifecyclesTable.put(lifecycles, key, on: connection)
            try ReportSnapshotsTable.add(snapshots, key, on: connection)
            try SubscriptionEventsTable.add(events, key, on: connection)
            try StatisticCustomersTable.put(customers, key, on: connection)
            try StatisticTotalsTable.add(statistics.totals, key, on: connection)
            try StatisticEntriesTable.add(statistics.parts, key, on: connection)
        }
    }
}

extension RollUpBatch.Entry {
    /// The subscription that the entry is about; `nil` for other entries.
    var subscriptionID: TransactionID? {
        guard case .subscription = entry.kind else { return nil }
        return entry.originalID
    }
}
