import AppStoreFormats
import Foundation
import Synchronization

/// The files of one app and account on a device.
package protocol FileStore: Sendable {
    /// Maximum size of a file in bytes. A larger one isn't written, since it couldn't be read again.
    var maximumFileBytes: Int { get }
    /// Reads a file. Returns `nil` for a missing one.
    func read(_ name: String) throws -> Data?
    /// Replaces a file atomically, with mode 0600.
    func write(_ data: Data, to name: String) throws
    /// Adds to the end of a file durably. After an error a part may have been added, or everything.
    func append(_ data: Data, to name: String) throws
    /// Cuts off what is behind a size in bytes, durably. Does nothing to a file that isn't larger.
    func truncate(_ name: String, to size: Int) throws
    /// Removes a file, if there is one.
    func remove(_ name: String) throws
    /// Returns a mark of a file's present content, which is another one after each write; `nil` if this store has one writer only, or
    /// there is no file.
    func mark(of name: String) -> FileMark?
    /// Runs `body` while no other process, and no other object of this one, runs one with the lock of this name.
    ///
    /// - Parameter waits: False to give up at once if another holds the lock.
    /// - Throws: ``FileError`` `locked` if another holder has the lock for too long; errors of `body`.
    func withLock<Value>(_ name: String, waiting waits: Bool, _ body: () throws -> Value) throws -> Value
}

extension FileStore {
    /// A limit of ours.
    package var maximumFileBytes: Int { 64 << 20 }

    package func append(_ data: Data, to name: String) throws {
        try write((read(name) ?? Data()) + data, to: name)
    }

    package func truncate(_ name: String, to size: Int) throws {
        guard let content = try read(name), content.count > size else { return }
        try write(content.prefix(size), to: name)
    }

    package func mark(of name: String) -> FileMark? { nil }
    package func withLock<Value>(_ name: String, waiting waits: Bool, _ body: () throws -> Value) throws -> Value {
        try body()
    }

    package func withLock<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
        try withLock(name, waiting: true, body)
    }
}

/// A file at a time.
package struct FileMark: Sendable, Equatable {
    let inode: UInt64
    let size: Int64
    let modified: Date

    /// Reads the mark of a file; `nil` without one.
    init?(path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        inode = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
        size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        modified = attributes[.modificationDate] as? Date ?? .distantPast
    }
}

/// Files in a folder on disk.
package struct FolderStore: FileStore {
    package let folder: URL
    package let maximumFileBytes: Int
    /// Longest wait for a lock. Locks are held for a write to the disk.
    let lockLimit: Duration

    package init(folder: URL, maximumFileBytes: Int = 64 << 20, lockLimit: Duration = .seconds(5)) {
        self.folder = folder
        self.maximumFileBytes = maximumFileBytes
        self.lockLimit = lockLimit
    }

    package func read(_ name: String) throws -> Data? {
        // Twice the limit: earlier versions wrote logs that outgrew it, which the next write compacts.
        try InputFile.contents(path: folder.appendingPathComponent(name).path, maximumBytes: 2 * maximumFileBytes)
    }

    package func write(_ data: Data, to name: String) throws {
        try checkSize(data.count, of: name)
        try makeFolder()
        let path = folder.appendingPathComponent(name).path
        if Self.swept.withLock({ $0.insert(path).inserted }) { UnfinishedFile.removeAbandoned(of: name, in: folder) }
        // Concurrent writes would share the unfinished file.
        let lock = Self.locks[Int(UInt(bitPattern: path.hashValue) % UInt(truncatingIfNeeded: Self.locks.count))]
        try lock.withLock {
            var file = try UnfinishedFile.begin(path)
            do {
                try data.withUnsafeBytes { try file.append($0) }
                try file.synchronize()
                try OutputFile.move(file.path, to: path)
            } catch {
                // Its bytes may be what a full disk lacks.
                try? FileManager.default.removeItem(atPath: file.path)
                throw error
            }
            // Locked until it has its name.
            file.close()
        }
    }

    /// The paths whose unfinished files were looked for, once in a process.
    private static let swept = Mutex<Set<String>>([])

    package func append(_ data: Data, to name: String) throws {
        let path = folder.appendingPathComponent(name).path
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        try checkSize((size?.intValue ?? 0) + data.count, of: name)
        var file = try OutputFile(path: path, at: .end)
        try data.withUnsafeBytes { try file.append($0) }
        try file.synchronize()
        file.close()
    }

    /// Replaces the file by a copy of its beginning: after a failed `fsync` the system has given up pages of the old one that it couldn't
    /// write. Shortens the old file only if there is no room for a copy.
    package func truncate(_ name: String, to size: Int) throws {
        guard let content = try read(name), content.count > size else { return }
        do {
            try write(content.prefix(size), to: name)
        } catch {
            try OutputFile.truncate(folder.appendingPathComponent(name).path, to: size)
        }
    }

    private func checkSize(_ size: Int, of name: String) throws(FileError) {
        guard size > maximumFileBytes else { return }
        throw FileError(
            .fileTooLarge, path: folder.appendingPathComponent(name).path,
            reason: "\(size) bytes, more than \(maximumFileBytes)")
    }

    /// Locks for one writer of a path at a time in the process. Paths may share a lock.
    private static let locks = (0..<64).map { _ in NSLock() }

    package func mark(of name: String) -> FileMark? {
        FileMark(path: folder.appendingPathComponent(name).path)
    }

    private func makeFolder() throws(FileError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            let number = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
            guard let number else { throw FileError(.other, path: folder.path, reason: error.localizedDescription) }
            throw FileError(errno: number, path: folder.path, doing: "make the folder")
        }
    }

    package func withLock<Value>(_ name: String, waiting waits: Bool, _ body: () throws -> Value) throws -> Value {
        try makeFolder()
        let path = folder.appendingPathComponent(name).path
        let lock: FileLock
        do {
            lock = try FileLock(path: path, limit: waits ? lockLimit : .zero)
        } catch {
            // One process at a time may use a folder there.
            if let number = error.number, FileLock.isUnsupported(number) { return try body() }
            guard let number = error.number else { throw FileError(.locked, path: path, reason: error.reason) }
            throw FileError(errno: number, path: path, doing: "lock")
        }
        defer { lock.release() }
        return try body()
    }

    package func remove(_ name: String) throws {
        let path = folder.appendingPathComponent(name).path
        guard FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.removeItem(atPath: path)
    }
}

/// An error of the device's files.
package struct FileError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case diskFull
        case permissionDenied
        case notFound
        case fileTooLarge
        /// An authenticated file is of another device, or was changed.
        case tampered
        /// Another process holds a lock.
        case locked
        case other
    }

    package let code: Code
    package let path: String
    package let reason: String

    package init(_ code: Code, path: String, reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    /// Makes an error from a POSIX error number.
    package init(errno number: Int32, path: String, doing action: String) {
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOENT, ENOTDIR: .notFound
            default: .other
            }
        self.init(code, path: path, reason: "\(action): \(String(cString: strerror(number)))")
    }

    package var description: String { "\(code): \(path): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
