import Logging
import Perennial
import PerennialStorage

/// The lease under which renewals are processed.
enum RenewalLease: Sendable {
    /// Work without a lease: versions of the customers' purchases keep each renewal from being done twice.
    case none
    /// The lease on the manual clock that an advance moves.
    case clock(ClockLease)
    /// The lease on the renewals of an environment with a real clock.
    case work(WorkLease)

    /// Checks the lease, and keeps it until the transaction has ended. First in a transaction.
    ///
    /// - Throws: ``LeaseLost``, `StorageError` `.busy`.
    func check(on connection: any Connection) throws {
        switch self {
        case .none: return
        case .clock(let lease): try lease.check(on: connection)
        case .work(let lease): try lease.check(on: connection)
        }
    }
}

/// Renewals, and everything else that falls due for subscriptions.
package struct Renewals: StoreChapter {
    let context: StoreContext
    let outbox: NotificationOutbox
    let subscriptions: Subscriptions
    let isPipelined: Bool

    /// The number of subscriptions in one batch.
    static let batchSize = 100

    /// Processes everything due up to an instant, in the order of due time across all subscriptions, in one transaction for
    /// each batch. After a crash, or beside a second worker, nothing is lost or repeated: a subscription's state says what
    /// is done. A cancelled task ends after the current batch.
    ///
    /// The next batch is built while one is written. A subscription whose work fails is quarantined and delays no others.
    ///
    /// - Returns: The number of commerce events.
    @discardableResult
    package func processDue(until target: Instant) async throws -> Int {
        try await processDue(until: target, .none)
    }

    /// Processes everything due up to an instant.
    ///
    /// - Parameter lease: The lease under which the work is done. Every transaction checks it.
    func processDue(until target: Instant, _ lease: RenewalLease) async throws -> Int {
        var run = RenewalRun(until: target)
        while !run.isOver {
            try Task.checkCancellation()
            do {
                try await processBatch(&run, lease)
            } catch is RenewalBatch.VersionConflict {
                run.next = .requiresLocks
            } catch let failed as SingleSubscriptionFailed {
                try await quarantine(failed.failure)
            } catch  where run.singlesUntil == nil && error.isCausedByRowData {
                run.singlesUntil = try await lastPosition(of: run.range)
                run.next = nil
                guard run.singlesUntil != nil else { throw error }
                logger.warning("a batch of renewals failed: one by one", metadata: metadata(error))
            }
        }
        return run.events
    }

    /// The progress of one call.
    private struct RenewalRun {
        var range: RenewalBatch.DueRange
        /// The next batch if it is built already.
        var next: BuiltBatch?
        /// The end of a batch that failed. Up to it, subscriptions are processed one by one.
        var singlesUntil: DuePosition?
        var events = 0
        var isOver = false

        init(until target: Instant) { range = RenewalBatch.DueRange(until: target) }

        /// Sets the range of the next batch.
        ///
        /// - Parameter end: The start of the next batch; `nil` if nothing more is due.
        mutating func advance(after end: DuePosition?, events: Int, isEmpty: Bool) {
            self.events += events
            isOver = end == nil
            // Subscriptions that can't be processed are skipped; otherwise the next batch begins with what is due first
            // then.
            range.after = isEmpty ? end : nil
        }
    }

    private func processBatch(_ run: inout RenewalRun, _ lease: RenewalLease) async throws {
        let batch: BuiltBatch
        if run.singlesUntil != nil {
            batch = .requiresLocks
        } else if let next = run.next {
            batch = next
        } else {
            batch = try await buildBatch(run.range)
        }
        run.next = nil
        switch batch {
        case .nothing: run.isOver = true
        case .decided(let decided):
            let target = run.range.until
            if !decided.isEmpty {
                run.next = try await write(decided, beside: decided.concurrentRange(until: target), lease)
                report(decided.failures)
            }
            run.advance(after: decided.end, events: decided.events, isEmpty: decided.isEmpty)
            // A range that ended early doesn't tell what is due later.
            if decided.end == nil, decided.horizon != target { run.isOver = false }
        case .requiresLocks:
            let limit = run.singlesUntil == nil ? limits.renewalBatch : 1
            let done = try await processLocked(run.range, limit: limit, lease)
            report(done.failures)
            if let singlesUntil = run.singlesUntil, done.first.map({ $0 > singlesUntil }) ?? true {
                run.singlesUntil = nil
            }
            run.advance(after: done.end, events: done.events, isEmpty: done.isEmpty)
        }
    }

    /// Returns the last position of the range's first batch, also if its subscriptions can't be read.
    private func lastPosition(of range: RenewalBatch.DueRange) async throws -> DuePosition? {
        try await database.read { [environment] connection in
            try SubscriptionsTable.due(
                after: range.after, until: range.until, limit: limits.renewalBatch, environment.id, on: connection
            ).last.map { ($0.due, $0.subscriptionID) }
        }
    }

    /// Processes everything that is due now, on real time.
    ///
    /// - Throws: ``LeaseLost`` if another node has taken over.
    @discardableResult
    package func processDue(under lease: WorkLease? = nil) async throws -> Int {
        try await processDue(until: try await now(), lease.map { .work($0) } ?? .none)
    }

    /// Writes a batch, and builds the next one.
    ///
    /// - Returns: The next batch if it can be known already.
    private func write(
        _ decided: RenewalBatch, beside range: RenewalBatch.DueRange?, _ lease: RenewalLease
    ) async throws -> BuiltBatch? {
        guard let range else {
            try await write(decided, lease)
            return nil
        }
        let found: BuiltBatch?
        if isPipelined {
            async let next = buildBatch(range)
            try await write(decided, lease)
            // Its error is thrown when it is its turn.
            found = try? await next
        } else {
            found = try? await buildBatch(range)
            try await write(decided, lease)
        }
        // The look-ahead skipped subscriptions that this batch makes due again.
        if case .nothing? = found { return nil }
        return found
    }

    /// Writes a batch if the versions that it is based on haven't changed.
    ///
    /// - Throws: ``RenewalBatch/VersionConflict``.
    func write(_ decided: RenewalBatch, _ lease: RenewalLease = .none) async throws {
        try await subscriptions.write { [self] in try write(decided, lease, on: $0) }
    }

    private func write(_ decided: RenewalBatch, _ lease: RenewalLease, on connection: any Connection) throws {
        try lease.check(on: connection)
        try lockManualClock(on: connection)
        guard connection.era == decided.era,
            try CatalogHeadTable.revision(on: connection) == decided.catalogRevision
        else {
            throw RenewalBatch.VersionConflict()
        }
        guard try CustomersTable.advance(decided.customers, on: connection) else {
            throw RenewalBatch.VersionConflict()
        }
        // By index: copying a step costs as much as some of the work with it.
        let steps = decided.steps
        for place in steps.indices {
            let isShared = try subscriptions.sharers(of: steps[place].decision, steps[place].key, on: connection) != nil
            guard !isShared else { throw RenewalBatch.VersionConflict() }
        }
        let lasts = try appendToJournals(decided, on: connection)
        try TransactionsTable.insert(
            steps.indices.flatMap { place in
                steps[place].rows.indices.map {
                    (row: steps[place].rows[$0], position: steps[place].position(ofRow: $0, last: lasts[place]))
                }
            }, on: connection)
        var factories = try notificationFactories(of: Set(steps.map(\.key.app)), on: connection)
        for place in steps.indices {
            if !steps[place].decision.changes.isEmpty {
                try subscriptions.change(
                    steps[place].decision, revision: steps[place].revision, steps[place].key, on: connection)
            }
            try factories[steps[place].key.app]?.make(
                of: steps[place].entries, last: lasts[place], subscription: steps[place].decision.subscription,
                on: connection)
        }
        for factory in factories.values { try factory.write(on: connection) }
        try SubscriptionsTable.update(decided.subscriptions, on: connection)
        for failure in decided.failures { try quarantine(failure, on: connection) }
        try setManualClock(decided.horizon, on: connection)
    }

    /// Returns a factory for each app that wants notifications.
    private func notificationFactories(
        of apps: Set<Int64>, on connection: any Connection
    ) throws -> [Int64: NotificationFactory] {
        var factories: [Int64: NotificationFactory] = [:]
        for app in apps { factories[app] = try NotificationFactory(app: app, outbox: outbox, on: connection) }
        return factories
    }

    /// Appends the journal entries of all steps.
    ///
    /// - Returns: For each step, the position of its last entry in its app's journal.
    private func appendToJournals(_ decided: RenewalBatch, on connection: any Connection) throws -> [Int64] {
        var lasts = Array(repeating: Int64(0), count: decided.steps.count)
        for app in Set(decided.steps.map(\.key.app)).sorted() {
            let places = decided.steps.indices.filter { decided.steps[$0].key.app == app }
            let entries = places.flatMap { decided.steps[$0].entries }
            var position = try JournalTable.append(entries, app: app, environment.id, on: connection)
            for place in places.reversed() {
                lasts[place] = position
                position -= Int64(decided.steps[place].entries.count)
            }
        }
        return lasts
    }

    /// The result of a batch that was read, decided and written in one transaction.
    private struct LockedBatch: Sendable {
        var first: DuePosition?
        /// The start of the next batch; `nil` if nothing more is due.
        var end: DuePosition?
        var events = 0
        var failures: [RenewalFailure] = []
        var isEmpty = true
    }

    /// The only subscription of a transaction couldn't be processed.
    private struct SingleSubscriptionFailed: Error {
        let failure: RenewalFailure
    }

    /// Processes a batch in one transaction, behind its customers' locks.
    private func processLocked(
        _ range: RenewalBatch.DueRange, limit: Int, _ lease: RenewalLease
    ) async throws -> LockedBatch {
        try await subscriptions.writeBatch { [self] connection, inUse in
            try lease.check(on: connection)
            try lockManualClock(on: connection)
            let due = try SubscriptionsTable.due(
                after: range.after, until: range.until, limit: limit, environment.id, on: connection)
            guard let first = due.first, let last = due.last else { return LockedBatch() }
            let isAll = due.count < limit
            // Subscriptions that aren't loaded are due later than all that are: up to there the order is known.
            let horizon = isAll ? range.until : last.due
            do {
                var work = try LockedRenewalBatch(
                    due, horizon: horizon, beside: inUse, subscriptions: subscriptions, on: connection)
                try work.run(on: connection)
                for failure in work.failures { try quarantine(failure, on: connection) }
                try setManualClock(work.reached, on: connection)
                if limit == 1 { try connection.runWaiting() }
                return LockedBatch(
                    first: (first.due, first.subscriptionID),
                    end: work.stepLimit ?? (isAll ? nil : (last.due, last.subscriptionID)), events: work.events,
                    failures: work.failures, isEmpty: work.isEmpty)
            } catch  where due.count == 1 && limit == 1 && error.isCausedByRowData {
                throw SingleSubscriptionFailed(
                    failure: RenewalFailure(first.customer, first.subscriptionID, due: first.due, error))
            }
        }
    }

    /// Locks the environment before its customers, because a manual clock moves at the end of the transaction
    /// (docs/architecture.md, "Order of locks").
    private func lockManualClock(on connection: any Connection) throws {
        if environment.clock == .manual { try EnvironmentsTable.lock(environment.id, on: connection) }
    }

    private func setManualClock(_ reached: Instant, on connection: any Connection) throws {
        guard environment.clock == .manual else { return }
        try EnvironmentsTable.moveManualClock(to: reached, environment.id, on: connection)
    }
}
