import Perennial
import PerennialStorage

extension Store {
    /// Takes a transaction back: money is returned, in full or in part, and its access ends.
    ///
    /// - Parameter period: Which one is meant, where the transaction is a subscription's.
    /// - Returns: What was refunded.
    /// - Throws: ``StoreError`` `.transactionNotFound`, `RefundError`.
    package func refund(
        _ id: TransactionID, _ refund: Refund, of period: RefundedPeriod = .named
    ) async throws -> (Transaction, App.BundleID) {
        try await write { [self] connection in
            let (found, entry) = try transaction(id, on: connection)
            let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: found.accountID)
            var revision = try CustomersTable.lock(key, on: connection)
            // Read again behind the lock: somebody may have refunded it meanwhile.
            let transaction = try self.transaction(id, on: connection).0
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

    /// Refunds a purchase that is no subscription's period, and with it what hangs on it.
    ///
    /// - Returns: The transaction that was named.
    func refundPurchase(
        _ transaction: Transaction, _ refund: Refund, _ key: CustomerKey, at now: Instant, revision: inout Int64,
        on connection: any Connection
    ) throws -> Transaction {
        let bought = try repeats(of: transaction, key, on: connection)
        let outcome = try refund.outcome(for: transaction, among: bought, at: now)
        let purchase = outcome.purchase.transaction
        let sale = try salePostings(of: purchase.id, key, on: connection)
        let told =
            [JournalEntry(.refunded, at: now, purchase, postings: outcome.purchase.postings(ofSale: sale))]
            + outcome.repeats.map { JournalEntry(.refunded, at: now, $0) }
        try change([purchase] + outcome.repeats, told, key, revision: &revision, on: connection)
        try endSharing(of: purchase, key, at: now, on: connection)
        return ([purchase] + outcome.repeats).first { $0.id == transaction.id } ?? purchase
    }

    /// Writes purchases that changed together, with the entries that tell of it.
    func change(
        _ purchases: [Transaction], _ told: [JournalEntry], _ key: CustomerKey, revision: inout Int64,
        on connection: any Connection
    ) throws {
        let position = try JournalTable.append(told, app: key.app, environment.id, on: connection)
        for purchase in purchases {
            try TransactionsTable.update(purchase, revision: revision + 1, key, on: connection)
        }
        try notify(of: told, last: position, app: key.app, on: connection)
        revision += 1
        try CustomersTable.setRevision(revision, key, on: connection)
    }

    /// A purchase, what it repeats, and what else does; of a period only that itself.
    func repeats(
        of transaction: Transaction, _ key: CustomerKey, on connection: any Connection
    ) throws -> [Transaction] {
        guard transaction.type != .autoRenewable else { return [transaction] }
        return try TransactionsTable.history(of: key, product: transaction.productID, group: nil, on: connection)
            .filter { $0.originalID == transaction.originalID }
    }

    /// What the sale of a transaction moved: a refund takes that back, whatever the app's terms are by now.
    func salePostings(
        of id: TransactionID, _ key: CustomerKey, on connection: any Connection
    ) throws -> [Posting] {
        let position = try TransactionsTable.journalPosition(of: id, app: key.app, environment.id, on: connection)
        return try JournalTable.postings(at: position ?? 0, app: key.app, environment.id, on: connection)
    }

    /// What the sales of the periods moved that an upgrade of a subscription may give back.
    func runningSales(
        of subscription: Subscription, _ key: CustomerKey, on connection: any Connection
    ) throws -> [TransactionID: [Posting]] {
        guard case .active = subscription.state else { return [:] }
        var sales: [TransactionID: [Posting]] = [:]
        for period in [subscription.current, subscription.previous].compactMap(\.self) {
            sales[period.transactionID] = try salePostings(of: period.transactionID, key, on: connection)
        }
        return sales
    }

    /// A refund of a subscription's period is an event of the subscription.
    private func refundPeriod(
        _ named: Transaction, _ period: RefundedPeriod, _ refund: Refund, _ key: CustomerKey,
        _ entry: CatalogCache.Entry, at now: Instant, revision: inout Int64, on connection: any Connection
    ) throws -> Transaction {
        let current = try settled(named.originalID, key, entry, until: now, revision: &revision, on: connection)
        let transaction = try self.transaction(try current.refunded(period, named: named.id), on: connection).0
        var context = try context(of: current, entry, on: connection)
        context.sales[transaction.id] = try salePostings(of: transaction.id, key, on: connection)
        let decision = try current.decide(.refunded(transaction, refund), at: now, in: context, id: numbers.next)
        try record(decision, key, revision: &revision, on: connection)
        return try self.transaction(transaction.id, on: connection).0
    }

    /// A transaction by its number alone, with the app it was bought in.
    func transaction(_ id: TransactionID, on connection: any Connection) throws -> (Transaction, CatalogCache.Entry) {
        for entry in try catalog.all(on: connection) {
            let found = try TransactionsTable.transaction(id, app: entry.app.appleID, environment.id, on: connection)
            if let found { return (found, entry) }
        }
        throw StoreError(.transactionNotFound, id.description, "there is no such transaction in this environment")
    }
}
