import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What clients are told of a file.
package struct ContentFacts: Hashable, Sendable {
    /// In bytes.
    package let size: Int64
    /// SHA-256 of the whole file.
    package let sha256: [UInt8]
    /// Seconds since 1970: HTTP has no finer dates.
    package let modified: Int64

    package init(size: Int64, sha256: [UInt8], modified: Int64) {
        self.size = size
        self.sha256 = sha256
        self.modified = modified
    }

    package var hexDigest: String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * sha256.count)
        let digits = Array("0123456789abcdef".utf8)
        for byte in sha256 { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    package var base64Digest: String { Data(sha256).base64EncodedString() }

    /// A strong validator (RFC 9110, 8.8.1): it changes with every byte.
    package var entityTag: String { "\"\(hexDigest)\"" }
}

/// A file that is open for reading. It stays what it was when opened, even if another takes its name meanwhile.
package final class ContentFile: Sendable {
    package let facts: ContentFacts
    private let descriptor: Descriptor

    init(facts: ContentFacts, descriptor: Descriptor) {
        self.facts = facts
        self.descriptor = descriptor
    }

    /// Reads up to the buffer's size from a position, and blocks meanwhile: not for event loops.
    /// - Returns: The number of bytes read; 0 at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws -> Int {
        try descriptor.read(into: buffer, at: position)
    }
}

/// A file descriptor that closes itself.
final class Descriptor: Sendable {
    let number: Int32

    /// `number` is negative if there is no such folder.
    init(folder path: String) {
        number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    /// `number` is negative if the name can't be opened.
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

/// Why a content file can't be delivered. Equality looks at the code only.
package struct ContentLibraryError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case noFolder
        /// The path leads out of the folder, or is none.
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
