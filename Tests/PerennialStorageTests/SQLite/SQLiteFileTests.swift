import Dispatch
import Foundation
import PerennialStorage
import TestSupport
import Testing

struct SQLiteFileTests {
    @Test func `a file that is no database is reported as corrupt`() throws {
        let path = "\(try TemporaryFolder.make())/store.db"
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
        #expect(throws: StorageError(.corrupt, "", "")) { try Database(.sqlite(path: path)) }
    }

    @Test(arguments: [false, true])
    func `a database and its log are readable by their owner only`(exists: Bool) async throws {
        let path = "\(try TemporaryFolder.make())/store.db"
        let files = FileManager.default
        if exists {
            let earlier = try Database(.sqlite(path: path), options: .forTests)
            try await earlier.write { try $0.execute("CREATE TABLE earlier (i BIGINT)") }
            earlier.close()
            try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        }
        let database = try Database(.sqlite(path: path), options: .forTests)
        try await database.write { try $0.execute("CREATE TABLE t (i BIGINT)") }
        for file in [path, "\(path)-wal", "\(path)-shm"] {
            #expect(try files.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600, "\(file)")
        }
        database.close()
    }

    @Test(.enabled(if: geteuid() != 0, "root may write every file"))
    func `a read-only file is refused with the cure`() throws {
        let path = "\(try TemporaryFolder.make())/store.db"
        try Database(.sqlite(path: path), options: .forTests).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        let error = #expect(throws: StorageError(.cannotOpen, "", "")) { try Database(.sqlite(path: path)) }
        #expect(error?.reason.contains("let this process write the file") == true)
    }

    @Test func `a file that is locked for too long is busy`() async throws {
        let location = try Engine.sqlite.makeLocation()
        var options = DatabaseOptions.forTests
        options.lockTimeoutMilliseconds = 50
        let (one, other) = (try Database(location, options: options), try Database(location, options: options))
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let holder: Void = one.write { _ in
            hasBegun.signal()
            mayEnd.wait()
        }
        await onOwnThread { hasBegun.wait() }
        await #expect(throws: StorageError(.busy, "", "")) { try await other.write { _ in } }
        mayEnd.signal()
        try await holder
        try await other.write { try $0.execute("CREATE TABLE t (i BIGINT)") }
    }
}

/// Checkpoints of the write-ahead log.
struct SQLiteCheckpointsTests {
    @Test func `the log is reset during continuous writes without loss`() async throws {
        let location = try Engine.sqlite.makeLocation()
        guard case .sqlite(let path) = location else { return }
        var options = DatabaseOptions.forTests
        options.checkpointThreshold = 50
        let database = try Database(location, options: options)
        try await database.write { try $0.execute("CREATE TABLE t (i BIGINT PRIMARY KEY, b BYTEA NOT NULL)") }
        // Each round changes all the pages, and the log would take 40 MiB for all rounds.
        let (rounds, rows) = (500, 20)
        for round in 0..<rounds {
            try await database.write { connection in
                for row in 0..<rows {
                    try connection.execute(
                        "INSERT INTO t (i, b) VALUES ($1, $2) ON CONFLICT (i) DO UPDATE SET b = excluded.b",
                        [.integer(Int64(row)), .blob([UInt8](repeating: UInt8(round % 256), count: 3800))])
                }
            }
        }
        let log = try FileManager.default.attributesOfItem(atPath: "\(path)-wal")[.size] as? Int ?? 0
        #expect(log < 20 << 20, "\(log >> 10) KiB")
        let found = try await database.read { connection in
            try connection.query("SELECT i, b FROM t ORDER BY i") { (try $0.integer(0), try $0.blob(1).first) }
        }
        #expect(found.map(\.0) == (0..<Int64(rows)).map { $0 })
        #expect(found.allSatisfy { $0.1 == UInt8((rounds - 1) % 256) })
        database.close()
        let reopened = try Database(location, options: options)
        #expect(try await reopened.read { try $0.query("SELECT COUNT(*) FROM t") { try $0.integer(0) } } == [20])
    }

    @Test func `the log is checkpointed without further writes`() async throws {
        let location = try Engine.sqlite.makeLocation()
        guard case .sqlite(let path) = location else { return }
        var options = DatabaseOptions.forTests
        options.checkpointThreshold = 50
        let database = try Database(location, options: options)
        try await database.write { connection in
            try connection.execute("CREATE TABLE t (b BYTEA NOT NULL)")
            for _ in 0..<100 {
                try connection.execute("INSERT INTO t (b) VALUES ($1)", [.blob([UInt8](repeating: 1, count: 3800))])
            }
        }
        func size() throws -> Int { try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0 }
        let end = ContinuousClock.now + .seconds(30)
        while try size() < 100 * 4096, ContinuousClock.now < end {
            #expect(try await database.count("t") == 100)
        }
        #expect(try size() >= 100 * 4096)
    }
}
