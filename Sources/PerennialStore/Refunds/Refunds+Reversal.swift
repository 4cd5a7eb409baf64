import Perennial
import PerennialStorage

extension Refunds {
    /// Reverses a refund: the money is returned, the revocation removed, and access lasts as long as it was paid for.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, `RefundError` `.notRefunded`, `SubscriptionError`.
    package func reverse(_ id: TransactionID) async throws -> (Transaction, App.BundleID) {
        try await subscriptions.write { [self] connection in
            let (found, entry) = try transactions.transaction(id, on: connection)
            let key = customerKey(of: found.accountID, in: entry.app)
            var revision = try CustomersTable.lock(key, on: connection)
            // Read again after taking the lock: it may have been reversed meanwhile.
            let refunded = try transactions.transaction(id, on: connection).0
            guard refunded.revocation != nil, refunded.ownership == .purchased else {
                throw RefundError(.notRefunded, id, "the transaction wasn't refunded")
            }
            let now = try clock.now(on: connection)
            if refunded.type == .autoRenewable {
                let current = try subscriptions.broughtUpToDate(
                    refunded.originalID, key, entry, until: now.wholeSeconds, revision: &revision, on: connection)
                let plan = entry.products[refunded.productID].flatMap {
                    SubscriptionPlan($0, in: current.storefront)
                }
                let decision = try current.decide(
                    .refundReversed(refunded, try refundPostings(of: id, key, on: connection), of: plan),
                    at: now.wholeSeconds, in: try subscriptions.renewalContext(of: current, entry, on: connection),
                    id: ids.next)
                let others = try TransactionsTable.all(of: key, on: connection)
                try subscriptions.record(
                    decision.superseding(refunded, by: others), key, revision: &revision, on: connection)
            } else {
                try reinstate(refunded, key, revision: &revision, at: now, on: connection)
            }
            return (try transactions.transaction(id, on: connection).0, entry.app.bundleID)
        }
    }

    /// Returns the postings of a transaction's newest refund.
    private func refundPostings(
        of id: TransactionID, _ key: CustomerKey, on connection: any Connection
    ) throws -> [Posting] {
        let kinds: [JournalEntry.Kind] = [.refunded, .subscription(.subscriptionRefunded)]
        let position = try JournalTable.lastPosition(of: id, kinds, app: key.app, environment.id, on: connection)
        return try position.map { try JournalTable.postings(at: $0, app: key.app, environment.id, on: connection) }
            ?? []
    }

    /// Restores a purchase, with the repeated purchases that were refunded with it.
    private func reinstate(
        _ refunded: Transaction, _ key: CustomerKey, revision: inout Int64, at now: Instant,
        on connection: any Connection
    ) throws {
        let back = Refund.reversed(refunded, among: try repeats(of: refunded, key, on: connection))
        let entries = try back.map { transaction in
            JournalEntry(
                .purchaseRefundReversed, at: now, transaction,
                postings: try refundPostings(of: transaction.id, key, on: connection).reversed)
        }
        try change(back, entries, key, revision: &revision, on: connection)
        guard let purchase = back.first, purchase.type == .nonConsumable,
            try catalog.entry(number: key.app, on: connection)?.products[purchase.productID]?.isFamilyShareable == true
        else { return }
        for member in try subscriptions.family(of: key, on: connection) {
            try subscriptions.share(purchase, with: member, key, at: now, on: connection)
        }
    }
}
