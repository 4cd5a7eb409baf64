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
///
/// The names of part and note begin with a dot, as no content's does (``FileNames``): so the part of `a` isn't the content `a.part`.
struct DownloadFiles: Sendable {
    let destination: URL
    /// Called before each change.
    var willChange: DownloadFileGuard = { _ in }

    private static let partEnding = ".part"
    private static let noteEnding = ".part.json"

    private var folder: URL { destination.deletingLastPathComponent() }
    var partPath: String { folder.appendingPathComponent(Self.partName(of: destination.lastPathComponent)).path }
    private var notes: FolderStore { FolderStore(folder: folder) }
    private var noteName: String { Self.noteName(of: destination.lastPathComponent) }

    /// Returns the name of a file's part.
    static func partName(of name: String) -> String { ".\(name)\(partEnding)" }
    /// Returns the name of a part's note.
    static func noteName(of name: String) -> String { ".\(name)\(noteEnding)" }

    /// True for the name of a part's note.
    static func isNote(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(noteEnding) }

    /// Gives a part that an earlier version of this library has left the names of this one.
    func adoptEarlierPart(of contentId: String) {
        let name = destination.lastPathComponent
        guard resumable() == nil, let data = try? notes.read(name + Self.noteEnding),
            let note = try? JSONDecoder().decode(DownloadNote.self, from: data), note.contentId == contentId,
            (try? OutputFile.move(destination.path + Self.partEnding, to: partPath)) != nil
        else { return }
        try? OutputFile.move(destination.path + Self.noteEnding, to: folder.appendingPathComponent(noteName).path)
    }

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
