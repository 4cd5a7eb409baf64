import PerennialStorage
import TestSupport
import Testing

/// A commit that waits for a synchronous standby, and is cancelled by an operator, may be lost by a failover.
struct CancelledCommitTests {
    private static let jobs = Migration(
        number: 1, name: "jobs", statements: ["CREATE TABLE jobs (id BIGINT PRIMARY KEY)"])

    /// Cancels commits that wait for a standby until one was.
    private static func cancelWaiting(on operating: Database) async throws {
        while true {
            let count = try await operating.read { connection in
                try connection.query(
                    """
                    SELECT CAST(pg_cancel_backend(pid) AS TEXT) FROM pg_stat_activity
                    WHERE wait_event = 'SyncRep' AND datname = current_database()
                    """
                ) { try $0.text(0) }.count
            }
            if count > 0 { return }
            await Task.yield()
        }
    }

    @Test(.timeLimit(.minutes(5))) func `it is reported as unknown`() async throws {
        let server = try EphemeralPostgreSQL(
            settings: ["fsync=off", "wal_level=replica", "max_wal_senders=2", "max_connections=40"],
            prefersMemory: true)
        defer { server.stop() }
        let location = try DatabaseLocation(url: server.makeDatabase("cancelled"))
        let database = try Database(location, options: .forTests)
        let operating = try Database(location, options: .forTests)
        try database.migrate([Self.jobs])
        try server.run("ALTER SYSTEM SET synchronous_standby_names = 'nowhere'")
        try server.run("SELECT pg_reload_conf()")
        let cancelling = Task { try await Self.cancelWaiting(on: operating) }
        // The server reads its settings a moment later: until then commits wait for nothing.
        var id: Int64 = 0
        await #expect(throws: StorageError(.commitUnknown, "", "")) {
            while true {
                id += 1
                try await database.write { [id] in
                    try $0.execute("INSERT INTO jobs (id) VALUES ($1)", [.integer(id)])
                }
            }
        }
        try await cancelling.value
        // The primary has it.
        #expect(try await operating.count("jobs") == id)
        try server.run("ALTER SYSTEM RESET synchronous_standby_names")
        try server.run("SELECT pg_reload_conf()")
    }
}
