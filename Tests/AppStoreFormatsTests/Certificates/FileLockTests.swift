import AppStoreFormats
import Foundation
import Testing

/// One holder of a file's lock at a time, and an end to the wait for it.
struct FileLockTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lock-\(UUID().uuidString)").path
    private var path: String { folder + "/.lock" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    @Test func `a lock that is held is refused after the limit, and free after its release`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let lock = try FileLock(path: path, limit: .zero)
        #expect {
            _ = try FileLock(path: path, limit: .milliseconds(3))
        } throws: {
            ($0 as? FileLock.Failure)?.reason == "another process holds the lock"
        }
        lock.release()
        try FileLock(path: path, limit: .zero).release()
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test func `one waits for the other`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let lock = try FileLock(path: path, limit: .zero)
        let (path, started) = (path, AsyncStream<Void>.makeStream())
        let second = Task.detached {
            started.continuation.finish()
            return try FileLock(path: path, limit: .seconds(60))
        }
        for await _ in started.stream {}
        lock.release()
        try await second.value.release()
    }

    @Test func `a folder that isn't there has no lock`() {
        try? FileManager.default.removeItem(atPath: folder)
        #expect {
            _ = try FileLock(path: path, limit: .zero)
        } throws: {
            ($0 as? FileLock.Failure)?.number == ENOENT
        }
    }
}
