import Perennial
import PerennialStorage

extension Store {
    /// How many subscriptions one transaction works on.
    static let renewalBatch = 100
    /// A limit on what one subscription can have due in one batch: a century of weeks. More is an error of the rules.
    static let maximumStepsInBatch = 6_000

    /// Works off everything due up to an instant, in the order of due time across all subscriptions, in one transaction for
    /// each batch. Whatever a crash or a second worker interrupts is found again by whoever comes next: the state of a
    /// subscription says what was done.
    ///
    /// - Returns: How many facts of commerce came of it.
    @discardableResult
    package func workOffDue(until target: Instant) async throws -> Int {
        var events = 0
        while true {
            let batch = try await write { [self] in try workOffBatch(until: target, on: $0) }
            events += batch.events
            if batch.isLast { return events }
        }
    }

    /// Real time: works off what is due now.
    @discardableResult
    package func workOffDue() async throws -> Int {
        try await workOffDue(until: try await now())
    }

    private func workOffBatch(
        until target: Instant, on connection: any Connection
    ) throws -> (events: Int, isLast: Bool) {
        let due = try SubscriptionsTable.due(
            until: target, limit: Self.renewalBatch, environment.id, on: connection)
        guard let last = due.last else { return (0, true) }
        // What is not loaded is due later than all that is: up to there the order is known.
        let horizon = due.count < Self.renewalBatch ? target : last.due
        var work = try RenewalWork(due, horizon: horizon, store: self, on: connection)
        try work.run(on: connection)
        if environment.clock == .manual {
            try EnvironmentsTable.setManualNow(
                max(horizon, try clock.now(on: connection)), environment.id, on: connection)
        }
        return (work.events, due.count < Self.renewalBatch)
    }
}

/// One batch of due subscriptions, worked on in the order of due time.
private struct RenewalWork {
    private struct Item {
        var subscription: Subscription
        var key: CustomerKey
    }

    private let store: Store
    private let horizon: Instant
    private var items: [TransactionID: Item] = [:]
    /// What is due, soonest last.
    private var queue: [(due: Instant, id: TransactionID)] = []
    private var revisions: [CustomerKey: Int64] = [:]
    private var accounts: [CustomerKey: Account] = [:]
    private(set) var events = 0

    init(
        _ due: [SubscriptionsTable.Due], horizon: Instant, store: Store, on connection: any Connection
    ) throws {
        self.store = store
        self.horizon = horizon
        // Customers are locked in one order by everybody, so that two workers wait and don't block each other for good.
        let customers = Set(due.map(\.customer)).sorted {
            ($0.app, $0.account.rawValue) < ($1.app, $1.account.rawValue)
        }
        for key in customers {
            let locked = try CustomersTable.lockWithAccount(key, on: connection)
            revisions[key] = try locked?.revision ?? CustomersTable.lock(key, on: connection)
            accounts[key] = locked?.account
        }
        for item in due {
            // Read behind the lock: another worker may have done it meanwhile.
            let found = try SubscriptionsTable.subscription(
                item.subscriptionID, app: item.customer.app, item.customer.environment, on: connection)
            guard let subscription = found else { continue }
            items[subscription.id] = Item(subscription: subscription, key: item.customer)
            enqueue(subscription)
        }
    }

    private mutating func enqueue(_ subscription: Subscription) {
        guard let due = subscription.nextDue, due <= horizon else { return }
        let index = queue.firstIndex { ($0.due, $0.id) <= (due, subscription.id) } ?? queue.count
        queue.insert((due, subscription.id), at: index)
    }

    mutating func run(on connection: any Connection) throws {
        var steps = 0
        while let (_, id) = queue.popLast(), var item = items[id] {
            steps += 1
            guard steps <= Store.maximumStepsInBatch * items.count else {
                throw StorageError(.corrupt, "subscriptions", "the subscription \(id) is due again and again")
            }
            guard let entry = try store.catalog.entry(number: item.key.app, on: connection),
                let decision = try store.nextDecision(
                    for: item.subscription, until: horizon, entry, paying: accounts[item.key])
            else { continue }
            var revision = try revisions[item.key] ?? CustomersTable.revision(item.key, on: connection)
            let concernsOthers = try store.record(decision, item.key, revision: &revision, on: connection)
            if concernsOthers {
                // Some of the others may be in this batch.
                revisions = [:]
                try takeCopies(of: decision.subscription, item.key, on: connection)
            }
            revisions[item.key] = revision
            events += decision.facts.count
            item.subscription = decision.subscription
            items[id] = item
            enqueue(decision.subscription)
        }
    }

    /// What family members have of a subscription was changed with it, and may be due within this batch.
    private mutating func takeCopies(
        of purchased: Subscription, _ key: CustomerKey, on connection: any Connection
    ) throws {
        for share in try SharedPurchasesTable.shares(of: purchased.id, app: key.app, key.environment, on: connection) {
            let found = try SubscriptionsTable.subscription(
                share.copy, app: key.app, key.environment, on: connection)
            guard let copy = found else { continue }
            var member = key
            member.account = share.account
            queue.removeAll { $0.id == copy.id }
            items[copy.id] = Item(subscription: copy, key: member)
            enqueue(copy)
        }
    }
}
