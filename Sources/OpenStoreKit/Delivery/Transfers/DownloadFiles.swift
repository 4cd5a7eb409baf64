import BaseEncoding
import Crypto
import Foundation

/// Metadata of an unfinished download, stored beside its part file.
struct DownloadNote: Codable, Sendable, Equatable {
    var contentId: String
    /// Size of the whole file in bytes.
    var size: Int64
    /// SHA-256 of the whole file in hexadecimal.
    var sha256: String
    /// Strong ETag of the file; `nil` without one, which makes the part impossible to continue.
    var etag: String?
}

/// The files of a download: the destination, the part file and its note.
struct DownloadFiles: Sendable {
    let destination: URL
    /// Called before each change.
    var willChange: DownloadFileGuard = { _ in }

    var partPath: String { destination.path + ".part" }
    private var notes: FolderStore { FolderStore(folder: destination.deletingLastPathComponent()) }
    private var noteName: String { destination.lastPathComponent + ".part.json" }

    /// Returns the note and the size of the part; `nil` without a part.
    func resumable() -> (note: DownloadNote, received: Int64)? {
        guard let data = try? notes.read(noteName), let note = try? JSONDecoder().decode(DownloadNote.self, from: data),
            let size = try? FileManager.default.attributesOfItem(atPath: partPath)[.size] as? NSNumber
        else { return nil }
        return (note, size.int64Value)
    }

    /// Makes an empty part. Writes its note first, so that a part never belongs to an older note.
    func begin(_ note: DownloadNote) throws -> OutputFile {
        discard()
        try willChange(.beginPart)
        guard let data = try? JSONEncoder().encode(note) else {
            throw FileError(.other, path: partPath, reason: "note")
        }
        do {
            try notes.write(data, to: noteName)
        } catch let error as FileError {
            throw error
        } catch {
            throw FileError(.permissionDenied, path: destination.path, reason: error.localizedDescription)
        }
        return try OutputFile(path: partPath, at: .beginning)
    }

    func continuePart() throws -> OutputFile {
        try OutputFile(path: partPath, at: .end)
    }

    /// Moves the complete part to the destination.
    func complete() throws {
        try willChange(.installFile)
        try OutputFile.move(partPath, to: destination.path)
        try? notes.remove(noteName)
    }

    func discard() {
        guard (try? willChange(.discardPart)) != nil else { return }
        try? FileManager.default.removeItem(atPath: partPath)
        try? notes.remove(noteName)
    }

    /// Computes the part's SHA-256 in hexadecimal.
    func digest() throws -> String {
        try Self.digest(ofFile: partPath)
    }

    /// Computes a file's SHA-256 in hexadecimal. Holds one piece of it in memory at a time.
    static func digest(ofFile path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var hash = SHA256()
        while let piece = try file.read(upToCount: 256 << 10), !piece.isEmpty { hash.update(data: piece) }
        return Hexadecimal.encode(hash.finalize())
    }
}
