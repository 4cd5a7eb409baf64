import PerennialStorage
import Synchronization

extension ThrowawayPostgreSQL {
    /// The server that all tests of this process share: started when it is first needed. Everything that makes data outlive the
    /// machine is off.
    ///
    /// - Throws: `Failure`, the same one each time, when no server can be started.
    package static func shared() throws -> ThrowawayPostgreSQL {
        try server.get()
    }

    private static let server = Result {
        try ThrowawayPostgreSQL(settings: [
            "fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=1500",
            "shared_buffers=64MB",
        ])
    }

    private static let made = Mutex(0)

    /// Makes an empty database with a name of its own.
    ///
    /// - Returns: Its connection URL.
    package func makeDatabase() throws -> String {
        try makeDatabase("test\(Self.made.withLock { $0 += 1; return $0 })")
    }

    /// Ends all connections to a database, as a server does that restarts, and waits until they are gone.
    package func disconnectAll(from url: String) throws {
        let name = url.split(separator: "/").last.map { $0.prefix { $0 != "?" } } ?? ""
        try run("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)'")
    }
}
