import Crypto
import Foundation

/// A file of encrypted frames that detects changes, truncation, rollbacks and copies of other owners.
///
/// The file starts with a mark and the key's fingerprint. Each frame is sealed with AES-GCM; its number, and the tag of the frame
/// before it, are authenticated with it, so that frames can't be left out, repeated or reordered. The first frame is a snapshot of
/// everything, the further ones are changes of it.
///
/// A second file, the anchor, holds the number of the last frame, so that an older copy of the first file is detected. It is
/// written last: after a crash the log may be ahead of it, never behind. A torn frame at the end of the log is one that wasn't
/// acknowledged, and is dropped.
///
/// Older copies of both files of the same age aren't detected by them, but by the anchor beside the key if the key is in
/// the system's secret storage (``VaultSecrets``), and by the store's revision at the next synchronization.
struct SealedLog: Sendable {
    enum Reading {
        case nothing
        /// The frames' contents, oldest first.
        case intact([Data])
        /// The file is of another owner or device, changed, truncated, or rolled back.
        case refused(FileError)
        /// The file can't be read now, and must not be overwritten.
        case unreadable(FileError)
    }

    private static let mark = Data("perennial-vault-1\n".utf8)
    private static let fingerprintSize = 8
    /// Bytes before the first frame.
    private static let headSize = mark.count + fingerprintSize
    /// Bytes of a frame before its ciphertext: length, number, nonce.
    private static let frameHeadSize = 4 + 8 + 12
    private static let tagSize = 16
    /// Bytes of changes beyond which the next write replaces the file by a snapshot, unless the snapshot is larger.
    private static let minimumChangesSize = 256 << 10

    let name: String
    private let files: any FileStore
    private let key: SymmetricKey
    private let fingerprint: Data
    /// Number of the last frame.
    private(set) var number: UInt64 = 0
    private var lastTag = Data(count: Self.tagSize)
    private var snapshotSize = 0
    private var changesSize = 0
    /// True if the next write must replace the file: there is none, its end is torn, or a write failed.
    private var mustReplace = true
    private var hasAnchor = false
    /// Number of the last frame that was read or written.
    private var writtenNumber: UInt64 = 0
    /// Number that the file had to reach at the last reading.
    private var requiredNumber: UInt64 = 0
    /// The file at the last reading or writing.
    private var seen: FileMark?

    /// - Parameter key: The key of this file only. It depends on the owner.
    init(name: String, files: any FileStore, key: SymmetricKey) {
        self.name = name
        self.files = files
        self.key = key
        let code = HMAC<SHA256>.authenticationCode(for: Self.mark + Data(name.utf8), using: key)
        fingerprint = Data(code.prefix(Self.fingerprintSize))
    }

    private var anchorName: String { name + ".number" }

    // MARK: Other writers

    /// Runs `body` while no other process, and no other object of this one, writes the file.
    ///
    /// - Parameter waits: False to give up at once if another holds the lock.
    /// - Throws: ``FileError`` if the lock can't be had; errors of `body`.
    func withLock<Value>(waiting waits: Bool = true, _ body: () throws -> Value) throws -> Value {
        try files.withLock(name + ".lock", waiting: waits, body)
    }

    /// True if another process, or another object of this one, has written the file since this one has read or written it.
    var isOutdated: Bool { files.mark(of: name) != seen }

    /// Returns true if this log, read again, is that of `earlier` with the changes of others: not an older copy, nor a damaged one, in
    /// place of which the next write has to put what `earlier` had.
    func continues(_ earlier: SealedLog) -> Bool {
        writtenNumber >= earlier.writtenNumber
    }

    /// Returns true if this log, read again, has to be behind `earlier`, whose content is then the last one that was written.
    func isCovered(by earlier: SealedLog) -> Bool {
        earlier.writtenNumber >= requiredNumber
    }

    /// Makes the numbers of the next frames go on after those of another log of this file, which may have been written in part.
    mutating func skipNumbers(of other: SealedLog) {
        guard other.number > number else { return }
        number = other.number
        mustReplace = true
    }

    /// Puts the next write behind those of others, whose content it replaces.
    ///
    /// - Parameter now: As for ``read(anchor:now:)``.
    mutating func passOthers(now: Int64) {
        guard isOutdated else { return }
        var present = self
        _ = present.read(now: now)
        number = max(number, present.number)
        keepContent()
    }

    /// Takes the file as it is for the one that this log has written.
    mutating func keepContent() {
        seen = files.mark(of: name)
        mustReplace = true
    }

    // MARK: Reading

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - anchor: A number that the last frame must have reached, from another place.
    ///   - now: Milliseconds by the device's clock, from which the numbers continue after a refusal: ahead of all copies.
    mutating func read(anchor: UInt64 = 0, now: Int64) -> Reading {
        let anchorFile: Data?
        let file: Data?
        // Before the reading: a write during it makes the file another one.
        seen = files.mark(of: name)
        do {
            anchorFile = try files.read(anchorName)
            file = try files.read(name)
        } catch {
            let reason = (error as? FileError)?.reason ?? String(describing: error)
            return .unreadable(FileError(.other, path: name, reason: reason))
        }
        hasAnchor = anchorFile != nil
        let known = anchorFile.flatMap { try? anchorNumber($0) } ?? 0
        requiredNumber = max(anchor, known)
        do throws(FileError) {
            // First, because its reason says more: with another key the number can't be read either.
            if let file { try checkHead(of: file) }
            if let anchorFile { _ = try anchorNumber(anchorFile) }
            guard let file else {
                guard requiredNumber == 0 else { throw refusal("the file is gone") }
                return .nothing
            }
            guard hasAnchor else { throw refusal("its number is gone") }
            return .intact(try frames(of: file, reaching: requiredNumber))
        } catch {
            number = max(number, requiredNumber, UInt64(clamping: now))
            mustReplace = true
            return .refused(error)
        }
    }

    private mutating func frames(of file: Data, reaching newest: UInt64) throws(FileError) -> [Data] {
        var contents: [Data] = []
        var position = file.startIndex + Self.headSize
        while position < file.endIndex, let frame = Frame(file, at: position) {
            guard contents.isEmpty || frame.number == number &+ 1,
                let content = open(frame, after: contents.isEmpty ? nil : lastTag)
            else { break }
            contents.append(content)
            number = frame.number
            lastTag = Data(frame.tag)
            if contents.count == 1 { snapshotSize = frame.size } else { changesSize += frame.size }
            position += frame.size
        }
        guard !contents.isEmpty else { throw refusal("it was changed") }
        guard number >= newest else { throw refusal("older than the last one written, or changed") }
        writtenNumber = number
        mustReplace = position < file.endIndex
        return contents
    }

    private func checkHead(of file: Data) throws(FileError) {
        guard file.count >= Self.headSize, file.prefix(Self.mark.count) == Self.mark else {
            throw refusal("it isn't a vault")
        }
        guard file.dropFirst(Self.mark.count).prefix(Self.fingerprintSize) == fingerprint else {
            throw refusal("it is of another device, app or account")
        }
    }

    private func anchorNumber(_ data: Data) throws(FileError) -> UInt64 {
        guard let frame = Frame(data, at: data.startIndex), frame.size == data.count,
            open(frame, after: Data(anchorName.utf8)) != nil
        else { throw refusal("its number was changed") }
        return frame.number
    }

    private func refusal(_ reason: String) -> FileError {
        FileError(.tampered, path: name, reason: reason)
    }

    // MARK: Writing

    /// Returns true if the next write wants a snapshot in place of a change of a size in bytes: without a file to append to, after
    /// many changes, and before the file is too large to be read again.
    func wantsSnapshot(inPlaceOf size: Int) -> Bool {
        let frame = Self.frameHeadSize + size + Self.tagSize
        return mustReplace || changesSize > max(snapshotSize, Self.minimumChangesSize)
            || Self.headSize + snapshotSize + changesSize + frame > files.maximumFileBytes
    }

    /// Makes the next write replace the file.
    mutating func requireSnapshot() {
        mustReplace = true
    }

    /// Appends a change durably.
    ///
    /// - Throws: ``FileError``. The next write then has to be a snapshot. The frame is cut off, since all of it may have been written: a
    ///   reader would find a change whose caller was told that it failed, and another writer would go on after a frame that a failed
    ///   `fsync` may lose.
    mutating func append(_ content: Data) throws {
        // Grows also if the write fails, which may be after the frame was written.
        number += 1
        mustReplace = true
        // Also after an error: what was written in part is this log's own.
        defer { seen = files.mark(of: name) }
        let frame = try seal(content, after: lastTag)
        do {
            try files.append(frame, to: name)
        } catch {
            try? files.truncate(name, to: Self.headSize + snapshotSize + changesSize)
            throw error
        }
        lastTag = frame.suffix(Self.tagSize)
        changesSize += frame.count
        (mustReplace, writtenNumber) = (false, number)
        writeAnchor()
    }

    /// Replaces the file by a snapshot, durably.
    mutating func replace(by content: Data) throws {
        if !hasAnchor {
            try files.write(anchor(0), to: anchorName)
            hasAnchor = true
        }
        number += 1
        mustReplace = true
        defer { seen = files.mark(of: name) }
        let frame = try seal(content, after: nil)
        try files.write(Self.mark + fingerprint + frame, to: name)
        lastTag = frame.suffix(Self.tagSize)
        (snapshotSize, changesSize) = (frame.count, 0)
        (mustReplace, writtenNumber) = (false, number)
        writeAnchor()
    }

    /// The content is written; without a new anchor the last number stays valid for one more write.
    private func writeAnchor() {
        guard let anchor = try? anchor(number) else { return }
        try? files.write(anchor, to: anchorName)
    }

    private func anchor(_ number: UInt64) throws -> Data {
        try seal(Data(), number: number, after: Data(anchorName.utf8))
    }

    // MARK: Frames

    private func seal(_ content: Data, number: UInt64? = nil, after previous: Data?) throws -> Data {
        let number = number ?? self.number
        let box = try AES.GCM.seal(content, using: key, authenticating: statement(number, previous))
        var frame = Data(capacity: Self.frameHeadSize + content.count + Self.tagSize)
        withUnsafeBytes(of: UInt32(clamping: box.ciphertext.count).littleEndian) { frame.append(contentsOf: $0) }
        withUnsafeBytes(of: number.littleEndian) { frame.append(contentsOf: $0) }
        box.nonce.withUnsafeBytes { frame.append(contentsOf: $0) }
        frame.append(box.ciphertext)
        frame.append(box.tag)
        return frame
    }

    private func open(_ frame: Frame, after previous: Data?) -> Data? {
        guard let nonce = try? AES.GCM.Nonce(data: frame.nonce),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: frame.ciphertext, tag: frame.tag)
        else { return nil }
        return try? AES.GCM.open(box, using: key, authenticating: statement(frame.number, previous))
    }

    /// The authenticated statement of a frame: its number and the frame before it, or that it is a snapshot.
    private func statement(_ number: UInt64, _ previous: Data?) -> Data {
        var statement = Self.mark
        statement.append(Data("\(name)\u{0}\(number)\u{0}".utf8))
        statement.append(previous.map { Data("after\u{0}".utf8) + $0 } ?? Data("snapshot".utf8))
        return statement
    }

    /// The parts of a frame, not opened yet.
    private struct Frame {
        let number: UInt64
        let nonce: Data
        let ciphertext: Data
        let tag: Data
        let size: Int

        init?(_ data: Data, at position: Int) {
            guard data.endIndex - position >= SealedLog.frameHeadSize + SealedLog.tagSize else { return nil }
            let count = Int(UInt32(littleEndian: data[position...].prefix(4).loaded()))
            size = SealedLog.frameHeadSize + count + SealedLog.tagSize
            guard data.endIndex - position >= size else { return nil }
            number = UInt64(littleEndian: data[(position + 4)...].prefix(8).loaded())
            nonce = data[(position + 12)..<(position + SealedLog.frameHeadSize)]
            let end = position + SealedLog.frameHeadSize + count
            ciphertext = data[(position + SealedLog.frameHeadSize)..<end]
            tag = data[end..<(end + SealedLog.tagSize)]
        }
    }
}

extension Data {
    /// Returns the number at the beginning.
    fileprivate func loaded<Number: FixedWidthInteger>(as: Number.Type = Number.self) -> Number {
        withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
    }
}
