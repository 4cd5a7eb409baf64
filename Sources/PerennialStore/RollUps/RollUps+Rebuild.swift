import Logging
import Perennial
import PerennialStorage

/// Rebuilds: another generation is computed from the whole journal while reports read the current one, and then takes its place.
extension RollUps {
    /// The time for which the rows of a replaced generation are kept, for readers that have begun.
    package static let retention: Int64 = .minutes(1)
    /// Rows that one transaction deletes, about.
    private static let erasedRows = 2000

    /// Returns the state of all apps that have a journal.
    package func statuses() async throws -> [Status] {
        try await database.read { connection in
            let now = try clock.now(on: connection)
            return try RollUpHeadsTable.work(on: connection).compactMap { work -> Status? in
                guard work.environment == environment.id,
                    let app = try catalog.entry(number: work.app, on: connection)?.app
                else { return nil }
                return try Status(of: app.bundleID, work, at: now, on: connection)
            }
        }
    }

    /// Starts a rebuild of an app's roll-ups, unless one is running. The worker does the work.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func startRebuild(_ bundleID: App.BundleID) async throws {
        let (app, last) = try await database.read { [environment] connection in
            let app = try self.app(bundleID, on: connection).app
            return (app, try JournalTable.lastPosition(app: app.appleID, environment.id, on: connection))
        }
        // Without a journal there is nothing to compute.
        guard last > 0 else { return }
        _ = try await current(app)
        try await database.write { [environment, clock] connection in
            try EnvironmentsTable.lock(environment.id, on: connection)
            let heads = try RollUpHeadsTable.lockedHeads(app: app.appleID, environment.id, on: connection)
            guard !heads.contains(where: { $0.state == .building }) else { return }
            _ = try RollUpHeadsTable.add(
                .building, app: app.appleID, environment.id, at: clock.wallClockNow, on: connection)
        }
    }

    /// Computes an app's roll-ups anew, and returns the key of the new ones when they have replaced the old ones.
    @discardableResult
    package func rebuild(_ app: App) async throws -> RollUpKey {
        try await startRebuild(app.bundleID)
        while try await statuses().contains(where: { $0.bundleID == app.bundleID && $0.rebuilt != nil }) {
            try Task.checkCancellation()
            _ = try await work(on: app.appleID)
        }
        return try await bringUpToDate(app)
    }

    /// Does the next portion of work for an app: a batch of new entries, a batch of a rebuild, or the end of an old generation.
    ///
    /// - Returns: True if more is left that can be done at once.
    /// - Throws: ``LeaseLost`` if another node has taken over.
    package func work(on number: Int64, under lease: WorkLease? = nil) async throws -> Bool {
        let found = try await database.read { [environment, catalog] connection in
            try catalog.entry(number: number, on: connection).map { entry in
                (
                    app: entry.app, last: try JournalTable.lastPosition(app: number, environment.id, on: connection),
                    heads: try RollUpHeadsTable.heads(app: number, environment.id, on: connection)
                )
            }
        }
        guard let found else { return false }
        let current = found.heads.first { $0.state == .current }
        if (current?.position ?? 0) < found.last {
            let key = if let current { current.key } else { try await self.current(found.app).key }
            guard case .advanced(let end) = try await process(key, found.app, under: lease) else { return false }
            if end < found.last { return true }
        }
        if let building = found.heads.first(where: { $0.state == .building }) {
            return try await advanceRebuild(building, found.app, under: lease)
        }
        let now = clock.wallClockNow
        let isOver = { (head: RollUpHeadsTable.Head) in head.state == .retired && now - head.changed >= Self.retention }
        guard let retired = found.heads.first(where: isOver) else { return false }
        return try await eraseRetired(retired.key, under: lease)
    }

    /// Processes the next batch of a rebuild; makes it the current generation when it has all that the current one has.
    ///
    /// - Returns: True while it isn't.
    private func advanceRebuild(
        _ building: RollUpHeadsTable.Head, _ app: App, under lease: WorkLease?
    ) async throws -> Bool {
        let current = try await self.current(app)
        if building.position < current.position {
            let outcome = try await process(building.key, app, through: current.position, under: lease)
            guard outcome == .advanced(to: current.position) else { return outcome != .conflict }
        }
        return try await database.write { [environment, clock] connection in
            try lease?.check(on: connection)
            let heads = try RollUpHeadsTable.lockedHeads(app: app.appleID, environment.id, on: connection)
            guard let new = heads.first(where: { $0.key == building.key }), new.state == .building else { return false }
            for old in heads where old.state == .current {
                guard old.position == new.position else { return true }
                try RollUpHeadsTable.setState(.retired, of: old.key, at: clock.wallClockNow, on: connection)
            }
            try RollUpHeadsTable.setState(.current, of: new.key, at: clock.wallClockNow, on: connection)
            return false
        }
    }

    /// Deletes a portion of a replaced generation.
    ///
    /// - Returns: True if more is left.
    private func eraseRetired(_ key: RollUpKey, under lease: WorkLease?) async throws -> Bool {
        try await database.write { [rollUps] connection in
            try lease?.check(on: connection)
            let heads = try RollUpHeadsTable.lockedHeads(app: key.app, key.environment, on: connection)
            guard heads.contains(where: { $0.key == key && $0.state == .retired }) else { return false }
            for rollUp in rollUps {
                guard try rollUp.erase(key, atMost: Self.erasedRows, on: connection) else { return true }
            }
            try RollUpHeadsTable.remove(key, on: connection)
            return false
        }
    }
}

extension RollUps {
    /// The state of an app's roll-ups.
    package struct Status: Hashable, Sendable {
        package let bundleID: App.BundleID
        /// The number of the generation that reports read; 0 before the first batch.
        package let generation: Int64
        /// The last journal position in that generation.
        package let position: Int64
        /// The last position of the journal.
        package let journal: Int64
        /// The age of the oldest entry that isn't in the roll-ups, by the environment's clock; 0 if all are.
        package let lagMilliseconds: Int64
        /// The last journal position in a rebuild; `nil` if none is running.
        package let rebuilt: Int64?

        /// Reads the age of the oldest entry that waits.
        init(
            of bundleID: App.BundleID, _ work: RollUpHeadsTable.Work, at now: Instant, on connection: any Connection
        ) throws {
            let current = work.current
            self.bundleID = bundleID
            generation = current?.key.generation ?? 0
            position = current?.position ?? 0
            journal = work.journal
            rebuilt = work.building?.position
            guard position < journal else {
                lagMilliseconds = 0
                return
            }
            let waiting = try JournalTable.entriesWithoutPostings(
                after: position, limit: 1, app: work.app, work.environment, on: connection
            ).first
            lagMilliseconds = max(waiting.map { now - $0.entry.at } ?? 0, 0)
        }
    }
}
