import Foundation
import OpenStoreKit
import Synchronization

/// A device's files in memory, for tests with many runs.
final class MemoryFiles: FileStore {
    private let files = Mutex<[String: Data]>([:])

    func read(_ name: String) throws -> Data? { files.withLock { $0[name] } }
    func write(_ data: Data, to name: String) throws { files.withLock { $0[name] = data } }
    func remove(_ name: String) throws { files.withLock { _ = $0.removeValue(forKey: name) } }
}

/// Files with temporary read errors, as from EMFILE or EIO.
final class StumblingFiles: FileStore {
    private let files: any FileStore
    private let failures: Mutex<[String: Int]>

    /// - Parameter failures: Number of failing reads by file.
    init(_ files: any FileStore, failures: [String: Int]) {
        self.files = files
        self.failures = Mutex(failures)
    }

    func read(_ name: String) throws -> Data? {
        let fails = failures.withLock { failures in
            guard let left = failures[name], left > 0 else { return false }
            failures[name] = left - 1
            return true
        }
        if fails { throw FileError(errno: EMFILE, path: name, doing: "open") }
        return try files.read(name)
    }

    func write(_ data: Data, to name: String) throws { try files.write(data, to: name) }
    func remove(_ name: String) throws { try files.remove(name) }
}
