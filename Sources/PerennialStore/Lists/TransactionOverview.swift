import Perennial
import PerennialStorage

/// A transaction with what became of it.
package struct TransactionOverview: Sendable {
    package var transaction: Transaction
    package var app: App
    package var account: Account
    /// The subscription whose period it is; `nil` for other products.
    package var subscription: Subscription?
    /// The sale, refunds and other entries of the journal that are about it, oldest first.
    package var events: [CustomerEvent]
    /// The sums of all their postings, by account of the ledger and currency.
    package var sums: [(account: Posting.Account, amount: Money)]
    package var now: Instant

    package var state: TransactionState { TransactionState(transaction, at: now) }
}

extension Transactions {
    /// The most events of a transaction besides the sale.
    private static let maximumEvents = 100

    /// Returns a transaction of an app with what became of it.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`; `.transactionNotFound`, also for another app's.
    package func details(of id: TransactionID, in bundleID: App.BundleID) async throws -> TransactionOverview {
        try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app
            guard
                let found = try TransactionsTable.transaction(id, app: app.appleID, environment.id, on: connection),
                let account = try AccountsTable.account(found.accountID, environment.id, on: connection)
            else {
                throw StoreError(
                    .transactionNotFound, id.description, "the app has no such transaction in this environment")
            }
            let sale = try TransactionsTable.journalPosition(
                of: id, app: app.appleID, environment.id, on: connection)
            let others = try JournalTable.positions(
                of: customerKey(of: account.id, in: app), transaction: id, before: .max, limit: Self.maximumEvents,
                on: connection)
            let events = try Set(others + [sale].compactMap(\.self)).sorted().compactMap {
                try event(at: $0, app: app.appleID, on: connection)
            }
            let subscription =
                found.type == .autoRenewable
                ? try SubscriptionsTable.subscription(
                    found.originalID, app: app.appleID, environment.id, on: connection) : nil
            return TransactionOverview(
                transaction: found, app: app, account: account, subscription: subscription, events: events,
                sums: events.flatMap(\.entry.postings).sums, now: try clock.now(on: connection))
        }
    }
}

extension [Posting] {
    /// The sums by account of the ledger and currency.
    var sums: [(account: Posting.Account, amount: Money)] {
        Posting.Account.allCases.flatMap { account in
            var sums: [Currency: Int64] = [:]
            for posting in self where posting.account == account {
                sums[posting.amount.currency, default: 0] += posting.amount.milliunits
            }
            return sums.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { (account: account, amount: Money(milliunits: $0.value, $0.key)) }
        }
    }
}
