import Perennial

/// The environments, each with its clock and the counter its numbers come from.
package enum EnvironmentsTable {
    /// - Parameters:
    ///   - secret: What the environment's opaque values are sealed with.
    ///   - seed: What its tokens follow from; `nil` where chance makes them.
    package static func insert(
        _ environment: StoreEnvironment, now: Instant?, firstID: Int64, secret: [UInt8], seed: Int64? = nil,
        on connection: any Connection
    ) throws {
        try connection.execute(
            """
            INSERT INTO environments (id, name, kind, clock, clock_now, next_id, secret, seed)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (id) DO NOTHING
            """,
            [
                .integer(environment.id.rawValue), .text(environment.name), .text(environment.kind.rawValue),
                .text(environment.clock.rawValue), SQLValue(now?.milliseconds), .integer(firstID),
                .blob(secret), SQLValue(seed),
            ])
    }

    package static func all(on connection: any Connection) throws -> [StoreEnvironment] {
        try connection.query("SELECT id, name, kind, clock FROM environments ORDER BY id", [], environment)
    }

    package static func named(_ name: String, on connection: any Connection) throws -> StoreEnvironment? {
        try connection.first(
            "SELECT id, name, kind, clock FROM environments WHERE name = $1", [.text(name)], environment)
    }

    /// Locks an environment until the commit, for changes that two nodes must not make at once.
    package static func lock(_ id: StoreEnvironment.ID, on connection: any Connection) throws {
        _ = try connection.first(
            "SELECT id FROM environments WHERE id = $1 /*FOR UPDATE*/", [.integer(id.rawValue)]
        ) { try $0.integer(0) }
    }

    package static func secret(of id: StoreEnvironment.ID, on connection: any Connection) throws -> [UInt8]? {
        try connection.first("SELECT secret FROM environments WHERE id = $1", [.integer(id.rawValue)]) {
            try $0.blob(0)
        }
    }

    /// The seed that an environment was made with; `nil` without one.
    package static func seed(of id: StoreEnvironment.ID, on connection: any Connection) throws -> Int64? {
        try connection.first("SELECT seed FROM environments WHERE id = $1", [.integer(id.rawValue)]) {
            try $0.optionalInteger(0)
        } ?? nil
    }

    /// The next number for an environment.
    package static func nextID(on connection: any Connection) throws -> Int64 {
        try connection.first(
            """
            SELECT COALESCE(MAX(id), 2) + 1
            FROM (SELECT id FROM environments UNION ALL SELECT id FROM removed_environments) AS made
            """
        ) { try $0.integer(0) } ?? 3
    }

    /// Takes an environment out of the list; its number stays taken.
    package static func remove(_ id: StoreEnvironment.ID, on connection: any Connection) throws {
        try connection.execute("INSERT INTO removed_environments (id) VALUES ($1)", [.integer(id.rawValue)])
        try connection.execute("DELETE FROM environments WHERE id = $1", [.integer(id.rawValue)])
    }

    /// Where a manual clock stands; `nil` where the environment runs on real time.
    package static func manualNow(_ id: StoreEnvironment.ID, on connection: any Connection) throws -> Instant? {
        try connection.first("SELECT clock_now FROM environments WHERE id = $1", [.integer(id.rawValue)]) {
            try $0.optionalInteger(0).map(Instant.init(milliseconds:))
        } ?? nil
    }

    /// Moves a manual clock on. One that has got further stays: several nodes may be moving it.
    package static func moveManualClock(
        to now: Instant, _ id: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
            "UPDATE environments SET clock_now = $1 WHERE id = $2 AND (clock_now IS NULL OR clock_now < $1)",
            [.integer(now.milliseconds), .integer(id.rawValue)])
    }

    /// Takes the next turn to move a manual clock, unless somebody has it.
    ///
    /// - Returns: The number of the turn; `nil` where it is another's.
    package static func takeClock(
        until: Instant, at now: Instant, _ id: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Int64? {
        try connection.first(
            """
            UPDATE environments SET clock_turn = clock_turn + 1, clock_held_until = $1
            WHERE id = $2 AND (clock_held_until IS NULL OR clock_held_until <= $3) RETURNING clock_turn
            """, [.integer(until.milliseconds), .integer(id.rawValue), .integer(now.milliseconds)]
        ) { try $0.integer(0) }
    }

    /// Makes a turn longer; nobody takes the next one before the transaction has ended.
    ///
    /// - Returns: False where the turn is over.
    package static func holdClock(
        _ turn: Int64, until: Instant, _ id: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            UPDATE environments SET clock_held_until = $1
            WHERE id = $2 AND clock_turn = $3 AND clock_held_until IS NOT NULL
            """, [.integer(until.milliseconds), .integer(id.rawValue), .integer(turn)]) == 1
    }

    /// Moves a manual clock on, where it isn't further already, and makes the turn of whoever moves it longer.
    ///
    /// - Returns: False where the turn is over, and nothing was changed.
    package static func moveClock(
        to now: Instant, turn: Int64, until: Instant, _ id: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            UPDATE environments SET clock_held_until = $1,
            clock_now = CASE WHEN clock_now IS NULL OR clock_now < $2 THEN $2 ELSE clock_now END
            WHERE id = $3 AND clock_turn = $4 AND clock_held_until IS NOT NULL
            """,
            [
                .integer(until.milliseconds), .integer(now.milliseconds), .integer(id.rawValue), .integer(turn),
            ]) == 1
    }

    /// Ends a turn, if it hasn't ended.
    package static func releaseClock(
        _ turn: Int64, _ id: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
            "UPDATE environments SET clock_held_until = NULL WHERE id = $1 AND clock_turn = $2",
            [.integer(id.rawValue), .integer(turn)])
    }

    /// Ends a turn that was taken until this instant and has not been made longer since.
    package static func releaseClock(
        heldUntil until: Instant, _ id: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
            "UPDATE environments SET clock_held_until = NULL WHERE id = $1 AND clock_held_until = $2",
            [.integer(id.rawValue), .integer(until.milliseconds)])
    }

    /// Ends the turn of whoever moves an environment's clock.
    package static func endClockClaim(_ id: StoreEnvironment.ID, on connection: any Connection) throws {
        try connection.execute(
            "UPDATE environments SET clock_turn = clock_turn + 1, clock_held_until = NULL WHERE id = $1",
            [.integer(id.rawValue)])
    }

    /// Ends all turns to move clocks.
    package static func releaseClocks(on connection: any Connection) throws {
        try connection.execute(
            """
            UPDATE environments SET clock_turn = clock_turn + 1, clock_held_until = NULL
            WHERE clock_held_until IS NOT NULL
            """)
    }

    /// Takes `count` numbers that nobody else gets, and returns the first.
    package static func takeIDs(_ count: Int64, _ id: StoreEnvironment.ID, on connection: any Connection) throws
        -> Int64
    {
        let next = try connection.first(
            "UPDATE environments SET next_id = next_id + $1 WHERE id = $2 RETURNING next_id",
            [.integer(count), .integer(id.rawValue)]
        ) { try $0.integer(0) }
        guard let next else { throw StorageError(.corrupt, "environments", "there is no environment \(id.rawValue)") }
        return next - count
    }

    private static func environment(_ row: any Row) throws -> StoreEnvironment {
        StoreEnvironment(
            id: StoreEnvironment.ID(rawValue: try row.integer(0)), name: try row.text(1),
            kind: try row.value(2), clock: try row.value(3))
    }
}

extension Row {
    /// A column that holds the raw value of an enumeration of ours.
    package func value<Value: RawRepresentable<String>>(_ column: Int) throws -> Value {
        let text = try text(column)
        guard let value = Value(rawValue: text) else {
            throw StorageError(.corrupt, "\(Value.self)", "the column holds “\(text)”, which is none of its values")
        }
        return value
    }

    package func instant(_ column: Int) throws -> Instant {
        Instant(milliseconds: try integer(column))
    }

    package func optionalInstant(_ column: Int) throws -> Instant? {
        try optionalInteger(column).map(Instant.init(milliseconds:))
    }
}
