import Dispatch
import Foundation
import PerennialStorage
import TestSupport
import Testing

struct SQLiteFileTests {
    @Test func `a file that is no database is corrupt, not a crash`() throws {
        let path = "\(try TemporaryFolder.make())/store.db"
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
        #expect(throws: StorageError(.corrupt, "", "")) { try Database(.sqlite(path: path)) }
    }

    @Test func `a file locked by another process for too long is busy`() async throws {
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
