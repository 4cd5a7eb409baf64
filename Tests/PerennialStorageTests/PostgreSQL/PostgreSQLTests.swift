import Dispatch
import PerennialStorage
import Synchronization
import TestSupport
import Testing

struct PostgreSQLTests {
    private static let schema = [
        Migration(
            number: 1, name: "jobs",
            statements: [
                "CREATE TABLE jobs (id BIGINT PRIMARY KEY, done BIGINT NOT NULL)",
                "INSERT INTO jobs (id, done) VALUES (1, 0), (2, 0)",
            ])
    ]

    private let url: String
    private let server: EphemeralPostgreSQL

    init() throws {
        server = try EphemeralPostgreSQL.shared()
        url = try server.makeDatabase()
    }

    private func open(_ options: DatabaseOptions = .forTests) throws -> Database {
        let database = try Database(DatabaseLocation(url: url), options: options)
        try database.migrate(Self.schema)
        return database
    }

    @Test func `a connection lost before the commit is replaced, and the body repeated`() async throws {
        let database = try open()
        let runs = Mutex(0)
        try await database.write { [server, url] connection in
            try connection.execute("UPDATE jobs SET done = done + 1 WHERE id = 1")
            if runs.withLock({
                $0 += 1; return $0
            }) == 1 {
                try server.disconnectAll(from: url)
            }
            try connection.execute("UPDATE jobs SET done = done + 1 WHERE id = 2")
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(try await done(database) == [1, 1])
    }

    @Test func `connections lost while idle are replaced`() async throws {
        let database = try open()
        try server.disconnectAll(from: url)
        for _ in 0..<8 { #expect(try await done(database) == [0, 0]) }
    }

    @Test func `a commit whose answer is lost is unknown and not repeated`() async throws {
        let runs = Mutex(0)
        let armed = Mutex(false)
        var options = DatabaseOptions.forTests
        options.faults = { [server, url] point in
            if point == .beforeCommit, armed.withLock({ $0 }) { try server.disconnectAll(from: url) }
        }
        let database = try open(options)
        armed.withLock { $0 = true }
        await #expect(throws: StorageError(.commitUnknown, "", "")) {
            try await database.write { connection in
                runs.withLock { $0 += 1 }
                try connection.execute("UPDATE jobs SET done = 1")
            }
        }
        #expect(runs.withLock { $0 } == 1)
        #expect(try await done(database) == [0, 0])
    }

    @Test func `a server that stays unreachable is an error after some attempts`() async throws {
        var options = DatabaseOptions.forTests
        options.attemptsMax = 3
        let database = try open(options)
        let runs = Mutex(0)
        await #expect(throws: StorageError(.connectionLost, "", "")) {
            try await database.write { [server, url] connection in
                runs.withLock { $0 += 1 }
                try server.disconnectAll(from: url)
                try connection.execute("UPDATE jobs SET done = 1")
            }
        }
        #expect(runs.withLock { $0 } == 3)
    }

    @Test func `deadlocked transactions both succeed after a repeat`() async throws {
        let database = try open()
        let meeting = Meeting()
        let increment: SQL = "UPDATE jobs SET done = done + 1 WHERE id = $1"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (first, second) in [(1, 2), (2, 1)] as [(SQLValue, SQLValue)] {
                group.addTask {
                    try await database.write { connection in
                        try connection.execute(increment, [first])
                        meeting.attend()
                        try connection.execute(increment, [second])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(meeting.attendances >= 3)
        #expect(try await done(database) == [2, 2])
    }

    @Test func `workers with SKIP LOCKED take different rows`() async throws {
        let database = try open()
        let (hasTaken, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let take: SQL = "SELECT id FROM jobs WHERE done = 0 ORDER BY id LIMIT 1 /*FOR UPDATE SKIP LOCKED*/"
        async let one = database.write { connection in
            let id = try connection.first(take) { try $0.integer(0) }
            hasTaken.signal()
            mayEnd.wait()
            return id
        }
        let other = try await database.write { connection in
            hasTaken.wait()
            return try connection.first(take) { try $0.integer(0) }
        }
        mayEnd.signal()
        #expect(try await [one, other] == [1, 2])
    }

    @Test func `a row locked for too long is busy`() async throws {
        var options = DatabaseOptions.forTests
        options.lockTimeoutMilliseconds = 50
        let database = try open(options)
        let (hasLocked, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let holder = database.write { connection in
            defer { hasLocked.signal() }
            try connection.execute("UPDATE jobs SET done = 1")
            hasLocked.signal()
            mayEnd.wait()
        }
        await #expect(throws: StorageError(.busy, "", "")) {
            try await database.write { connection in
                hasLocked.wait()
                // A write of a group that failed runs again, alone.
                hasLocked.signal()
                try connection.execute("UPDATE jobs SET done = 2")
            }
        }
        mayEnd.signal()
        try await holder
    }

    @Test func `errors don't contain values of rows`() async throws {
        let database = try open()
        let error = await #expect(throws: StorageError(.constraint, "", "")) {
            try await database.write { try $0.execute("INSERT INTO jobs (id, done) VALUES ($1, 4711)", [1]) }
        }
        #expect(error?.subject == "jobs_pkey")
        #expect(error.map { "\($0)".contains("4711") || "\($0)".contains("(1)") } == false)
    }

    private func done(_ database: Database) async throws -> [Int64] {
        try await database.read { try $0.query("SELECT done FROM jobs ORDER BY id") { try $0.integer(0) } }
    }
}

/// Blocks the first of two callers until the second arrives. Later ones aren't blocked.
private final class Meeting: Sendable {
    private let count = Mutex(0)
    private let isComplete = DispatchSemaphore(value: 0)

    var attendances: Int { count.withLock { $0 } }

    func attend() {
        switch count.withLock({
            $0 += 1; return $0
        }) {
        case 1: isComplete.wait()
        case 2: isComplete.signal()
        default: break
        }
    }
}
