import Logging
import Perennial
import PerennialStorage

/// Roll-ups: tables for reports, computed from each app's journal by position.
///
/// A batch is read and computed in a read, and written with its position in one short transaction. Each entry so counts once,
/// whatever crashes and on any number of nodes. A rebuild computes a new generation beside the current one.
package struct RollUps: StoreChapter {
    let context: StoreContext
    let rollUps: [any RollUp]
    /// The most entries in a batch. Results don't depend on it.
    var batchLimit: Int
    /// False for readers that take the roll-ups as they are: the worker adds new entries within a second.
    var waitsForJournal = true

    /// The most entries in a batch of a store.
    package static let batchSize = 2000
    /// The most entries that a stream holds at once.
    static let streamedEntries = 500

    init(
        context: StoreContext,
        rollUps: [any RollUp] = [JournalIndexRollUp(), SalesRollUp(), SubscriptionRollUp()]
    ) {
        self.context = context
        self.rollUps = rollUps
        batchLimit = context.limits.rollUpBatch
    }

    /// Processes the app's journal up to its head as it is now, and returns the key of the current generation. Processes
    /// nothing where ``waitsForJournal`` is false.
    package func bringUpToDate(_ app: App) async throws -> RollUpKey {
        RequestDeadline.liftCurrent()
        let (last, known) = try await database.read { [environment] connection in
            (
                try JournalTable.lastPosition(app: app.appleID, environment.id, on: connection),
                try currentHead(app, on: connection)
            )
        }
        // An app without commerce has no rows, under any key.
        guard last > 0, waitsForJournal else {
            return known?.key ?? RollUpKey(environment: environment.id, app: app.appleID, generation: 0)
        }
        if let known, known.position >= last { return known.key }
        while true {
            try Task.checkCancellation()
            let head = try await current(app)
            guard head.position < last, try await process(head.key, app) != .upToDate else { return head.key }
        }
    }

    /// Streams the entries of days, in order of position, in batches of bounded size. A batch is read when the one before is
    /// done with.
    package func entries(
        of days: ClosedRange<PacificDay>, _ app: App, _ body: (RollUpBatch) async throws -> Void
    ) async throws {
        let key = try await bringUpToDate(app)
        let segments = try await database.read { try RollUpDaysTable.segments(days, key, on: $0) }
        var pacific = PacificDays()
        for positions in segments.map(\.positions).merged() {
            try await batches(key, app, after: positions.lowerBound - 1, through: positions.upperBound) { batch in
                var batch = batch
                batch.entries.removeAll { !days.contains(pacific.day(of: $0.entry.at)) }
                if !batch.entries.isEmpty { try await body(batch) }
            }
        }
    }

    /// Streams all entries up to a position.
    package func allEntries(
        of app: App, through last: Int64, _ body: (RollUpBatch) async throws -> Void
    ) async throws {
        try await batches(try await bringUpToDate(app), app, after: 0, through: last, body)
    }

    /// Streams the entries of a range of positions.
    func batches(
        _ key: RollUpKey, _ app: App, after first: Int64, through last: Int64,
        _ body: (RollUpBatch) async throws -> Void
    ) async throws {
        var position = first
        while position < last {
            try Task.checkCancellation()
            let batch = try await streamedBatch(after: position, through: last, key, app)
            guard let end = batch.entries.last?.position else { return }
            try await body(batch)
            position = end
        }
    }

    /// Reads the next entries of a stream: at most ``streamedEntries``.
    func streamedBatch(
        after position: Int64, through last: Int64, _ key: RollUpKey, _ app: App
    ) async throws -> RollUpBatch {
        let limit = min(batchLimit, Self.streamedEntries)
        return try await database.scan {
            try batch(after: position, through: last, limit: limit, key, app, on: $0)
        }
    }
}

// MARK: - Batches

extension RollUps {
    /// The outcome of an attempt to process a batch.
    enum Outcome: Sendable, Equatable {
        /// The end of the entries.
        case upToDate
        /// The entries up to a position were added.
        case advanced(to: Int64)
        /// Another node was faster, a month was closed meanwhile, the generation is gone, or the database has lost commits since the
        /// batch was read.
        case conflict
    }

    /// Processes the next batch of a generation.
    ///
    /// - Parameters:
    ///   - last: The position at which to stop. A rebuild never passes the current generation, so that a closing of a month,
    ///     which records the current one's position, sees what both have in them.
    ///   - lease: The worker's lease. Readers that don't wait for the worker have none: a position moves once.
    /// - Throws: ``LeaseLost`` if another node has taken over.
    func process(
        _ key: RollUpKey, _ app: App, through last: Int64 = .max, under lease: WorkLease? = nil
    ) async throws -> Outcome {
        let limit = batchLimit
        let prepared = try await database.read { connection -> Prepared? in
            let era = connection.era
            guard let head = try RollUpHeadsTable.head(key, on: connection), head.state != .retired else { return nil }
            let batch = try self.batch(
                after: head.position, through: last, limit: limit, key, app, on: connection)
            return Prepared(
                era: era, position: head.position, last: batch.entries.last?.position,
                changes: try batch.entries.isEmpty ? [] : rollUps.map { try $0.changes(for: batch, on: connection) })
        }
        guard let prepared else { return .conflict }
        guard let end = prepared.last else { return .upToDate }
        do {
            try await database.write { connection in
                try lease?.check(on: connection)
                // In another era the journal may have other entries at these positions.
                guard connection.era == prepared.era else { throw RollUpConflict() }
                // Before the rest, because it locks the generation.
                guard try RollUpHeadsTable.advance(key, from: prepared.position, to: end, on: connection) else {
                    throw RollUpConflict()
                }
                for change in prepared.changes { try change.write(key, on: connection) }
            }
        } catch is RollUpConflict {
            return .conflict
        }
        return .advanced(to: end)
    }

    /// A computed batch.
    private struct Prepared: Sendable {
        /// The era in which it was read (`Database.era`).
        var era: Int64
        /// The position before the batch.
        var position: Int64
        /// `nil` if there are no further entries.
        var last: Int64?
        var changes: [any RollUpChanges]
    }

    private func currentHead(_ app: App, on connection: any Connection) throws -> RollUpHeadsTable.Head? {
        try RollUpHeadsTable.heads(app: app.appleID, environment.id, on: connection).first { $0.state == .current }
    }

    /// Returns the generation that reports read. Adds the first one.
    func current(_ app: App) async throws -> RollUpHeadsTable.Head {
        if let head = try await database.read({ try currentHead(app, on: $0) }) { return head }
        return try await database.write { [environment, clock] connection in
            try EnvironmentsTable.lock(environment.id, on: connection)
            if let head = try currentHead(app, on: connection) { return head }
            return try RollUpHeadsTable.add(
                .current, app: app.appleID, environment.id, at: clock.wallClockNow, on: connection)
        }
    }
}

extension [ClosedRange<Int64>] {
    /// Returns the ranges in order, with those that overlap or touch joined.
    func merged() -> [ClosedRange<Int64>] {
        var merged: [ClosedRange<Int64>] = []
        for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound || range.lowerBound - last.upperBound == 1 {
                merged[merged.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}
