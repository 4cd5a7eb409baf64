import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file being written, with the system's own error numbers: Foundation's don't tell a full disk from a missing folder
/// on every platform.
package struct OutputFile: ~Copyable {
    package enum Position {
        /// Whatever was in the file goes.
        case beginning
        /// What is written comes after what is there.
        case end
    }

    private let descriptor: Int32
    private let path: String

    /// Opens or makes the file, readable by its owner only.
    package init(path: String, at position: Position) throws(StorageError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (position == .beginning ? O_TRUNC : O_APPEND)
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno: errno, path: path, doing: "open") }
        self.descriptor = descriptor
        self.path = path
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw StorageError(errno: errno, path: path, doing: "write")
            }
            rest = rest.dropFirst(written)
        }
    }

    /// Returns when the bytes are on the disk.
    func synchronize() throws(StorageError) {
        guard fsync(descriptor) == 0 else { throw StorageError(errno: errno, path: path, doing: "fsync") }
    }

    consuming func close() {}

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

    /// Puts a file in another's place in one step, durably.
    static func move(_ source: String, to destination: String) throws(StorageError) {
        guard rename(source, destination) == 0 else {
            throw StorageError(errno: errno, path: destination, doing: "rename")
        }
        let folder = (destination as NSString).deletingLastPathComponent
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}
