import Perennial
import PerennialStorage

/// One batch of due subscriptions, read, decided and written in one transaction that holds their customers' locks: for what
/// can't be decided beforehand.
struct LockedRenewals {
    private struct Item {
        var subscription: Subscription
        var key: CustomerKey
    }

    private let store: Store
    private var items: [TransactionID: Item] = [:]
    private var queue: DueQueue
    private var revisions: [CustomerKey: Int64] = [:]
    private var payers: [CustomerKey: Payer] = [:]
    private var progress = DueProgress()
    private var steps = 0
    private(set) var events = 0
    private(set) var failures: [RenewalFailure] = []
    /// Where it ended before the horizon, for it had as many steps as a transaction writes.
    private(set) var cut: DuePlace?

    /// Up to where everything that was read is done.
    var reached: Instant { cut?.due ?? queue.horizon }
    /// Whether nothing could be done.
    var isEmpty: Bool { steps == 0 && failures.isEmpty }

    init(
        _ due: [SubscriptionsTable.Due], horizon: Instant, store: Store, on connection: any Connection
    ) throws {
        self.store = store
        queue = DueQueue(until: horizon)
        for key in Set(due.map(\.customer)).sorted(by: CustomerKey.inOrderOfLocks) {
            let locked = try CustomersTable.lockWithAccount(key, on: connection)
            revisions[key] = try locked?.revision ?? CustomersTable.lock(key, on: connection)
            payers[key] = (locked?.account).map(Payer.init)
        }
        for item in due {
            // Read behind the lock: another worker may have done it meanwhile.
            do {
                let found = try SubscriptionsTable.subscription(
                    item.subscriptionID, app: item.customer.app, item.customer.environment, on: connection)
                guard let subscription = found else { continue }
                items[subscription.id] = Item(subscription: subscription, key: item.customer)
                queue.put(subscription)
            } catch let error as StorageError where error.code == .corrupt {
                failures.append(RenewalFailure(item.customer, item.subscriptionID, due: item.due, error))
            }
        }
    }

    mutating func run(on connection: any Connection) throws {
        while let id = queue.next(), let item = items[id] {
            guard let at = item.subscription.nextDue else { continue }
            if let decision = try decision(on: item, due: at, on: connection) {
                try record(decision, item, on: connection)
            }
            if steps >= Store.maximumStepsInTransaction {
                cut = (at, id)
                return
            }
        }
    }

    /// - Returns: `nil` where nothing can be done, or no decision is possible, which is one of the ``failures``.
    private mutating func decision(
        on item: Item, due: Instant, on connection: any Connection
    ) throws -> SubscriptionDecision? {
        guard let entry = try store.catalog.entry(number: item.key.app, on: connection) else { return nil }
        do {
            try progress.note(item.subscription.id, due)
            return try store.nextDecision(
                for: item.subscription, until: queue.horizon, entry, paying: payers[item.key])
        } catch let error as NumberSource.Exhausted {
            throw error
        } catch {
            failures.append(RenewalFailure(item.key, item.subscription.id, due: due, error))
            return nil
        }
    }

    private mutating func record(
        _ decision: SubscriptionDecision, _ item: Item, on connection: any Connection
    ) throws {
        var revision = try revisions[item.key] ?? CustomersTable.revision(item.key, on: connection)
        let concernsOthers = try store.record(decision, item.key, revision: &revision, on: connection)
        steps += 1
        if concernsOthers {
            // Some of the others may be in this batch.
            revisions = [:]
            try takeCopies(of: decision.subscription, item.key, on: connection)
        }
        revisions[item.key] = revision
        events += decision.facts.count
        items[item.subscription.id]?.subscription = decision.subscription
        queue.put(decision.subscription)
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
            // Each copy that follows is as much to write as a step of its own.
            steps += 1
            queue.remove(copy.id)
            items[copy.id] = Item(subscription: copy, key: member)
            queue.put(copy)
        }
    }
}

extension CustomerKey {
    /// Customers are locked in one order by everybody, so that two workers wait and don't block each other for good.
    static func inOrderOfLocks(_ first: CustomerKey, _ second: CustomerKey) -> Bool {
        (first.app, first.account.rawValue) < (second.app, second.account.rawValue)
    }
}
