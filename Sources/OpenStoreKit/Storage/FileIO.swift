import AppStoreFormats
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that is being written, with POSIX error numbers. Foundation's errors don't distinguish a full disk from a missing folder
/// on every platform.
package struct OutputFile: ~Copyable {
    package enum Position {
        /// Truncate the file.
        case beginning
        /// Append to the file.
        case end
    }

    private let descriptor: Int32
    package let path: String

    /// Opens or makes the file, with mode 0600.
    package init(path: String, at position: Position) throws(FileError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (position == .beginning ? O_TRUNC : O_APPEND)
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw FileError(errno: errno, path: path, doing: "open") }
        self.descriptor = descriptor
        self.path = path
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw FileError(errno: errno, path: path, doing: "write")
            }
            rest = rest.dropFirst(written)
        }
    }

    /// Takes the system's lock of the file (`flock`), which ends with this object or the process.
    ///
    /// - Returns: False if another object or process has it; true also on a file system without locks.
    func lock() -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 || FileLock.isUnsupported(errno)
    }

    /// True if the path still leads to this file.
    var isAtPath: Bool { FileLock.isFile(descriptor, at: path) }

    /// Waits until the bytes are on the disk.
    func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw FileError(errno: errno, path: path, doing: "fsync") }
    }

    package consuming func close() {}

    deinit {
        Self.close(descriptor)
    }

    static func close(_ descriptor: Int32) {
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #elseif canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #endif
    }

    /// Returns true if no process has an ID, of this user or another one.
    static func hasEnded(process id: Int32) -> Bool {
        id > 0 && kill(id, 0) != 0 && errno == ESRCH
    }

    /// Renames a file atomically and durably.
    static func move(_ source: String, to destination: String) throws(FileError) {
        guard rename(source, destination) == 0 else {
            throw FileError(errno: errno, path: destination, doing: "rename")
        }
        let folder = (destination as NSString).deletingLastPathComponent
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        let number = fsync(descriptor) == 0 ? 0 : errno
        close(descriptor)
        // Not every file system synchronizes folders. A disk that fails may bring the old file back.
        guard number != EIO else { throw FileError(errno: number, path: folder, doing: "fsync") }
    }

    /// Shortens a file in its place, durably.
    static func truncate(_ path: String, to size: Int) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(errno: errno, path: path, doing: "open") }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(size)) == 0, fsync(descriptor) == 0 else {
            throw FileError(errno: errno, path: path, doing: "truncate")
        }
    }
}

/// Reads files with POSIX error numbers. Only `ENOENT` means a missing file; `EMFILE` or `EIO`, for example, say nothing of the file.
enum InputFile {
    private static let minimumChunkSize = 4096

    /// Reads a file. Returns `nil` for a missing one.
    ///
    /// - Throws: ``FileError``; `fileTooLarge` beyond `maximumBytes`.
    static func contents(path: String, maximumBytes: Int) throws(FileError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileError(errno: errno, path: path, doing: "open")
        }
        defer { OutputFile.close(descriptor) }
        // The whole file in one piece, and a byte more, to see its end; read in further pieces if it grows meanwhile.
        let size = max(0, Int(lseek(descriptor, 0, SEEK_END)))
        _ = lseek(descriptor, 0, SEEK_SET)
        var data = Data()
        var buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(size, maximumBytes) + Self.minimumChunkSize, alignment: 16)
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = errno
                buffer.deallocate()
                if count == 0 { return data }
                throw FileError(errno: number, path: path, doing: "read")
            }
            guard data.count + count <= maximumBytes else {
                buffer.deallocate()
                throw FileError(.fileTooLarge, path: path, reason: "more than \(maximumBytes) bytes")
            }
            if data.isEmpty, let start = buffer.baseAddress {
                // Without a copy.
                data = Data(bytesNoCopy: start, count: count, deallocator: .free)
                buffer = .allocate(byteCount: Self.minimumChunkSize, alignment: 16)
            } else {
                data.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }
}
