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
    /// The time from which renewal information may be another one without an event, as win-back offers come and go; `nil` for never.
    package var validUntil: Instant?

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
            date: found.date,
            validUntil: found.revision.renewals == .unknown || found.revision.renewals.validUntil == .endOfTime
                ? nil : found.revision.renewals.validUntil)
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
        guard let known = try ChangesRevision(text, cipher, customer.key) else { return true }
        return try await database.read { [self] connection in
            try CustomersTable.knownRevision(customer.key, on: connection) != known.asOf
                || (known.renewals.validUntil < .endOfTime
                    && known.renewals.validUntil <= (try clock.now(on: connection)))
        }
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
        let isAtEnd = known?.isEnd(of: newest) == true
        if let known, isAtEnd, now < known.renewals.validUntil {
            return UnsignedChanges(revision: known, isComplete: false, date: now)
        }
        let found =
            isAtEnd
            ? []
            : try TransactionsTable.changes(
                of: key, after: known?.place, limit: PurchaseChanges.pageSize + 1, on: connection)
        var page = UnsignedChanges(
            revision: ChangesRevision(place: .end(of: newest), asOf: newest, renewals: .unknown),
            hasMore: found.count > PurchaseChanges.pageSize, isComplete: known == nil, date: now)
        let changes = found.prefix(PurchaseChanges.pageSize)
        page.transactions = try changes.map {
            (try signable($0.history, of: app, at: now, for: device, on: connection), $0)
        }
        if page.hasMore, let last = changes.last {
            page.revision.place = last.place
            return page
        }
        let subscriptions = try SubscriptionsTable.all(of: key, on: connection)
        page.revision.renewals = try renewalState(of: subscriptions, at: now, on: connection)
        guard !isAtEnd || known?.renewals.offers != page.revision.renewals.offers else { return page }
        page.subscriptions = try subscriptions.map { try item(of: $0, in: app, at: now, for: device, on: connection) }
        return page
    }

    /// The longest time after which the win-back offers of a former subscriber are looked up again: the seller may have changed them.
    private static let offersLifetime = Int64.days(1)

    /// Returns the part of the customer's renewal information that time changes.
    private func renewalState(
        of subscriptions: [Subscription], at now: Instant, on connection: any Connection
    ) throws -> ChangesRevision.RenewalState {
        var state = ChangesRevision.RenewalState.constant
        var eligible: [UInt8] = []
        for subscription in subscriptions where subscription.isFormer {
            let (offers, change) = try receipts.subscriptions.winBackEligibility(subscription, on: connection)
            state.validUntil = min(state.validUntil, change ?? .endOfTime, now + Self.offersLifetime)
            for offer in offers { eligible += Array("\(subscription.id) \(offer)\n".utf8) }
        }
        if !eligible.isEmpty {
            state.offers = cipher.bytes(from: Array("win-back".utf8) + eligible, count: 7).reduce(1) {
                $0 << 8 | Int64($1)
            }
        }
        return state
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

extension Subscription {
    /// True for a customer's own subscription that has expired.
    fileprivate var isFormer: Bool {
        guard case .expired = state else { return false }
        return ownership == .purchased
    }
}
