import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PerennialStorage

struct SQLiteLookUpTests {
    private static func path() async throws -> String {
        let path = "\(try TemporaryFolder.make())/store.db"
        let database = try Database(.sqlite(path: path), options: .forTests)
        try await database.write { try $0.execute("CREATE TABLE t (i BIGINT)") }
        try await database.write { try $0.execute("INSERT INTO t VALUES (7)") }
        database.close()
        return path
    }

    private static func options(looksUpInPlace: Bool = true) -> DatabaseOptions {
        var options = DatabaseOptions.forTests
        options.looksUpInPlace = looksUpInPlace
        return options
    }

    private static func first(_ connection: any Connection) throws -> Int64? {
        try connection.first("SELECT i FROM t") { try $0.integer(0) }
    }

    /// Runs a look-up from a thread of its own.
    ///
    /// - Returns: Whether it ran on that thread, and what it found.
    private static func run(_ lookUps: SQLiteLookUps) async -> (isHere: Bool, value: Int64?) {
        await onOwnThread {
            let caller = pthread_self()
            let result = Mutex<(isHere: Bool, value: Int64?)>((false, nil))
            let isRun = lookUps.run(
                DatabaseTask(.read, .standard) { connection in
                    (pthread_equal(caller, pthread_self()) != 0, try first(connection))
                } answer: { answer in
                    if case .success(let (isHere, value)) = answer { result.withLock { $0 = (isHere, value) } }
                })
            return isRun ? result.withLock { $0 } : (false, nil)
        }
    }

    @Test func `a look-up runs on the thread that asks`() async throws {
        let lookUps = SQLiteLookUps(path: try await Self.path(), Self.options())
        let found = await Self.run(lookUps)
        #expect(found.isHere && found.value == 7)
        lookUps.close()
        #expect(await Self.run(lookUps).value == nil)
    }

    /// Goal: a disk that stalls holds one thread of those that ask.
    @Test func `a look-up beside another isn't run`() async throws {
        let lookUps = SQLiteLookUps(path: try await Self.path(), Self.options())
        let (isRunning, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let slow = onOwnThread {
            lookUps.run(
                DatabaseTask(.read, .standard) { _ in
                    isRunning.signal()
                    mayEnd.wait()
                } answer: { _ in
                })
        }
        await onOwnThread { isRunning.wait() }
        let beside = await Self.run(lookUps)
        mayEnd.signal()
        #expect(await slow)
        #expect(beside.value == nil)
        #expect(await Self.run(lookUps).value == 7)
    }

    @Test(arguments: [true, false])
    func `look-ups leave no open files`(inPlace: Bool) async throws {
        let path = try await Self.path()
        let database = try Database(.sqlite(path: path), options: Self.options(looksUpInPlace: inPlace))
        #expect(try await database.lookUp([]) { try Self.first($0) } == 7)
        database.close()
        #expect(try RawSQLite.run("PRAGMA journal_mode = DELETE", on: path) == ["delete"])
        await #expect(throws: StorageError.self) { try await database.lookUp([]) { try Self.first($0) } }
    }

    @Test func `a look-up in place can't write`() async throws {
        let database = try Database(.sqlite(path: try await Self.path()), options: Self.options())
        await #expect(throws: StorageError.self) {
            try await database.lookUp([]) { try $0.execute("INSERT INTO t VALUES (8)") }
        }
        database.close()
    }
}
