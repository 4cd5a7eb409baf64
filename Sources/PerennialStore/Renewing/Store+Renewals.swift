import Logging
import Perennial
import PerennialStorage

extension Store {
    /// How many subscriptions one transaction works on.
    static let renewalBatch = 100
    /// How many steps, such as renewals, one transaction writes: what is left is the next one's. Each takes two IDs, and so a block of
    /// them is enough for nearly every transaction.
    static let maximumStepsInTransaction = 1_000
    /// How many steps of one subscription a transaction does that was to do something else.
    static let maximumStepsBeside = 200

    /// Works off everything due up to an instant, in the order of due time across all subscriptions, in one transaction for
    /// each batch. Whatever a crash or a second worker interrupts is found again by whoever comes next: the state of a
    /// subscription says what was done. Where the task is cancelled, it ends after the batch.
    ///
    /// While one batch is written, the next one is decided. A subscription whose work can't be done is quarantined, and holds up
    /// no other.
    ///
    /// - Returns: How many facts of commerce came of it.
    @discardableResult
    package func workOffDue(until target: Instant) async throws -> Int {
        try await workOffDue(until: target, nil)
    }

    /// - Parameter claim: The right to move the clock, where an advance does the work.
    func workOffDue(until target: Instant, _ claim: ClockClaim?) async throws -> Int {
        var run = DueRun(until: target)
        while !run.isOver {
            try Task.checkCancellation()
            do {
                try await workOffBatch(&run, claim)
            } catch is DecidedRenewals.Stale {
                run.next = .undecidable
            } catch let failed as SingleFailed {
                try await quarantine(failed.failure)
            } catch  where run.alone == nil && error.isOfRows {
                run.alone = try await lastPlace(of: run.part)
                run.next = nil
                guard run.alone != nil else { throw error }
                logger.warning("a batch of renewals failed: one by one", metadata: metadata(error))
            }
        }
        return run.events
    }

    /// How far the work on what is due has got.
    private struct DueRun {
        var part: DecidedRenewals.Part
        /// The batch that comes next, where it is known.
        var next: DueBatch?
        /// Up to this place, the end of a batch that failed, subscriptions are worked off one by one.
        var alone: DuePlace?
        var events = 0
        var isOver = false

        init(until target: Instant) { part = DecidedRenewals.Part(until: target) }

        /// - Parameter end: Where the next batch begins; `nil` where nothing more is due.
        mutating func goOn(after end: DuePlace?, events: Int, isEmpty: Bool) {
            self.events += events
            isOver = end == nil
            // What can't be done is passed over; otherwise the next batch is what is due first by then.
            part.after = isEmpty ? end : nil
        }
    }

    private func workOffBatch(_ run: inout DueRun, _ claim: ClockClaim?) async throws {
        let batch: DueBatch
        if run.alone != nil {
            batch = .undecidable
        } else if let next = run.next {
            batch = next
        } else {
            batch = try await decideDue(run.part)
        }
        run.next = nil
        switch batch {
        case .nothing: run.isOver = true
        case .decided(let decided):
            let target = run.part.until
            if !decided.isEmpty {
                run.next = try await write(decided, beside: decided.following(until: target), claim)
                report(decided.failures)
            }
            run.goOn(after: decided.end, events: decided.events, isEmpty: decided.isEmpty)
            // A part that ended early says nothing of what is due later.
            if decided.end == nil, decided.horizon != target { run.isOver = false }
        case .undecidable:
            let limit = run.alone == nil ? Self.renewalBatch : 1
            let done = try await workOffLocked(run.part, limit: limit, claim)
            report(done.failures)
            if let alone = run.alone, done.first.map({ $0 > alone }) ?? true { run.alone = nil }
            run.goOn(after: done.end, events: done.events, isEmpty: done.isEmpty)
        }
    }

    /// The end of the batch that a part begins with, whether or not its subscriptions can be read.
    private func lastPlace(of part: DecidedRenewals.Part) async throws -> DuePlace? {
        try await database.read { [environment] connection in
            try SubscriptionsTable.due(
                after: part.after, until: part.until, limit: Self.renewalBatch, environment.id, on: connection
            ).last.map { ($0.due, $0.subscriptionID) }
        }
    }

    /// Real time: works off what is due now.
    @discardableResult
    package func workOffDue() async throws -> Int {
        try await workOffDue(until: try await now())
    }

    /// Writes a batch, and decides the one that follows.
    ///
    /// - Returns: The one that follows, where that is known already.
    private func write(
        _ decided: DecidedRenewals, beside part: DecidedRenewals.Part?, _ claim: ClockClaim?
    ) async throws -> DueBatch? {
        guard let part else {
            try await write(decided, claim)
            return nil
        }
        let found: DueBatch?
        if overlapsRenewals {
            async let following = decideDue(part)
            try await write(decided, claim)
            // What is wrong with it is told when it is its turn.
            found = try? await following
        } else {
            found = try? await decideDue(part)
            try await write(decided, claim)
        }
        // What is due again by then was not looked for.
        if case .nothing? = found { return nil }
        return found
    }

    /// Writes a batch, if everything is still as it was when it was decided.
    ///
    /// - Throws: ``DecidedRenewals/Stale``.
    func write(_ decided: DecidedRenewals, _ claim: ClockClaim? = nil) async throws {
        try await write { [self] in try write(decided, claim, on: $0) }
    }

    private func write(_ decided: DecidedRenewals, _ claim: ClockClaim?, on connection: any Connection) throws {
        guard try AppsTable.revision(on: connection) == decided.catalogRevision else { throw DecidedRenewals.Stale() }
        for customer in decided.customers {
            let isSame = try CustomersTable.advance(
                customer.key, from: customer.revision, to: customer.nextRevision, payer: customer.payer,
                on: connection)
            guard isSame else { throw DecidedRenewals.Stale() }
        }
        // By their places: a copy of a step costs as much as some of what is done with it.
        let steps = decided.steps
        for place in steps.indices {
            let isShared = try sharers(of: steps[place].decision, steps[place].key, on: connection) != nil
            guard !isShared else { throw DecidedRenewals.Stale() }
        }
        let lasts = try appendToJournals(decided, on: connection)
        try TransactionsTable.insert(
            steps.indices.flatMap { place in
                steps[place].rows.indices.map {
                    (row: steps[place].rows[$0], position: steps[place].position(ofRow: $0, last: lasts[place]))
                }
            }, on: connection)
        var makers = try notificationMakers(of: Set(steps.map(\.key.app)), on: connection)
        for place in steps.indices {
            if !steps[place].decision.changes.isEmpty {
                try change(
                    steps[place].decision, revision: steps[place].revision, steps[place].key, on: connection)
            }
            try makers[steps[place].key.app]?.make(
                of: steps[place].entries, last: lasts[place], subscription: steps[place].decision.subscription,
                on: connection)
        }
        for maker in makers.values { try maker.write(on: connection) }
        for written in decided.subscriptions {
            try SubscriptionsTable.update(
                written.subscription, document: written.document, written.key, on: connection)
        }
        for failure in decided.failures { try quarantine(failure, on: connection) }
        try setManualClock(decided.horizon, claim, on: connection)
    }

    /// Those of apps that want notifications.
    private func notificationMakers(
        of apps: Set<Int64>, on connection: any Connection
    ) throws -> [Int64: NotificationMaker] {
        var makers: [Int64: NotificationMaker] = [:]
        for app in apps { makers[app] = try NotificationMaker(app: app, store: self, on: connection) }
        return makers
    }

    /// - Returns: For each step, the position of its last entry in its app's journal.
    private func appendToJournals(_ decided: DecidedRenewals, on connection: any Connection) throws -> [Int64] {
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

    /// What came of a batch that was read, decided and written in one transaction.
    private struct LockedBatch: Sendable {
        var first: DuePlace?
        /// Where the next batch begins; `nil` where nothing more is due.
        var end: DuePlace?
        var events = 0
        var failures: [RenewalFailure] = []
        var isEmpty = true
    }

    /// The only subscription of a transaction couldn't be worked off.
    private struct SingleFailed: Error {
        let failure: RenewalFailure
    }

    /// One batch the other way, in one transaction from reading to writing.
    private func workOffLocked(
        _ part: DecidedRenewals.Part, limit: Int, _ claim: ClockClaim?
    ) async throws -> LockedBatch {
        try await write { [self] connection in
            let due = try SubscriptionsTable.due(
                after: part.after, until: part.until, limit: limit, environment.id, on: connection)
            guard let first = due.first, let last = due.last else { return LockedBatch() }
            let isAll = due.count < limit
            // What is not loaded is due later than all that is: up to there the order is known.
            let horizon = isAll ? part.until : last.due
            do {
                var work = try LockedRenewals(due, horizon: horizon, store: self, on: connection)
                try work.run(on: connection)
                for failure in work.failures { try quarantine(failure, on: connection) }
                try setManualClock(work.reached, claim, on: connection)
                return LockedBatch(
                    first: (first.due, first.subscriptionID),
                    end: work.cut ?? (isAll ? nil : (last.due, last.subscriptionID)), events: work.events,
                    failures: work.failures, isEmpty: work.isEmpty)
            } catch  where due.count == 1 && limit == 1 && error.isOfRows {
                throw SingleFailed(
                    failure: RenewalFailure(first.customer, first.subscriptionID, due: first.due, error))
            }
        }
    }

    /// Brings one subscription up to date, in as many transactions as it takes.
    func catchUp(_ behind: FarBehind) async throws {
        let due = SubscriptionsTable.Due(customer: behind.key, subscriptionID: behind.id, due: behind.until)
        var isDone = false
        while !isDone {
            try Task.checkCancellation()
            isDone = try await write { [self] connection in
                var work = try LockedRenewals([due], horizon: behind.until, store: self, on: connection)
                try work.run(on: connection)
                return work.cut == nil
            }
        }
    }

    private func setManualClock(_ reached: Instant, _ claim: ClockClaim?, on connection: any Connection) throws {
        guard environment.clock == .manual else { return }
        if let claim {
            try claim.moveClock(to: reached, on: connection)
        } else {
            try EnvironmentsTable.moveManualClock(to: reached, environment.id, on: connection)
        }
    }
}
