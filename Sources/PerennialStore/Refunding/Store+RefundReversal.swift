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
            if refunded.type == .autoRenewable {
                let current = try settled(
                    refunded.originalID, key, entry, until: now.wholeSeconds, revision: &revision, on: connection)
                let plan = entry.products[refunded.productID].flatMap {
                    SubscriptionPlan($0, in: current.storefront)
                }
                let decision = try current.decide(
                    .refundReversed(refunded, try refundPostings(of: id, key, on: connection), of: plan),
                    at: now.wholeSeconds, in: try context(of: current, entry, on: connection), id: numbers.next)
                let others = try TransactionsTable.all(of: key, on: connection)
                try record(
                    decision.givingWay(refunded, to: others), key, revision: &revision, on: connection)
            } else {
                try reinstate(refunded, key, revision: &revision, at: now, on: connection)
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

    /// Brings a purchase back, with the repeats that went with it.
    private func reinstate(
        _ refunded: Transaction, _ key: CustomerKey, revision: inout Int64, at now: Instant,
        on connection: any Connection
    ) throws {
        let back = Refund.reversed(refunded, among: try repeats(of: refunded, key, on: connection))
        let told = try back.map { transaction in
            JournalEntry(
                .purchaseRefundReversed, at: now, transaction,
                postings: try refundPostings(of: transaction.id, key, on: connection).reversed)
        }
        try change(back, told, key, revision: &revision, on: connection)
        guard let purchase = back.first, purchase.type == .nonConsumable,
            try catalog.entry(number: key.app, on: connection)?.products[purchase.productID]?.isFamilyShareable == true
        else { return }
        for member in try family(of: key, on: connection) {
            try share(purchase, with: member, key, at: now, on: connection)
        }
    }
}
