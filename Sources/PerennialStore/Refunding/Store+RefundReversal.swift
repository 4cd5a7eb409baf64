import Perennial
import PerennialStorage

extension Store {
    /// Undoes a refund: the money comes back, the revocation goes, and access returns for as long as it was paid for.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, `RefundError` `.notRefunded`, `SubscriptionError`.
    package func reverseRefund(_ id: TransactionID) async throws -> (Transaction, App.BundleID) {
        try await write { [self] connection in
            let (found, entry) = try transaction(id, on: connection)
            let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: found.accountID)
            var revision = try CustomersTable.lock(key, on: connection)
            // Read again behind the lock: somebody may have reversed it meanwhile.
            let refunded = try transaction(id, on: connection).0
            guard refunded.revocation != nil, refunded.ownership == .purchased else {
                throw RefundError(.notRefunded, id, "the transaction wasn't refunded")
            }
            let now = try clock.now(on: connection)
            let postings = try refundPostings(of: id, key, on: connection)
            if refunded.type == .autoRenewable {
                let current = try settled(
                    refunded.originalID, key, entry, until: now.wholeSeconds, revision: &revision, on: connection)
                let plan = entry.products[refunded.productID].flatMap {
                    SubscriptionPlan($0, in: current.storefront)
                }
                let decision = try current.decide(
                    .refundReversed(refunded, postings.given(in: refunded.price.currency), of: plan),
                    at: now.wholeSeconds, in: try context(of: current, entry, on: connection), id: numbers.next)
                let others = try TransactionsTable.all(of: key, on: connection)
                try record(
                    decision.givingWay(refunded, to: others), key, revision: &revision, on: connection)
            } else {
                try reinstate(refunded, postings.reversed, key, revision, at: now, on: connection)
            }
            return (try transaction(id, on: connection).0, entry.app.bundleID)
        }
    }

    /// What the newest refund of a transaction moved.
    private func refundPostings(
        of id: TransactionID, _ key: CustomerKey, on connection: any Connection
    ) throws -> [Posting] {
        let kinds: [JournalEntry.Kind] = [.refunded, .subscription(.subscriptionRefunded)]
        let position = try JournalTable.lastPosition(of: id, kinds, app: key.app, environment.id, on: connection)
        return try position.map { try JournalTable.postings(at: $0, app: key.app, environment.id, on: connection) }
            ?? []
    }

    private func reinstate(
        _ refunded: Transaction, _ postings: [Posting], _ key: CustomerKey, _ revision: Int64, at now: Instant,
        on connection: any Connection
    ) throws {
        var transaction = refunded
        transaction.revocation = nil
        let entry = JournalEntry(.purchaseRefundReversed, at: now, transaction, postings: postings)
        try TransactionsTable.update(transaction, revision: revision + 1, key, on: connection)
        try announce(entry, app: key.app, on: connection)
        try CustomersTable.setRevision(revision + 1, key, on: connection)
        guard transaction.type == .nonConsumable,
            try catalog.entry(number: key.app, on: connection)?.products[transaction.productID]?.isFamilyShareable
                == true
        else { return }
        for member in try family(of: key, on: connection) {
            try share(transaction, with: member, key, at: now, on: connection)
        }
    }
}

extension [Posting] {
    /// What a refund gave back to the customer.
    fileprivate func given(in currency: Currency) -> Money {
        let milliunits = reduce(0) { $1.account == .customer ? $0 + $1.amount.milliunits : $0 }
        return Money(milliunits: milliunits, currency)
    }
}
