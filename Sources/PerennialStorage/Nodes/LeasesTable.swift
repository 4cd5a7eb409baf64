import Perennial

/// Leases of nodes on work that one node does at a time.
///
/// A lease doesn't expire: it is its node's until the node releases it, or until other nodes take the node for dead and free
/// it. Each acquisition has a token of its own, so that late writes of a former holder are recognised.
package enum LeasesTable {
    /// A kind of work.
    package enum Work: String, Sendable, CaseIterable {
        /// Advancing an environment's manual clock.
        case clock
        /// Sending an app's notifications.
        case notifications
        /// Scheduled prices and renewals of an environment.
        case renewals
        /// Extensions of all subscribers in an environment.
        case extensions
        /// Telling an environment's subscribers of changed prices.
        case priceChanges
        /// Rolling up an app's journal.
        case rollUps
    }

    package struct Key: Hashable, Sendable {
        package var work: Work
        package var environment: StoreEnvironment.ID
        /// 0 for the work of all apps together.
        package var app: Int64

        package init(_ work: Work, _ environment: StoreEnvironment.ID, app: Int64 = 0) {
            self.work = work
            self.environment = environment
            self.app = app
        }

        fileprivate var values: [SQLValue] {
            [.text(work.rawValue), .integer(environment.rawValue), .integer(app)]
        }
    }

    package struct Lease: Hashable, Sendable {
        package var key: Key
        package var node: Int64
        package var token: Int64
    }

    /// Acquires a lease under a token that no other acquisition has.
    ///
    /// - Returns: False if it isn't free.
    package static func acquire(
        _ key: Key, node: Int64, token: Int64, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO leases (work, environment, app, node, token) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (work, environment, app) DO UPDATE SET node = excluded.node, token = excluded.token
            WHERE leases.node = 0
            """, key.values + [.integer(node), .integer(token)]) == 1
    }

    /// Locks a lease, which isn't freed until the transaction has ended.
    ///
    /// - Returns: False if it isn't the token's any more.
    package static func lock(_ key: Key, token: Int64, on connection: any Connection) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM leases WHERE work = $1 AND environment = $2 AND app = $3 AND token = $4 /*FOR UPDATE*/",
            key.values + [.integer(token)]
        ) { _ in true } ?? false
    }

    /// Frees a lease if it is still the token's.
    package static func release(_ key: Key, token: Int64, on connection: any Connection) throws {
        try connection.execute(
            """
            UPDATE leases SET node = 0, token = 0 WHERE work = $1 AND environment = $2 AND app = $3 AND token = $4
            """, key.values + [.integer(token)])
    }

    /// Frees a lease if it is still the token's, and no transaction holds it at the moment.
    ///
    /// - Returns: True if it was freed.
    package static func release(_ key: Key, ifUnlocked token: Int64, on connection: any Connection) throws -> Bool {
        let isFound = try connection.first(
            """
            SELECT 1 FROM leases WHERE work = $1 AND environment = $2 AND app = $3 AND token = $4
            /*FOR UPDATE SKIP LOCKED*/
            """, key.values + [.integer(token)]
        ) { _ in true }
        guard isFound == true else { return false }
        try release(key, token: token, on: connection)
        return true
    }

    /// Frees a lease, also one that another node holds.
    package static func revoke(_ key: Key, on connection: any Connection) throws {
        try connection.execute(
            "UPDATE leases SET node = 0, token = 0 WHERE work = $1 AND environment = $2 AND app = $3", key.values)
    }

    /// Frees the leases of a node, except those that a transaction of the node holds at the moment.
    package static func releaseAll(of node: Int64, on connection: any Connection) throws {
        let keys = try connection.query(
            "SELECT work, environment, app FROM leases WHERE node = $1 ORDER BY work, environment, app /*FOR UPDATE SKIP LOCKED*/",
            [.integer(node)]
        ) { Key(try $0.value(0), StoreEnvironment.ID(rawValue: try $0.integer(1)), app: try $0.integer(2)) }
        for key in keys {
            try connection.execute(
                """
                UPDATE leases SET node = 0, token = 0 WHERE work = $1 AND environment = $2 AND app = $3 AND node = $4
                """, key.values + [.integer(node)])
        }
    }

    /// Returns the leases that aren't free.
    package static func held(on connection: any Connection) throws -> [Lease] {
        try connection.query(
            "SELECT work, environment, app, node, token FROM leases WHERE node <> 0 ORDER BY work, environment, app"
        ) { row in
            Lease(
                key: Key(
                    try row.value(0), StoreEnvironment.ID(rawValue: try row.integer(1)), app: try row.integer(2)),
                node: try row.integer(3), token: try row.integer(4))
        }
    }

    /// Removes the leases on an environment's work, so that running work ends with its transaction.
    ///
    /// In a commit of its own: a worker locks its lease before the environment.
    package static func removeAll(of environment: StoreEnvironment.ID, on connection: any Connection) throws {
        try connection.execute("DELETE FROM leases WHERE environment = $1", [.integer(environment.rawValue)])
    }

    /// Removes all leases.
    package static func removeAll(on connection: any Connection) throws {
        try connection.execute("DELETE FROM leases")
    }
}
