import Perennial

/// The environments, each with its clock and its counter of IDs.
package enum EnvironmentsTable {
    /// Inserts an environment, unless one with the ID exists.
    /// - Parameters:
    ///   - secret: The key for the environment's opaque values.
    ///   - seed: The seed of its tokens; `nil` for random ones.
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

    /// Returns the environments in which an app has subscriptions, Production first.
    package static func withSubscriptions(of app: Int64, on connection: any Connection) throws -> [StoreEnvironment] {
        try connection.query(
            """
            SELECT id, name, kind, clock FROM environments
            WHERE EXISTS (SELECT 1 FROM subscriptions WHERE environment = environments.id AND app = $1) ORDER BY id
            """, [.integer(app)], environment)
    }

    /// Returns the environments that were created after one, in the order of their creation.
    package static func page(after id: Int64, limit: Int, on connection: any Connection) throws -> [StoreEnvironment] {
        try connection.query(
            "SELECT id, name, kind, clock FROM environments WHERE id > $1 ORDER BY id LIMIT $2",
            [.integer(id), .integer(Int64(limit))], environment)
    }

    package static func named(_ name: String, on connection: any Connection) throws -> StoreEnvironment? {
        try connection.first(
            "SELECT id, name, kind, clock FROM environments WHERE name = $1", [.text(name)], environment)
    }

    /// Locks an environment until the commit, for changes that two nodes must not make concurrently.
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

    /// Returns the seed of an environment; `nil` if it has none.
    package static func seed(of id: StoreEnvironment.ID, on connection: any Connection) throws -> Int64? {
        try connection.first("SELECT seed FROM environments WHERE id = $1", [.integer(id.rawValue)]) {
            try $0.optionalInteger(0)
        } ?? nil
    }

    /// Returns the ID for the next environment.
    package static func nextID(on connection: any Connection) throws -> Int64 {
        try connection.first(
            """
            SELECT COALESCE(MAX(id), 2) + 1
            FROM (SELECT id FROM environments UNION ALL SELECT id FROM removed_environments) AS made
            """
        ) { try $0.integer(0) } ?? 3
    }

    /// Removes an environment. Its ID isn't used again.
    package static func remove(_ id: StoreEnvironment.ID, on connection: any Connection) throws {
        try connection.execute("INSERT INTO removed_environments (id) VALUES ($1)", [.integer(id.rawValue)])
        try connection.execute("DELETE FROM environments WHERE id = $1", [.integer(id.rawValue)])
    }

    /// Returns the time of a manual clock; `nil` if the environment runs on real time.
    package static func manualNow(_ id: StoreEnvironment.ID, on connection: any Connection) throws -> Instant? {
        try connection.first("SELECT clock_now FROM environments WHERE id = $1", [.integer(id.rawValue)]) {
            try $0.optionalInteger(0).map(Instant.init(milliseconds:))
        } ?? nil
    }

    /// Returns the earliest time of all manual clocks; `nil` if there are none.
    package static func earliestManualNow(on connection: any Connection) throws -> Instant? {
        try connection.first("SELECT MIN(clock_now) FROM environments WHERE clock_now IS NOT NULL") {
            try $0.optionalInteger(0).map(Instant.init(milliseconds:))
        } ?? nil
    }

    /// Advances a manual clock, unless it is ahead already: several nodes may advance it.
    package static func moveManualClock(
        to now: Instant, _ id: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
            "UPDATE environments SET clock_now = $1 WHERE id = $2 AND (clock_now IS NULL OR clock_now < $1)",
            [.integer(now.milliseconds), .integer(id.rawValue)])
    }

    /// Allocates `count` consecutive IDs and returns the first.
    ///
    /// - Parameter least: The first ID isn't lower: IDs of before are in use, although the database may have lost that.
    package static func takeIDs(
        _ count: Int64, _ id: StoreEnvironment.ID, from least: Int64 = 0, on connection: any Connection
    ) throws -> Int64 {
        let next = try connection.first(
            """
            UPDATE environments SET next_id = CASE WHEN next_id < $1 THEN $1 ELSE next_id END + $2 WHERE id = $3
            RETURNING next_id
            """,
            [.integer(least), .integer(count), .integer(id.rawValue)]
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
