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
    private(set) var events = 0

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
            let found = try SubscriptionsTable.subscription(
                item.subscriptionID, app: item.customer.app, item.customer.environment, on: connection)
            guard let subscription = found else { continue }
            items[subscription.id] = Item(subscription: subscription, key: item.customer)
            queue.put(subscription)
        }
    }

    mutating func run(on connection: any Connection) throws {
        var steps = 0
        while let id = queue.next(), var item = items[id] {
            steps += 1
            guard steps <= Store.maximumStepsInBatch * items.count else { throw Store.endlessWork(id) }
            guard let entry = try store.catalog.entry(number: item.key.app, on: connection),
                let decision = try store.nextDecision(
                    for: item.subscription, until: queue.horizon, entry, paying: payers[item.key])
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
            queue.put(decision.subscription)
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
