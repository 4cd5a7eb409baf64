import BaseEncoding
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Size, digest and date of a file.
package struct FileMetadata: Hashable, Sendable {
    /// Size in bytes.
    package let size: Int64
    /// SHA-256 of the whole file.
    package let sha256: [UInt8]
    /// Modification date in seconds since 1970, as HTTP writes dates.
    package let modified: Int64

    package init(size: Int64, sha256: [UInt8], modified: Int64) {
        self.size = size
        self.sha256 = sha256
        self.modified = modified
    }

    package var hexDigest: String { Hexadecimal.encode(sha256) }

    package var base64Digest: String { Data(sha256).base64EncodedString() }

    /// Strong ETag (RFC 9110, section 8.8.1).
    package var entityTag: String { "\"\(hexDigest)\"" }
}

/// An open file. It stays the same file if another takes its name.
package final class ContentFile: Sendable {
    package let metadata: FileMetadata
    private let descriptor: Descriptor

    init(metadata: FileMetadata, descriptor: Descriptor) {
        self.metadata = metadata
        self.descriptor = descriptor
    }

    /// Reads up to the buffer's size from a position. Blocks, so don't call it on an event loop.
    ///
    /// - Returns: The number of bytes read; 0 at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws -> Int {
        try descriptor.read(into: buffer, at: position)
    }
}

/// A file descriptor that is closed at the end of its life.
final class Descriptor: Sendable {
    let number: Int32

    /// Opens a folder. `number` is negative on failure.
    init(folder path: String) {
        number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    /// Opens a name in a folder. `number` is negative on failure.
    init(_ name: String, in folder: Descriptor, flags: Int32) {
        number = openat(folder.number, name, O_RDONLY | O_CLOEXEC | flags)
    }

    deinit {
        if number >= 0 { _ = close(number) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws -> Int {
        while true {
            let count = pread(number, buffer.baseAddress, buffer.count, off_t(position))
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw ContentLibraryError(.unreadable, "file", String(cString: strerror(errno)))
            }
        }
    }

    func status() throws -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else {
            throw ContentLibraryError(.unreadable, "file", String(cString: strerror(errno)))
        }
        return status
    }
}

/// An error of a content file. Equality compares the code only.
package struct ContentLibraryError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case noFolder
        /// The path is malformed or leads out of the folder.
        case forbiddenPath
        case fileNotFound
        case unreadable
    }

    package let code: Code
    package let path: String
    package let reason: String

    package init(_ code: Code, _ path: String, _ reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(path): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
