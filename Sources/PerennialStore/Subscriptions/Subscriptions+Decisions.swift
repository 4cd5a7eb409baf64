import Perennial
import PerennialStorage

extension Subscriptions {
    /// Writes a decision about a subscription: its transactions with their money, the journal, its new state.
    ///
    /// - Parameters:
    ///   - revision: The revision of the customer's purchases, which this raises.
    ///   - details: Further details of its notifications.
    ///   - device: The device of a purchase, for reports; `nil` for every other event.
    /// - Returns: True if purchases of family members changed too.
    @discardableResult
    func record(
        _ decision: SubscriptionDecision, _ key: CustomerKey, revision: inout Int64,
        details: NotificationDetails? = nil, device: SaleFacts? = nil, on connection: any Connection
    ) throws -> Bool {
        let subscription = decision.subscription
        let entries = decision.events.map { JournalEntry($0, of: subscription).sold(on: device) }
        let last = try JournalTable.append(entries, app: key.app, environment.id, on: connection)
        for transaction in decision.transactions {
            let index = entries.firstIndex { $0.transactionID == transaction.id } ?? entries.count - 1
            let position = last - Int64(entries.count - 1 - index)
            try TransactionsTable.insert(
                transaction, journalPosition: position, revision: revision + 1, key, on: connection)
        }
        try change(decision, revision: revision + 1, key, on: connection)
        let sharing = try sharers(of: decision, key, on: connection)
        try SubscriptionsTable.put(subscription, key, on: connection)
        try outbox.notify(
            of: entries, last: last, app: key.app, subscription: subscription, details: details, on: connection)
        revision += 1
        try CustomersTable.setRevision(revision, key, on: connection)
        guard let sharing else { return false }
        try share(decision, from: sharing.before, with: sharing.members, key, on: connection)
        return true
    }

    /// Writes a decision's changes of earlier transactions.
    func change(
        _ decision: SubscriptionDecision, revision: Int64, _ key: CustomerKey, on connection: any Connection
    ) throws {
        for change in decision.changes {
            let id = change.transactionID
            let found = try TransactionsTable.transaction(id, app: key.app, environment.id, on: connection)
            guard let transaction = found else {
                throw StorageError(
                    .corrupt, "transactions", "the subscription \(decision.subscription.id) names \(id), which is gone")
            }
            try TransactionsTable.update(transaction.applying(change), revision: revision, key, on: connection)
        }
    }

    /// Returns the rules' context: environment, app and the product that renews.
    ///
    /// - Parameter tester: The renewal rate of the sandbox tester's account.
    func renewalContext(
        of subscription: Subscription, _ entry: CatalogCache.Entry, tester: TimeRate? = nil
    ) -> SubscriptionContext {
        let storefront = subscription.storefront
        let plan = entry.products[subscription.renewal.productID].flatMap { product in
            environment.sells(product, in: storefront) ? SubscriptionPlan(product, in: storefront) : nil
        }
        return SubscriptionContext(
            timing: entry.billing.timing(environment.kind, tester: tester),
            billing: entry.billing.policy(environment.kind),
            terms: entry.app.saleTerms, renewalPlan: plan)
    }

    /// Returns the rules' context of an event that happens to a subscription now.
    func renewalContext(
        of subscription: Subscription, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws -> SubscriptionContext {
        let account = try AccountsTable.account(subscription.accountID, environment.id, on: connection)
        return renewalContext(of: subscription, entry, tester: account?.renewalRate)
    }

    /// Decides the next due step of a subscription, at the instant it was due.
    ///
    /// - Returns: `nil` if nothing is due, also because another worker has done it.
    func nextDecision(
        for subscription: Subscription, until target: Instant, _ entry: CatalogCache.Entry,
        paying payer: BillingAccount?
    ) throws -> SubscriptionDecision? {
        guard let due = subscription.nextDue, due <= target else { return nil }
        let context = renewalContext(of: subscription, entry, tester: payer?.renewalRate)
        switch subscription.dueWork(at: due, in: context) {
        case nil: return nil
        case .event(let event): return try subscription.decide(event, at: due, in: context, id: ids.next)
        case .charge(let charge):
            let event = charge.event(chargedTo: payer, entry.billing)
            return try subscription.decide(event, at: due, in: context, id: ids.next)
        }
    }
}
