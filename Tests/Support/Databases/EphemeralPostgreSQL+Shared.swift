import PerennialStorage
import Synchronization

extension EphemeralPostgreSQL {
    /// Returns the server shared by all tests of this process, which starts on first use without durability.
    ///
    /// - Throws: `Failure`, the same one each time, if no server can be started.
    package static func shared() throws -> EphemeralPostgreSQL {
        try server.get()
    }

    private static let server = Result {
        try EphemeralPostgreSQL(
            settings: [
                "fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=1500",
                "shared_buffers=64MB", "autovacuum=off", "wal_level=minimal", "max_wal_senders=0",
            ], prefersMemory: true)
    }

    private static let made = Mutex(0)

    /// Makes an empty database with a name of its own.
    ///
    /// - Returns: Its connection URL.
    package func makeDatabase() throws -> String { try makeDatabase(Self.nextName()) }

    /// Copies a database without connections.
    ///
    /// - Returns: Its connection URL.
    package func makeDatabase(copying url: String) throws -> String {
        try makeDatabase(Self.nextName(), copying: Self.name(of: url))
    }

    private static func nextName() -> String { "test\(made.withLock { $0 += 1; return $0 })" }

    private static func name(of url: String) -> String {
        url.split(separator: "/").last.map { String($0.prefix { $0 != "?" }) } ?? ""
    }

    /// Ends all connections to a database, as a server does that restarts, and waits until they are gone.
    package func disconnectAll(from url: String) throws {
        try run(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(Self.name(of: url))'")
    }
}
