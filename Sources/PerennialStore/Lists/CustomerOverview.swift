import Perennial
import PerennialStorage

/// A customer of an app: the account, and what is open now.
package struct CustomerOverview: Sendable {
    package var account: Account
    /// The tester's number, for an account of Sandbox; `nil` elsewhere.
    package var testerID: Int64?
    /// The first use of the app; `nil` for an account that never used it.
    package var joined: Instant?
    package var subscriptions: [Subscription]
    /// Transactions that the app hasn't finished, in the order of their sales: the first ones.
    package var unfinished: [Transaction]
    /// Purchases that wait for approval or for the customer.
    package var pending: [PendingPurchasesTable.Record]
    /// Devices with the last sign-in of each, the newest first.
    package var devices: [(device: DevicesTable.Record, signedIn: Instant)]
    package var now: Instant
}

/// An event of a customer: a journal entry with its transaction and the notifications about it.
package struct CustomerEvent: Sendable {
    package var position: Int64
    package var entry: JournalEntry
    package var transaction: Transaction?
    /// The author and the reason of a grant.
    package var grantNote: GrantNote?
    package var notifications: [NotificationRecord]
}

extension Accounts {
    /// The most unfinished transactions of an overview.
    package static let maximumUnfinished = 20

    /// Returns a customer of an app with what is open.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, `.accountNotFound`.
    package func overview(of name: String, in bundleID: App.BundleID) async throws -> CustomerOverview {
        try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app
            guard let account = try AccountsTable.named(name, environment.id, on: connection) else {
                throw StoreError(.accountNotFound, name, "there is no account of that name")
            }
            let key = customerKey(of: account.id, in: app)
            let now = try clock.now(on: connection)
            let pending = try PendingPurchasesTable.all(of: key, on: connection).filter {
                if case .waiting = $0.pending.state { true } else { false }
            }
            let tester =
                environment.kind.isForTests
                ? try TestersTable.tester(of: account.id, environment.id, on: connection)?.id : nil
            return CustomerOverview(
                account: account, testerID: tester, joined: try CustomersTable.joined(key, on: connection),
                subscriptions: try SubscriptionsTable.all(of: key, on: connection),
                unfinished: try TransactionsTable.unfinished(
                    of: key, limit: Self.maximumUnfinished, on: connection),
                pending: pending,
                devices: try DevicesTable.signIns(of: key, on: connection).map { ($0.device, $0.at) }, now: now)
        }
    }

    /// Returns the events of a customer in an app, newest first.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, `.accountNotFound`; `.malformed` for a cursor that isn't one.
    package func timeline(
        of name: String, in bundleID: App.BundleID, after cursor: String? = nil, limit: Int
    ) async throws -> ListPage<CustomerEvent> {
        let limit = ListLimit.clamped(limit)
        let place = try cursor.map { try ListCursor.numbers($0, count: 1)[0] } ?? .max
        return try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app
            let key = customerKey(of: try accountID(named: name, on: connection), in: app)
            let sales = try TransactionsTable.journalPositions(
                of: key, before: place, limit: limit + 1, on: connection)
            let others = try JournalTable.positions(of: key, before: place, limit: limit + 1, on: connection)
            let positions = Set(sales + others).sorted(by: >)
            let page = Array(positions.prefix(limit))
            return ListPage(
                try page.compactMap { try event(at: $0, app: app.appleID, on: connection) },
                next: positions.count > limit ? page.last.map { ListCursor.text($0) } : nil)
        }
    }
}

extension StoreChapter {
    /// Returns the journal entry at a position with its transaction and notifications.
    func event(at position: Int64, app: Int64, on connection: any Connection) throws -> CustomerEvent? {
        guard let entry = try JournalTable.entry(at: position, app: app, environment.id, on: connection) else {
            return nil
        }
        let transaction = try entry.transactionID.flatMap {
            try TransactionsTable.transaction($0, app: app, environment.id, on: connection)
        }
        var note: GrantNote?
        if entry.kind == .purchased, let transaction, transaction.price.milliunits == 0 {
            note = try GrantsTable.note(of: transaction.id, app: app, environment.id, on: connection)
        }
        return CustomerEvent(
            position: position, entry: entry, transaction: transaction, grantNote: note,
            notifications: try NotificationsTable.records(at: position, app: app, environment.id, on: connection))
    }
}
