import Foundation
import PerennialStorage
import TestSupport
import Testing

/// Nodes that start beside a long migration of another one.
struct MigrationLockTests {
    @Test func `a node waits for another's migration beyond the lock timeout`() async throws {
        let location = try Engine.postgres.makeLocation()
        var options = DatabaseOptions.forTests
        options.lockTimeoutMilliseconds = 50
        let database = try Database(location, options: options)
        // The key of the lock: "perennia" in ASCII.
        let holder = try await LockHolder(at: location) { connection in
            _ = try connection.query("SELECT pg_advisory_xact_lock($1)", [.integer(0x7065_7265_6e6e_6961)]) { _ in }
        }
        let first = Migration(number: 1, name: "apps", statements: ["CREATE TABLE apps (id BIGINT PRIMARY KEY)"])
        async let failure = onOwnThread { Result { try database.migrate([first]) } }
        // It still waits when the limit of its connection is over.
        let watcher = try Database(location, options: .forTests)
        let waited = try await Self.hasWaited(milliseconds: 200, watcher)
        try await holder.release()
        try await failure.get()
        #expect(waited)
        #expect(try await database.count("apps") == 0)
    }

    @Test func `a migration gives way to a table's readers, and names who holds it`() async throws {
        let location = try Engine.postgres.makeLocation()
        let first = Migration(number: 1, name: "apps", statements: ["CREATE TABLE apps (id BIGINT PRIMARY KEY)"])
        try Database(location, options: .forTests).migrate([first])
        let holder = try await LockHolder(at: location) { try $0.execute("INSERT INTO apps (id) VALUES (1)") }
        var options = DatabaseOptions.forTests
        options.lockTimeoutMilliseconds = 50
        let database = try Database(location, options: options)
        let second = Migration(number: 2, name: "names", statements: ["ALTER TABLE apps ADD COLUMN name TEXT"])
        let result = await onOwnThread {
            Result { try database.migrate([first, second], attempts: 2, pause: 1) }
        }
        #expect {
            try result.get()
        } throws: { error in
            (error as? StorageError)?.code == .busy && "\(error)".contains("pg_terminate_backend")
        }
        // It is repeated until the table is free.
        async let repeated = onOwnThread {
            Result { try database.migrate([first, second], attempts: 10_000, pause: 1) }
        }
        try await holder.release()
        try await repeated.get()
    }

    /// Returns true when a session has waited for the advisory lock for a time, false if none does any more.
    private static func hasWaited(milliseconds: Int64, _ database: Database) async throws -> Bool {
        var hasBegun = false
        for _ in 0..<100_000 {
            let longest = try await database.read { connection in
                try connection.first(
                    """
                    SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp() - query_start) * 1000 AS BIGINT)
                    FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'
                    """
                ) { try $0.integer(0) }
            }
            if let longest {
                hasBegun = true
                if longest >= milliseconds { return true }
            } else if hasBegun {
                return false
            }
            await Task.yield()
        }
        return false
    }
}
