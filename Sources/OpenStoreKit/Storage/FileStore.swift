import Foundation

/// The files of one app and account on a device.
package protocol FileStore: Sendable {
    /// Reads a file. Returns `nil` for a missing one.
    func read(_ name: String) throws -> Data?
    /// Replaces a file atomically, with mode 0600.
    func write(_ data: Data, to name: String) throws
    /// Adds to the end of a file durably. After an error a part may have been added.
    func append(_ data: Data, to name: String) throws
    /// Removes a file, if there is one.
    func remove(_ name: String) throws
}

extension FileStore {
    package func append(_ data: Data, to name: String) throws {
        try write((read(name) ?? Data()) + data, to: name)
    }
}

/// Files in a folder on disk.
package struct FolderStore: FileStore {
    package let folder: URL
    /// Maximum size of a file in bytes; a limit of ours.
    package static let maximumFileBytes = 64 << 20

    package init(folder: URL) {
        self.folder = folder
    }

    package func read(_ name: String) throws -> Data? {
        try InputFile.contents(
            path: folder.appendingPathComponent(name).path, maximumBytes: Self.maximumFileBytes)
    }

    package func write(_ data: Data, to name: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent(name).path
        let temporary = path + ".new"
        // Concurrent writes would share the temporary file.
        let lock = Self.locks[Int(UInt(bitPattern: path.hashValue) % UInt(truncatingIfNeeded: Self.locks.count))]
        try lock.withLock {
            var file = try OutputFile(path: temporary, at: .beginning)
            try data.withUnsafeBytes { try file.append($0) }
            try file.synchronize()
            file.close()
            try OutputFile.move(temporary, to: path)
        }
    }

    package func append(_ data: Data, to name: String) throws {
        var file = try OutputFile(path: folder.appendingPathComponent(name).path, at: .end)
        try data.withUnsafeBytes { try file.append($0) }
        try file.synchronize()
        file.close()
    }

    /// Locks for one writer of a path at a time in the process. Paths may share a lock.
    private static let locks = (0..<64).map { _ in NSLock() }

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
