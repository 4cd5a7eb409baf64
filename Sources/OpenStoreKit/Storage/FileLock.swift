import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A lock between processes, and between objects of one: the system's lock of a file (flock), which ends with its holder.
struct FileLock: ~Copyable {
    /// Microseconds between two attempts.
    private static let interval: UInt32 = 1000

    private let descriptor: Int32

    /// Waits for the lock of a file, and makes the file if there is none.
    ///
    /// - Throws: ``FileError`` if another holder has it for longer than `limit`, or the file can't be made.
    init(path: String, limit: Duration) throws(FileError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(errno: errno, path: path, doing: "open") }
        let end = ContinuousClock.now + limit
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            guard number == EWOULDBLOCK || number == EINTR else {
                OutputFile.close(descriptor)
                throw FileError(errno: number, path: path, doing: "lock")
            }
            guard ContinuousClock.now < end else {
                OutputFile.close(descriptor)
                throw FileError(.locked, path: path, reason: "another process holds the lock")
            }
            usleep(Self.interval)
        }
        self.descriptor = descriptor
    }

    /// Ends the lock.
    consuming func release() {}

    deinit {
        OutputFile.close(descriptor)
    }
}

extension FileMark {
    /// Reads the mark of a file; `nil` without one.
    init?(path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        let inode = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
        let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        self.init(inode: inode, size: size, modified: attributes[.modificationDate] as? Date ?? .distantPast)
    }
}
