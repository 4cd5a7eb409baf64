import Perennial
import PerennialStorage

/// Refunds: requests, decisions, reversals, and the exchange with sellers about them.
package struct Refunds: StoreChapter {
    let context: StoreContext
    let outbox: NotificationOutbox
    let subscriptions: Subscriptions
    let transactions: Transactions

    /// Refunds a transaction, in full or in part, and revokes its access.
    ///
    /// - Parameter period: The period to refund if the transaction is a subscription's.
    /// - Returns: The refunded transaction.
    /// - Throws: ``StoreError`` `.transactionNotFound`, `RefundError`.
    package func refund(
        _ id: TransactionID, _ refund: Refund, of period: RefundedPeriod = .named
    ) async throws -> (Transaction, App.BundleID) {
        try await subscriptions.write { [self] connection in
            let (found, entry) = try transactions.transaction(id, on: connection)
            let key = customerKey(of: found.accountID, in: entry.app)
            var revision = try CustomersTable.lock(key, on: connection)
            // Read again after taking the lock: it may have been refunded meanwhile.
            let transaction = try transactions.transaction(id, on: connection).0
            let now = try clock.now(on: connection)
            if transaction.type == .autoRenewable {
                let refunded = try refundPeriod(
                    transaction, period, refund, key, entry, at: now.wholeSeconds, revision: &revision, on: connection)
                try answerRefundRequest(of: refunded.id, .refunded, app: key.app, at: now, on: connection)
                return (refunded, entry.app.bundleID)
            }
            try answerRefundRequest(of: id, .refunded, app: key.app, at: now, on: connection)
            let refunded = try refundPurchase(
                transaction, refund, key, at: now, revision: &revision, on: connection)
            return (refunded, entry.app.bundleID)
        }
    }

    /// Refunds a purchase that isn't a subscription's period, with the transactions that repeat it.
    ///
    /// - Returns: The named transaction.
    func refundPurchase(
        _ transaction: Transaction, _ refund: Refund, _ key: CustomerKey, at now: Instant, revision: inout Int64,
        on connection: any Connection
    ) throws -> Transaction {
        let bought = try repeats(of: transaction, key, on: connection)
        let outcome = try refund.outcome(for: transaction, among: bought, at: now)
        let purchase = outcome.purchase.transaction
        let sale = try transactions.salePostings(of: purchase.id, key, on: connection)
        let entries =
            [JournalEntry(.refunded, at: now, purchase, postings: outcome.purchase.postings(ofSale: sale))]
            + outcome.repeats.map { JournalEntry(.refunded, at: now, $0) }
        try change([purchase] + outcome.repeats, entries, key, revision: &revision, on: connection)
        try subscriptions.endSharing(of: purchase, key, at: now, on: connection)
        return ([purchase] + outcome.repeats).first { $0.id == transaction.id } ?? purchase
    }

    /// Writes changed purchases and their journal entries.
    func change(
        _ purchases: [Transaction], _ entries: [JournalEntry], _ key: CustomerKey, revision: inout Int64,
        on connection: any Connection
    ) throws {
        let position = try JournalTable.append(entries, app: key.app, environment.id, on: connection)
        for purchase in purchases {
            try TransactionsTable.update(purchase, revision: revision + 1, key, on: connection)
        }
        try outbox.notify(of: entries, last: position, app: key.app, on: connection)
        revision += 1
        try CustomersTable.setRevision(revision, key, on: connection)
    }

    /// Returns a purchase with the transactions that repeat it; of a subscription's period only itself.
    func repeats(
        of transaction: Transaction, _ key: CustomerKey, on connection: any Connection
    ) throws -> [Transaction] {
        guard transaction.type != .autoRenewable else { return [transaction] }
        return try TransactionsTable.history(of: key, product: transaction.productID, group: nil, on: connection)
            .filter { $0.originalID == transaction.originalID }
    }

    /// Refunds a subscription's period, which is an event of the subscription.
    private func refundPeriod(
        _ named: Transaction, _ period: RefundedPeriod, _ refund: Refund, _ key: CustomerKey,
        _ entry: CatalogCache.Entry, at now: Instant, revision: inout Int64, on connection: any Connection
    ) throws -> Transaction {
        let current = try subscriptions.broughtUpToDate(
            named.originalID, key, entry, until: now, revision: &revision, on: connection)
        let transaction = try transactions.transaction(
            try current.transactionToRefund(period, named: named.id), on: connection
        ).0
        var context = try subscriptions.renewalContext(of: current, entry, on: connection)
        context.sales[transaction.id] = try transactions.salePostings(of: transaction.id, key, on: connection)
        let decision = try current.decide(.refunded(transaction, refund), at: now, in: context, id: ids.next)
        try subscriptions.record(decision, key, revision: &revision, on: connection)
        return try transactions.transaction(transaction.id, on: connection).0
    }

}
