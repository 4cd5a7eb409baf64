import Perennial
import PerennialStorage

extension Store {
    /// How many subscriptions one transaction works on.
    static let renewalBatch = 100
    /// A limit on what one subscription can have due in one batch: a century of weeks. More is an error of the rules.
    static let maximumStepsInBatch = 6_000

    /// Works off everything due up to an instant, in the order of due time across all subscriptions, in one transaction for
    /// each batch. Whatever a crash or a second worker interrupts is found again by whoever comes next: the state of a
    /// subscription says what was done.
    ///
    /// While one batch is written, the next one is decided.
    ///
    /// - Returns: How many facts of commerce came of it.
    @discardableResult
    package func workOffDue(until target: Instant) async throws -> Int {
        var events = 0
        var part = DecidedRenewals.Part(until: target)
        var next: DueBatch?
        while true {
            let batch = if let next { next } else { try await decideDue(part) }
            (next, part.after) = (nil, nil)
            switch batch {
            case .nothing: return events
            case .decided(let decided) where decided.steps.isEmpty:
                // Of apps that are gone: nobody can say what becomes of those.
                part.after = decided.end
                if decided.end == nil, decided.horizon == target { return events }
            case .decided(let decided):
                do {
                    next = try await write(decided, beside: decided.following(until: target))
                    events += decided.events
                    if decided.end == nil, decided.horizon == target { return events }
                } catch is DecidedRenewals.Stale {
                    next = .undecidable
                }
            case .undecidable:
                let done = try await workOffLocked(until: target)
                events += done.events
                if done.isLast { return events }
            }
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
    private func write(_ decided: DecidedRenewals, beside part: DecidedRenewals.Part?) async throws -> DueBatch? {
        guard let part else {
            try await write(decided)
            return nil
        }
        let found: DueBatch
        if overlapsRenewals {
            async let following = decideDue(part)
            try await write(decided)
            found = try await following
        } else {
            found = try await decideDue(part)
            try await write(decided)
        }
        // What is due again by then was not looked for.
        if case .nothing = found { return nil }
        return found
    }

    /// Writes a batch, if everything is still as it was when it was decided.
    ///
    /// - Throws: ``DecidedRenewals/Stale``.
    func write(_ decided: DecidedRenewals) async throws {
        try await write { [self] in try write(decided, on: $0) }
    }

    private func write(_ decided: DecidedRenewals, on connection: any Connection) throws {
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
        try setManualClock(decided.horizon, on: connection)
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

    /// One batch the other way, in one transaction from reading to writing.
    private func workOffLocked(until target: Instant) async throws -> (events: Int, isLast: Bool) {
        try await write { [self] connection in
            let due = try SubscriptionsTable.due(
                until: target, limit: Self.renewalBatch, environment.id, on: connection)
            guard let last = due.last else { return (0, true) }
            // What is not loaded is due later than all that is: up to there the order is known.
            let horizon = due.count < Self.renewalBatch ? target : last.due
            var work = try LockedRenewals(due, horizon: horizon, store: self, on: connection)
            try work.run(on: connection)
            try setManualClock(horizon, on: connection)
            return (work.events, due.count < Self.renewalBatch)
        }
    }

    private func setManualClock(_ reached: Instant, on connection: any Connection) throws {
        guard environment.clock == .manual else { return }
        try EnvironmentsTable.moveManualClock(to: reached, environment.id, on: connection)
    }
}
