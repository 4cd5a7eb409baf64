import Perennial

/// The processes that serve the database, each with a heartbeat.
///
/// A heartbeat is a number that grows, not a time: other nodes see with their own clocks how long it stands still.
package enum NodesTable {
    package struct Node: Hashable, Sendable {
        /// Counts the starts of all nodes from 1.
        package var id: Int64
        package var host: String
        /// The process ID on the host.
        package var process: Int64
        /// The version of the program.
        package var version: String
        /// The number of migrations that the program knows.
        package var migrations: Int64
        /// The start by the node's clock.
        package var started: Instant
        /// True if the node takes part in background work.
        package var isWorker: Bool
        /// The node's clock minus the database server's, in milliseconds.
        package var clockDifference: Int64
        /// Grows while the node is alive.
        package var beat: Int64

        package init(
            id: Int64 = 0, host: String, process: Int64, version: String, migrations: Int64, started: Instant,
            isWorker: Bool = false, clockDifference: Int64 = 0, beat: Int64 = 1
        ) {
            self.id = id
            self.host = host
            self.process = process
            self.version = version
            self.migrations = migrations
            self.started = started
            self.isWorker = isWorker
            self.clockDifference = clockDifference
            self.beat = beat
        }
    }

    /// Inserts a node under a number that none had before.
    ///
    /// - Returns: The number.
    package static func register(_ node: Node, on connection: any Connection) throws -> Int64 {
        let id = try connection.first("UPDATE node_numbers SET last = last + 1 WHERE id = 1 RETURNING last") {
            try $0.integer(0)
        }
        guard let id else { throw StorageError(.corrupt, "node_numbers", "It has no row.") }
        try connection.execute(
            """
            INSERT INTO nodes (id, host, process, version, migrations, started, is_worker, clock_difference, beat)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .integer(id), .text(node.host), .integer(node.process), .text(node.version), .integer(node.migrations),
                .integer(node.started.milliseconds), SQLValue(node.isWorker), .integer(node.clockDifference),
                .integer(node.beat),
            ])
        return id
    }

    /// Lets no node register until the end of the transaction.
    static func lockRegistrations(on connection: any Connection) throws {
        _ = try connection.first("SELECT last FROM node_numbers WHERE id = 1 /*FOR UPDATE*/") { try $0.integer(0) }
    }

    /// Raises a node's heartbeat.
    ///
    /// - Parameter started: As it was registered: a node whose registration was lost with a failover must not beat for the one that
    ///   got its number since.
    /// - Returns: The heartbeat's number; `nil` if the node isn't registered any more, because another node has taken it for dead.
    package static func beat(
        _ id: Int64, started: Instant, isWorker: Bool, clockDifference: Int64, on connection: any Connection
    ) throws -> Int64? {
        try connection.first(
            """
            UPDATE nodes SET beat = beat + 1, is_worker = $1, clock_difference = $2 WHERE id = $3 AND started = $4
            RETURNING beat
            """,
            [SQLValue(isWorker), .integer(clockDifference), .integer(id), .integer(started.milliseconds)]
        ) { try $0.integer(0) }
    }

    /// Returns all nodes, in the order of their start.
    package static func all(on connection: any Connection) throws -> [Node] {
        try connection.query(
            """
            SELECT id, host, process, version, migrations, started, is_worker, clock_difference, beat FROM nodes
            ORDER BY id
            """
        ) { row in
            Node(
                id: try row.integer(0), host: try row.text(1), process: try row.integer(2), version: try row.text(3),
                migrations: try row.integer(4), started: try row.instant(5), isWorker: try row.bool(6),
                clockDifference: try row.integer(7), beat: try row.integer(8))
        }
    }

    /// Returns true if a node is registered.
    package static func contains(_ id: Int64, on connection: any Connection) throws -> Bool {
        try connection.first("SELECT 1 FROM nodes WHERE id = $1", [.integer(id)]) { _ in true } ?? false
    }

    /// Removes a node that has stopped.
    package static func remove(_ id: Int64, on connection: any Connection) throws {
        try connection.execute("DELETE FROM nodes WHERE id = $1", [.integer(id)])
    }

    /// Removes a silent node, unless its heartbeat has grown since it was read.
    ///
    /// - Returns: False if it has, or if another node was faster.
    package static func remove(_ id: Int64, ifBeatIs beat: Int64, on connection: any Connection) throws -> Bool {
        try connection.execute("DELETE FROM nodes WHERE id = $1 AND beat = $2", [.integer(id), .integer(beat)]) == 1
    }

    /// Removes all nodes.
    package static func removeAll(on connection: any Connection) throws {
        try connection.execute("DELETE FROM nodes")
    }

    /// Returns the time of the database server; `nil` on SQLite, which shares the machine's clock with its only node.
    package static func serverTime(on connection: any Connection) throws -> Instant? {
        guard connection.engine == .postgres else { return nil }
        return try connection.first("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)") {
            try $0.instant(0)
        }
    }
}
