import Perennial
import PerennialStorage

/// A batch of due subscriptions that is read, decided and written in one transaction behind its customers' locks, for
/// subscriptions that can't be decided ahead.
struct LockedRenewalBatch {
    private struct Item {
        var subscription: Subscription
        var key: CustomerKey
    }

    private let subscriptions: Subscriptions
    private var items: [TransactionID: Item] = [:]
    private var queue: DueQueue
    private var revisions: [CustomerKey: Int64] = [:]
    private var payers: [CustomerKey: BillingAccount] = [:]
    private var stallDetector = StallDetector()
    private var steps = 0
    private(set) var events = 0
    private(set) var failures: [RenewalFailure] = []
    /// The last position if the batch ended early because a transaction has no more steps.
    private(set) var stepLimit: DuePosition?

    /// The instant up to which everything that was read is done.
    var reached: Instant { stepLimit?.due ?? queue.horizon }
    /// True if nothing could be done.
    var isEmpty: Bool { steps == 0 && failures.isEmpty }

    /// - Parameter inUse: Customers whom an earlier run of the transaction found in use.
    init(
        _ due: [SubscriptionsTable.Due], horizon: Instant, beside inUse: Set<CustomerKey>, subscriptions: Subscriptions,
        on connection: any Connection
    ) throws {
        self.subscriptions = subscriptions
        queue = DueQueue(until: horizon)
        try subscriptions.lockWithFamilies(Set(due.map(\.customer)), and: inUse, on: connection)
        for key in Set(due.map(\.customer)).sorted(by: CustomerKey.inOrderOfLocks) {
            let locked = try CustomersTable.lockWithAccount(key, on: connection)
            revisions[key] = try locked?.revision ?? CustomersTable.lock(key, on: connection)
            payers[key] = (locked?.account).map(BillingAccount.init)
        }
        for item in due {
            // Read after taking the lock: another worker may have processed it meanwhile.
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
            if steps >= subscriptions.limits.stepsInTransaction {
                stepLimit = (at, id)
                return
            }
        }
    }

    /// Decides the next step of a subscription.
    ///
    /// - Returns: `nil` if nothing can be done, or if the decision failed, which adds to ``failures``.
    private mutating func decision(
        on item: Item, due: Instant, on connection: any Connection
    ) throws -> SubscriptionDecision? {
        guard let entry = try subscriptions.catalog.entry(number: item.key.app, on: connection) else { return nil }
        do {
            try stallDetector.record(item.subscription.id, due)
            return try subscriptions.nextDecision(
                for: item.subscription, until: queue.horizon, entry, paying: payers[item.key])
        } catch let error as IDAllocator.BlockExhausted {
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
        let concernsOthers = try subscriptions.record(decision, item.key, revision: &revision, on: connection)
        steps += 1
        if concernsOthers {
            // Other customers of this batch may be among them.
            revisions = [:]
            try reloadMemberSubscriptions(of: decision.subscription, item.key, on: connection)
        }
        revisions[item.key] = revision
        events += decision.events.count
        items[item.subscription.id]?.subscription = decision.subscription
        queue.put(decision.subscription)
    }

    /// Reloads the family members' subscriptions, which changed with the purchaser's and may be due within this batch.
    private mutating func reloadMemberSubscriptions(
        of purchased: Subscription, _ key: CustomerKey, on connection: any Connection
    ) throws {
        for share in try SharedPurchasesTable.shares(of: purchased.id, app: key.app, key.environment, on: connection) {
            let found = try SubscriptionsTable.subscription(
                share.copy, app: key.app, key.environment, on: connection)
            guard let shared = found else { continue }
            var member = key
            member.account = share.account
            // Writing a member's subscription takes as long as a step of its own.
            steps += 1
            queue.remove(shared.id)
            items[shared.id] = Item(subscription: shared, key: member)
            queue.put(shared)
        }
    }
}
