import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// Changes of a customer's purchases since an earlier answer, signed: what an app's StoreKit computes its answers
/// from.
package struct PurchaseChanges: Sendable {
    /// The most transactions on a page.
    package static let pageSize = 200

    package struct ChangedTransaction: Sendable {
        package var id: TransactionID
        /// A JSON string with its quotes.
        package var signed: [UInt8]
        package var isFinished: Bool
    }

    /// The transactions in the order of their changes, own and family-shared.
    package var transactions: [ChangedTransaction]
    /// All subscriptions, on the last page if anything changed.
    package var subscriptions: [(groupID: String, item: SubscriptionStatuses.Item)]
    /// The revision for the next request.
    package var revision: String
    package var hasMore: Bool
    /// True if the list starts from nothing with this page: purchases that it doesn't have are gone.
    package var isComplete: Bool
    /// The time of the environment's clock.
    package var date: Instant

    package var isEmpty: Bool { transactions.isEmpty && subscriptions.isEmpty && !hasMore && !isComplete }
}

extension History {
    /// Returns the changes of a customer's purchases since an earlier answer: purchases, renewals, revocations, changes of
    /// renewal, and what was finished on another device. Transactions are bound to the customer's device.
    ///
    /// - Parameter revision: From the answer before; `nil` for the whole list.
    /// - Throws: ``StoreError`` `.malformed` for a text that is no revision, `.appNotFound`.
    package func changes(of customer: Customer, after revision: String?) async throws -> PurchaseChanges {
        let found = try await database.read { [self] in try unsignedChanges(of: customer, after: revision, on: $0) }
        return PurchaseChanges(
            transactions: try found.transactions.map { transaction, change in
                PurchaseChanges.ChangedTransaction(
                    id: change.place.id, signed: try signed(transaction).json, isFinished: change.isFinished)
            },
            subscriptions: try found.subscriptions.map { (groupID: $0.groupID, item: try signed($0)) },
            revision: found.revision.text(cipher, customer.key), hasMore: found.hasMore, isComplete: found.isComplete,
            date: found.date)
    }

    /// Waits for changes if there are none yet.
    ///
    /// A commit of this process ends the wait at once. Those of other nodes are looked for regularly.
    ///
    /// - Parameters:
    ///   - duration: The longest wait.
    ///   - gathering: The shortest time between two looks: many devices wait, and every commit wakes them all.
    ///   - polling: The longest time between two looks.
    package func changes(
        of customer: Customer, after revision: String?, waiting duration: Duration,
        gathering: Duration = .milliseconds(50), polling: Duration = .seconds(1)
    ) async throws -> PurchaseChanges {
        let end = ContinuousClock.now + duration
        let (wakeUps, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // Before the first look, so that no commit after it is missed.
        let number = database.commits.add { continuation.yield() }
        defer { database.commits.remove(number) }
        var found = try await changes(of: customer, after: revision)
        while found.isEmpty, .now < end {
            try await Self.sleep(until: min(end, .now + polling), orUntilWokenBy: wakeUps)
            if try await revisionHasChanged(found.revision, of: customer) {
                found = try await changes(of: customer, after: revision)
            } else {
                try await Task.sleep(until: min(end, .now + gathering), clock: .continuous)
            }
        }
        return found
    }

    private static func sleep(until end: ContinuousClock.Instant, orUntilWokenBy wakeUps: AsyncStream<Void>)
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in wakeUps { break } }
            group.addTask { try await Task.sleep(until: end, clock: .continuous) }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    /// Reads one row, to find out whether a longer look is worth it.
    private func revisionHasChanged(_ text: String, of customer: Customer) async throws -> Bool {
        let known = try ChangesRevision(text, cipher, customer.key)
        return try await database.read { try CustomersTable.knownRevision(customer.key, on: $0) } != known?.asOf
    }

    /// A page that is read and not signed yet.
    private struct UnsignedChanges: Sendable {
        var transactions: [(SignableTransaction, TransactionsTable.Change)] = []
        var subscriptions: [UnsignedItem] = []
        var revision: ChangesRevision
        var hasMore = false
        var isComplete: Bool
        var date: Instant
    }

    private func unsignedChanges(
        of customer: Customer, after text: String?, on connection: any Connection
    ) throws -> UnsignedChanges {
        let (key, app) = (customer.key, try app(customer.bundleID, on: connection).app)
        let (now, device) = (try clock.now(on: connection), UUID(uuidString: customer.device))
        let newest = try CustomersTable.revision(key, on: connection)
        let known = try usable(try text.flatMap { try ChangesRevision($0, cipher, key) }, newest, key, on: connection)
        let end = ChangesRevision(place: .end(of: newest), asOf: newest)
        var page = UnsignedChanges(revision: end, isComplete: known == nil, date: now)
        guard known != end else { return page }
        let found = try TransactionsTable.changes(
            of: key, after: known?.place, limit: PurchaseChanges.pageSize + 1, on: connection)
        page.hasMore = found.count > PurchaseChanges.pageSize
        let changes = found.prefix(PurchaseChanges.pageSize)
        page.transactions = try changes.map {
            (try signable($0.history, of: app, at: now, for: device, on: connection), $0)
        }
        if page.hasMore, let last = changes.last {
            page.revision = ChangesRevision(place: last.place, asOf: newest)
        } else {
            page.subscriptions = try SubscriptionsTable.all(of: key, on: connection).map {
                try item(of: $0, in: app, at: now, for: device, on: connection)
            }
        }
        return page
    }

    /// Returns a revision unless it is void.
    private func usable(
        _ revision: ChangesRevision?, _ newest: Int64, _ key: CustomerKey, on connection: any Connection
    ) throws -> ChangesRevision? {
        guard let revision, revision.asOf <= newest,
            revision.asOf >= (try CustomersTable.deletedRevision(key, on: connection))
        else { return nil }
        return revision
    }
}
