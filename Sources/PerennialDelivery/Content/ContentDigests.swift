import BaseEncoding
import Crypto
import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Identity of a file's bytes: every change of them changes one of these values.
struct FileIdentity: Hashable, Sendable {
    /// A time of the file system.
    struct Stamp: Hashable, Sendable {
        let seconds: Int64
        let nanoseconds: Int64
    }

    /// Device and inode of a file.
    struct Place: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    let place: Place
    let size: Int64
    let modification: Stamp
    /// Status change time (`ctime`), which programs can't set.
    let change: Stamp

    var inode: UInt64 { place.inode }
    /// Seconds since 1970.
    var modified: Int64 { modification.seconds }

    /// - Throws: ``ContentLibraryError`` with `forbiddenPath` for anything but a regular file.
    init(_ descriptor: Descriptor, _ path: String) throws {
        let status = try descriptor.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ContentLibraryError(.forbiddenPath, path, "it is no regular file")
        }
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        place = Place(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
        size = Int64(status.st_size)
        modification = Stamp(seconds: Int64(modified.tv_sec), nanoseconds: Int64(modified.tv_nsec))
        change = Stamp(seconds: Int64(changed.tv_sec), nanoseconds: Int64(changed.tv_nsec))
    }

    /// Makes an identity from its seven ``numbers``.
    init?(numbers: [Int64]) {
        guard numbers.count == 7 else { return nil }
        place = Place(device: UInt64(bitPattern: numbers[0]), inode: UInt64(bitPattern: numbers[1]))
        size = numbers[2]
        modification = Stamp(seconds: numbers[3], nanoseconds: numbers[4])
        change = Stamp(seconds: numbers[5], nanoseconds: numbers[6])
    }

    var numbers: [Int64] {
        [
            Int64(bitPattern: place.device), Int64(bitPattern: place.inode), size, modification.seconds,
            modification.nanoseconds, change.seconds, change.nanoseconds,
        ]
    }
}

/// Caches digests of files in memory and in a file.
///
/// The file has a line with a checksum for each digest. Unreadable lines are computed again; a file that can't be written is
/// ignored.
final class ContentDigests: Sendable {
    private struct Entry {
        let identity: FileIdentity
        let digest: [UInt8]
    }

    /// Maximum digests; a limit of ours.
    private static let maximumDigests = 100_000
    /// Maximum size of the file in bytes: twice the maximum digests.
    private static let maximumFileSize = 64 << 20

    private let path: String?
    private let entries: Mutex<[FileIdentity.Place: Entry]>

    init(path: String?) {
        self.path = path
        var entries: [FileIdentity.Place: Entry] = [:]
        if let path {
            let (lines, isClean) = Self.lines(of: path)
            for entry in lines.suffix(Self.maximumDigests) { entries[entry.identity.place] = entry }
            // Rewrites the file without the lines of changed files.
            if !isClean || lines.count > 2 * entries.count {
                let text = entries.values.map(Self.line).joined()
                try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            }
        }
        self.entries = Mutex(entries)
    }

    func digest(of identity: FileIdentity) -> [UInt8]? {
        entries.withLock { entries in
            guard let entry = entries[identity.place], entry.identity == identity else { return nil }
            return entry.digest
        }
    }

    func insert(_ digest: [UInt8], of identity: FileIdentity) {
        let entry = Entry(identity: identity, digest: digest)
        entries.withLock { entries in
            if entries.count >= Self.maximumDigests { entries.removeAll() }
            entries[identity.place] = entry
            if let path { Self.append(Self.line(entry), to: path) }
        }
    }

    // MARK: The file

    private static func line(_ entry: Entry) -> String {
        let text =
            entry.identity.numbers.map(String.init).joined(separator: " ") + " " + Hexadecimal.encode(entry.digest)
        return "\(text) \(check(text))\n"
    }

    /// Returns a checksum that detects incomplete lines.
    private static func check(_ text: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Data(text.utf8)).prefix(4))
    }

    private static func entry(_ line: Substring) -> Entry? {
        guard let end = line.lastIndex(of: " "), check(String(line[..<end])) == line[line.index(after: end)...] else {
            return nil
        }
        let parts = line[..<end].split(separator: " ")
        guard let identity = FileIdentity(numbers: parts.dropLast().compactMap { Int64($0) }), let text = parts.last,
            let digest = Hexadecimal.decode(text), digest.count == SHA256.byteCount
        else { return nil }
        return Entry(identity: identity, digest: digest)
    }

    /// Reads the file.
    ///
    /// - Returns: The readable entries, oldest first, and true if all were readable.
    private static func lines(of path: String) -> (entries: [Entry], isClean: Bool) {
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber else {
            return ([], true)
        }
        guard size.intValue <= maximumFileSize, let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            return ([], false)
        }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let entries = lines.compactMap(entry)
        return (entries, entries.count == lines.count)
    }

    private static func append(_ line: String, to path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        // In one piece, so that two processes don't mix their lines.
        _ = Array(line.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        _ = close(descriptor)
    }
}
