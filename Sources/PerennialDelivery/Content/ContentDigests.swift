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

/// What tells that a file is still the one that was read: any change of its bytes changes one of these.
struct FileIdentity: Hashable, Sendable {
    /// A point in time as the file system has it.
    struct Stamp: Hashable, Sendable {
        let seconds: Int64
        let nanoseconds: Int64
    }

    /// Where a file is, whatever is in it.
    struct Place: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    let place: Place
    let size: Int64
    let modification: Stamp
    /// When the system last changed anything of the file: unlike the date of modification nobody sets it back.
    let change: Stamp

    var inode: UInt64 { place.inode }
    /// Seconds since 1970.
    var modified: Int64 { modification.seconds }

    /// - Throws: ``ContentLibraryError`` with `forbiddenPath` where it is no regular file.
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

    /// Seven numbers, as ``numbers`` has them.
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

/// The digests of files that were read, in memory and in a file that outlasts the process.
///
/// The file is a cache: a line for each digest, with a check of its own; what can't be read of it is computed again, and
/// a file that can't be written is done without.
final class ContentDigests: Sendable {
    private struct Entry {
        let identity: FileIdentity
        let digest: [UInt8]
    }

    /// A limit of ours on remembered digests.
    private static let maximumDigests = 100_000
    /// A limit of ours on the file, in bytes: that many lines twice over.
    private static let maximumFileSize = 64 << 20

    private let path: String?
    private let entries: Mutex<[FileIdentity.Place: Entry]>

    init(path: String?) {
        self.path = path
        var entries: [FileIdentity.Place: Entry] = [:]
        if let path {
            let (lines, isClean) = Self.lines(of: path)
            for entry in lines.suffix(Self.maximumDigests) { entries[entry.identity.place] = entry }
            // Files that changed have left lines behind.
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

    func remember(_ digest: [UInt8], of identity: FileIdentity) {
        let entry = Entry(identity: identity, digest: digest)
        entries.withLock { entries in
            if entries.count >= Self.maximumDigests { entries.removeAll() }
            entries[identity.place] = entry
            if let path { Self.append(Self.line(entry), to: path) }
        }
    }

    // MARK: The file

    private static func line(_ entry: Entry) -> String {
        let digest = entry.digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let text = entry.identity.numbers.map(String.init).joined(separator: " ") + " " + digest
        return "\(text) \(check(text))\n"
    }

    /// Enough of a digest to tell that a line is whole.
    private static func check(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func entry(_ line: Substring) -> Entry? {
        guard let end = line.lastIndex(of: " "), check(String(line[..<end])) == line[line.index(after: end)...] else {
            return nil
        }
        let parts = line[..<end].split(separator: " ")
        guard let identity = FileIdentity(numbers: parts.dropLast().compactMap { Int64($0) }), let text = parts.last,
            text.utf8.count == 2 * SHA256.byteCount
        else { return nil }
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == 2 * SHA256.byteCount else { return nil }
        return Entry(
            identity: identity,
            digest: stride(from: 0, to: digits.count, by: 2).map {
                UInt8(truncatingIfNeeded: digits[$0] << 4 | digits[$0 + 1])
            })
    }

    /// - Returns: What can be read, oldest first, and whether that is all.
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
