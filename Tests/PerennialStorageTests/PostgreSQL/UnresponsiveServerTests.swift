import Dispatch
import Foundation
import PerennialStorage
import Synchronization
import TestSupport
import Testing

/// A server that keeps its connections and doesn't answer, like one whose machine hangs: the process that serves a connection is
/// suspended.
struct UnresponsiveServerTests {
    private static func open(_ change: (inout DatabaseOptions) -> Void = { _ in }) throws -> Database {
        var options = DatabaseOptions.forTests
        options.connections = 1
        options.readConnections = 1
        options.statementTimeoutMilliseconds = 200
        options.graceMilliseconds = 100
        change(&options)
        let database = try Database(Engine.postgres.makeLocation(), options: options)
        try database.migrate([
            Migration(
                number: 1, name: "jobs",
                statements: [
                    "CREATE TABLE jobs (id BIGINT PRIMARY KEY, done BIGINT NOT NULL)",
                    "INSERT INTO jobs (id, done) VALUES (1, 0)",
                ])
        ])
        return database
    }

    private static func server(of connection: any Connection) throws -> pid_t {
        let id = try connection.first("SELECT CAST(pg_backend_pid() AS BIGINT)") { try $0.integer(0) }
        return pid_t(try #require(id))
    }

    private static func done(_ database: Database) async throws -> Int64? {
        try await database.read { try $0.first("SELECT done FROM jobs") { try $0.integer(0) } }
    }

    private static func finish(_ connection: any Connection) throws {
        try connection.execute("UPDATE jobs SET done = done + 1")
    }

    @Test func `a statement without an answer fails in time and costs the connection`()
        async throws
    {
        let database = try Self.open()
        let server = try await database.write { try Self.server(of: $0) }
        kill(server, SIGSTOP)
        defer { kill(server, SIGCONT) }
        await #expect(throws: StorageError(.unresponsive, "", "")) { try await database.write { try Self.finish($0) } }
        try await database.write { try Self.finish($0) }
        #expect(try await Self.done(database) == 1)
    }

    @Test func `a commit without an answer is reported as unknown`() async throws {
        let database = try Self.open()
        let stopped = Mutex<pid_t?>(nil)
        defer { if let server = stopped.withLock({ $0 }) { kill(server, SIGCONT) } }
        await #expect(throws: StorageError(.commitUnknown, "", "")) {
            try await database.write { connection in
                let server = try Self.server(of: connection)
                try Self.finish(connection)
                stopped.withLock { $0 = server }
                kill(server, SIGSTOP)
            }
        }
    }

    @Test func `a database whose server doesn't answer can be closed`() async throws {
        let database = try Self.open()
        let server = try await database.write { try Self.server(of: $0) }
        kill(server, SIGSTOP)
        defer { kill(server, SIGCONT) }
        let written = Task { try await database.write { try Self.finish($0) } }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                database.close()
                continuation.resume()
            }
        }
        await #expect(throws: StorageError.self) { try await written.value }
    }

    @Test func `a statement cancelled by the server keeps the connection`() async throws {
        let database = try Self.open()
        let server = try await database.read { try Self.server(of: $0) }
        await #expect(throws: StorageError(.busy, "", "")) {
            try await database.read { try $0.first("SELECT 1 FROM pg_sleep(30)") { try $0.integer(0) } }
        }
        #expect(try await database.read { try Self.server(of: $0) } == server)
    }

    @Test func `a long statement timeout allows long statements`() async throws {
        let database = try Self.open()
        let done = try await database.write(timeout: .long) {
            try $0.first("SELECT CAST(1 AS BIGINT) FROM pg_sleep(0.5)") { try $0.integer(0) }
        }
        #expect(done == 1)
        #expect(try await Self.done(database) == 0)
    }

    @Test func `a task that waits too long for a connection is refused`() async throws {
        // Long enough for the first task on a busy machine, which opens the connection.
        let limit = 2_000
        let database = try Self.open { $0.statementTimeoutMilliseconds = limit }
        #expect(try await Self.done(database) == 0)
        let begun = AsyncStream<Void>.makeStream()
        let go = DispatchSemaphore(value: 0)
        let first = Task {
            defer { begun.continuation.finish() }
            try await database.read { _ in
                begun.continuation.yield()
                go.wait()
            }
        }
        for await _ in begun.stream { break }
        let started = AsyncStream<Void>.makeStream()
        let second = Task {
            started.continuation.yield()
            return try await Self.done(database)
        }
        for await _ in started.stream { break }
        // It is older than it may be by the time the only connection is free.
        Thread.detachNewThread {
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(limit + 200))
            go.signal()
        }
        try await first.value
        await #expect(throws: StorageError(.unresponsive, "", "")) { try await second.value }
        #expect(try await Self.done(database) == 0)
    }

    @Test func `a node that sleeps in a transaction loses its locks after a while`() async throws {
        let database = try Self.open {
            $0.connections = 2
            $0.statementTimeoutMilliseconds = 10_000
            $0.idleTransactionMilliseconds = 200
        }
        let runs = Mutex(0)
        let begun = AsyncStream<Void>.makeStream()
        let go = DispatchSemaphore(value: 0)
        async let sleeping: Void = database.write { connection in
            try Self.finish(connection)
            let run = runs.withLock {
                $0 += 1
                return $0
            }
            guard run == 1 else { return }
            begun.continuation.yield()
            go.wait()
            try Self.finish(connection)
        }
        for await _ in begun.stream { break }
        try await database.write { try Self.finish($0) }
        go.signal()
        try await sleeping
        #expect(runs.withLock { $0 } == 2)
        #expect(try await Self.done(database) == 2)
    }
}
