import Perennial
import PerennialStorage

/// A subscription with the newest of its transactions.
package struct SubscriptionSnapshot: Sendable {
    package var subscription: Subscription
    package var transaction: Transaction
    package var bundleID: App.BundleID
}

/// The state of subscriptions: loads one, brings it up to date, and writes decisions about it, for the purchaser and for
/// the family members who share it.
///
/// Every chapter that changes a subscription does it through this one, in a transaction of ``write(_:)``.
package struct Subscriptions: StoreChapter {
    let context: StoreContext
    let outbox: NotificationOutbox
    let transactions: Transactions

    /// The most renewals and other steps that one transaction writes: the next transaction does the rest. Each takes two IDs,
    /// so a block of IDs is enough for nearly every transaction.
    static let maximumStepsInTransaction = 1_000
    /// The most steps of one subscription that a transaction with another purpose does.
    static let maximumStepsBeside = 200
    /// The number of times that a write catches up with one of its subscriptions before it is refused.
    private static let maximumCatchUps = 3
    /// The number of times that a write begins again to lock customers in order: each time it knows of more.
    private static let maximumRestarts = 8

    /// Runs a transaction about one customer that may bring subscriptions up to date. If one is too far behind for one
    /// transaction, catches up with it first and runs the transaction again.
    ///
    /// If the transaction needs a family member whom another one holds, it runs again with the whole family locked in order.
    /// The family includes the customer, so the body waits for no further one.
    func write<Value: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> Value) async throws -> Value {
        try await write(planning: { (plan: (), announced: []) }) { _, connection in try body(connection) }
    }

    /// Runs a transaction as ``write(_:)`` whose body gets a plan, made anew for each run.
    ///
    /// - Parameter plan: Returns the plan, and the statements that the body will ask first, as far as they are known.
    func write<Plan: Sendable, Value: Sendable>(
        planning plan: () -> (plan: Plan, announced: [AnnouncedRead]),
        _ body: @escaping @Sendable (Plan, any Connection) throws -> Value
    ) async throws -> Value {
        try await run(planning: plan) { plan, connection, inUse in
            try CustomersTable.lock(inOrder: inUse, on: connection)
            return try body(plan, connection)
        }
    }

    /// Runs a transaction about many customers, as ``write(_:)``.
    ///
    /// - Parameter body: Locks the customers that it gets together with its own, in order.
    func writeBatch<Value: Sendable>(
        _ body: @escaping @Sendable (_ connection: any Connection, _ inUse: Set<CustomerKey>) throws -> Value
    ) async throws -> Value {
        try await run(planning: { (plan: (), announced: []) }) { _, connection, inUse in try body(connection, inUse) }
    }

    private func run<Plan: Sendable, Value: Sendable>(
        planning plan: () -> (plan: Plan, announced: [AnnouncedRead]),
        _ body: @escaping @Sendable (Plan, any Connection, Set<CustomerKey>) throws -> Value
    ) async throws -> Value {
        var catchUps = 0
        var restarts = 0
        var inUse: Set<CustomerKey> = []
        while true {
            let (plan, announced) = plan()
            do {
                // Customers that are in use are locked in their order, before anything that was announced.
                return try await context.write(announcing: inUse.isEmpty ? announced : []) { [inUse] in
                    try body(plan, $0, inUse)
                }
            } catch let behind as CatchUpRequired {
                guard catchUps < Self.maximumCatchUps else {
                    throw StorageError(.busy, "subscriptions", "\(behind.id) falls due faster than it is worked off")
                }
                catchUps += 1
                try await catchUp(behind)
            } catch let found as CustomersInUse {
                guard restarts < Self.maximumRestarts else {
                    throw StorageError(.busy, "customers", "the family changes faster than its customers can be locked")
                }
                try Task.checkCancellation()
                restarts += 1
                inUse.formUnion(found.keys)
            } catch is IDAllocator.EraChanged {
                guard restarts < Self.maximumRestarts else {
                    throw StorageError(.busy, "numbers", "the database fails over again and again")
                }
                try Task.checkCancellation()
                restarts += 1
            }
        }
    }

    /// Brings one subscription up to date, in as many transactions as needed.
    func catchUp(_ behind: CatchUpRequired) async throws {
        let due = SubscriptionsTable.Due(customer: behind.key, subscriptionID: behind.id, due: behind.until)
        var isDone = false
        while !isDone {
            try Task.checkCancellation()
            isDone = try await writeBatch { [self] connection, inUse in
                var work = try LockedRenewalBatch(
                    [due], horizon: behind.until, beside: inUse, subscriptions: self, on: connection)
                try work.run(on: connection)
                return work.stepLimit == nil
            }
        }
    }

    /// Processes everything that is due for a subscription, and returns it.
    ///
    /// - Throws: ``CatchUpRequired`` if that is more than one transaction does.
    func broughtUpToDate(
        _ id: TransactionID, _ key: CustomerKey, _ entry: CatalogCache.Entry, until now: Instant,
        revision: inout Int64, on connection: any Connection
    ) throws -> Subscription {
        guard var current = try SubscriptionsTable.subscription(id, app: key.app, environment.id, on: connection) else {
            throw StoreError(.transactionNotFound, id.description, "there is no subscription with that number")
        }
        let account = try AccountsTable.account(key.account, environment.id, on: connection)
        var steps = 0
        while let decision = try nextDecision(for: current, until: now, entry, paying: account.map(BillingAccount.init))
        {
            guard steps < limits.stepsBeside else { throw CatchUpRequired(id: id, key: key, until: now) }
            steps += 1
            try record(decision, key, revision: &revision, on: connection)
            current = decision.subscription
        }
        return current
    }

    /// Returns a subscription by its original transaction ID, with its app.
    func subscription(
        _ id: TransactionID, on connection: any Connection
    ) throws -> (Subscription, CatalogCache.Entry) {
        for entry in try catalog.all(on: connection) {
            let found = try SubscriptionsTable.subscription(id, app: entry.app.appleID, environment.id, on: connection)
            if let found { return (found, entry) }
        }
        throw StoreError(
            .transactionNotFound, id.description, "there is no subscription with that original transaction")
    }

    func snapshot(
        of subscription: Subscription, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws -> SubscriptionSnapshot {
        let id = subscription.current.transactionID
        let found = try TransactionsTable.transaction(id, app: entry.app.appleID, environment.id, on: connection)
        guard let transaction = found else {
            throw StorageError(
                .corrupt, "transactions", "the subscription \(subscription.id) names \(id), which is gone")
        }
        return SubscriptionSnapshot(
            subscription: subscription, transaction: transaction, bundleID: entry.app.bundleID)
    }

    /// Returns the win-back offers that a subscription's customer is eligible for, best first: those of the last product.
    func eligibleWinBackOffers(_ subscription: Subscription, on connection: any Connection) throws -> [String] {
        try winBackEligibility(subscription, on: connection).offers
    }

    /// Returns the win-back offers that a subscription's customer is eligible for, and the next instant at which time alone may change
    /// them; `nil` for never.
    func winBackEligibility(
        _ subscription: Subscription, on connection: any Connection
    ) throws -> (offers: [String], nextChange: Instant?) {
        guard case .expired = subscription.state else { return ([], nil) }
        let (_, entry) = try self.subscription(subscription.id, on: connection)
        guard let product = entry.products[subscription.product.id],
            product.subscription?.winBackOffers.isEmpty == false
        else { return ([], nil) }
        let now = try clock.now(on: connection)
        let timing = try renewalContext(of: subscription, entry, on: connection).timing
        let offers = OfferEligibility.winBack(product, subscription, in: subscription.storefront, at: now, timing)
        return (
            offers.compactMap(\.id), OfferEligibility.nextWinBackChange(product, subscription, after: now, timing)
        )
    }
}
