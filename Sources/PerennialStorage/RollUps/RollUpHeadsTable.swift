import Perennial

/// The generations of each app's roll-ups, with the journal position up to which entries are in them.
package enum RollUpHeadsTable {
    package enum State: String, Sendable, CaseIterable {
        /// A rebuild: not read yet.
        case building
        /// The generation that reports read.
        case current
        /// Replaced by a rebuild. Its rows are kept for readers that have begun, and then deleted.
        case retired
    }

    package struct Head: Hashable, Sendable {
        package var key: RollUpKey
        package var position: Int64
        package var state: State
        /// The wall clock's time when the state was set.
        package var changed: Instant
    }

    /// An app's journal with its generations, for a worker that looks for work.
    package struct Work: Hashable, Sendable {
        package var environment: StoreEnvironment.ID
        package var app: Int64
        /// The last position of the journal.
        package var journal: Int64
        /// Oldest first; empty before the first batch.
        package var heads: [Head]

        /// The generation that reports read.
        package var current: Head? { heads.first { $0.state == .current } }
        package var building: Head? { heads.first { $0.state == .building } }

        package init(environment: StoreEnvironment.ID, app: Int64, journal: Int64, heads: [Head]) {
            self.environment = environment
            self.app = app
            self.journal = journal
            self.heads = heads
        }

        /// True if a worker has something to do.
        package var isPending: Bool {
            heads.contains { $0.state != .current } || (current?.position ?? 0) < journal
        }
    }

    /// Returns an app's generations, oldest first.
    package static func heads(
        app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Head] {
        try connection.query(
            """
            SELECT environment, app, generation, position, state, changed FROM roll_up_heads
            WHERE environment = $1 AND app = $2 ORDER BY generation
            """, [.integer(environment.rawValue), .integer(app)], head)
    }

    /// Locks an app's generations and returns them, oldest first.
    package static func lockedHeads(
        app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Head] {
        try connection.query(
            """
            SELECT environment, app, generation, position, state, changed FROM roll_up_heads
            WHERE environment = $1 AND app = $2 ORDER BY generation /*FOR UPDATE*/
            """, [.integer(environment.rawValue), .integer(app)], head)
    }

    package static func head(_ key: RollUpKey, on connection: any Connection) throws -> Head? {
        try connection.first(
            """
            SELECT environment, app, generation, position, state, changed FROM roll_up_heads
            WHERE environment = $1 AND app = $2 AND generation = $3
            """, key.values, head)
    }

    /// Returns the journals of all environments with their generations.
    package static func work(on connection: any Connection) throws -> [Work] {
        var found: [Work] = []
        try connection.forEachRow(
            """
            SELECT j.environment, j.app, j.position, h.generation, h.position, h.state, h.changed FROM journal_heads AS j
            LEFT JOIN roll_up_heads AS h ON h.environment = j.environment AND h.app = j.app
            ORDER BY j.environment, j.app, h.generation
            """, []
        ) { row in
            let (environment, app) = (StoreEnvironment.ID(rawValue: try row.integer(0)), try row.integer(1))
            if found.last?.environment != environment || found.last?.app != app {
                found.append(Work(environment: environment, app: app, journal: try row.integer(2), heads: []))
            }
            guard let generation = try row.optionalInteger(3) else { return }
            found[found.count - 1].heads.append(
                Head(
                    key: RollUpKey(environment: environment, app: app, generation: generation),
                    position: try row.integer(4), state: try row.value(5), changed: try row.instant(6)))
        }
        return found
    }

    /// Adds a generation at position 0, with a number that none had before.
    ///
    /// Call it behind the environment's lock (``EnvironmentsTable/lock(_:on:)``), so that no environment is emptied meanwhile.
    package static func add(
        _ state: State, app: Int64, _ environment: StoreEnvironment.ID, at now: Instant, on connection: any Connection
    ) throws -> Head {
        let place: [SQLValue] = [.integer(environment.rawValue), .integer(app)]
        try connection.send(
            """
            INSERT INTO roll_up_generations (environment, app, latest) VALUES ($1, $2, 1)
            ON CONFLICT (environment, app) DO UPDATE SET latest = roll_up_generations.latest + 1
            """, place)
        let number = try connection.first(
            "SELECT latest FROM roll_up_generations WHERE environment = $1 AND app = $2", place
        ) { try $0.integer(0) }
        let key = RollUpKey(environment: environment, app: app, generation: number ?? 1)
        try connection.send(
            """
            INSERT INTO roll_up_heads (environment, app, generation, position, state, changed)
            VALUES ($1, $2, $3, 0, $4, $5)
            """, key.values + [.text(state.rawValue), .integer(now.milliseconds)])
        return Head(key: key, position: 0, state: state, changed: now)
    }

    /// Moves a generation's position on, if it is still where the caller read it.
    ///
    /// The row stays locked until the commit, so the other changes of the transaction count once, on any number of nodes.
    /// - Returns: False if another node was faster, or the generation is gone.
    package static func advance(
        _ key: RollUpKey, from position: Int64, to last: Int64, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            UPDATE roll_up_heads SET position = $1
            WHERE environment = $2 AND app = $3 AND generation = $4 AND position = $5 AND state <> 'retired'
            """, [.integer(last)] + key.values + [.integer(position)]) == 1
    }

    package static func setState(
        _ state: State, of key: RollUpKey, at now: Instant, on connection: any Connection
    ) throws {
        try connection.send(
            """
            UPDATE roll_up_heads SET state = $1, changed = $2 WHERE environment = $3 AND app = $4 AND generation = $5
            """, [.text(state.rawValue), .integer(now.milliseconds)] + key.values)
    }

    package static func remove(_ key: RollUpKey, on connection: any Connection) throws {
        try connection.send(
            "DELETE FROM roll_up_heads WHERE environment = $1 AND app = $2 AND generation = $3", key.values)
    }

    /// Locks the generations of an environment and returns the position of each app's current one.
    ///
    /// A closing of a fiscal month records these positions in the same transaction. Workers wait for its commit, and then see
    /// the closing: every later entry is counted after it.
    package static func lockCurrent(
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Int64: Int64] {
        let found = try connection.query(
            """
            SELECT app, position, state FROM roll_up_heads WHERE environment = $1
            ORDER BY app, generation /*FOR UPDATE*/
            """, [.integer(environment.rawValue)]
        ) { (app: try $0.integer(0), position: try $0.integer(1), state: try $0.text(2)) }
        return Dictionary(
            found.filter { $0.state == State.current.rawValue }.map { ($0.app, $0.position) }
        ) { first, _ in first }
    }

    private static func head(_ row: any Row) throws -> Head {
        Head(
            key: RollUpKey(
                environment: StoreEnvironment.ID(rawValue: try row.integer(0)), app: try row.integer(1),
                generation: try row.integer(2)), position: try row.integer(3), state: try row.value(4),
            changed: try row.instant(5))
    }
}
