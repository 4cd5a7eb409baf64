import Crypto
import Foundation

/// What a download knows of the file it is fetching; written beside the part that is there.
struct DownloadNote: Codable, Sendable, Equatable {
    var contentId: String
    /// The whole file's size in bytes.
    var size: Int64
    /// The whole file's, in hexadecimal.
    var sha256: String
    /// The server's strong ETag; `nil` where it gave none, or a weak one: such a part can't be continued.
    var etag: String?
}

/// The files of one download: the destination, the part that has arrived, and the note beside it.
struct DownloadFiles: Sendable {
    let destination: URL

    var partPath: String { destination.path + ".part" }
    private var notes: FolderStore { FolderStore(folder: destination.deletingLastPathComponent()) }
    private var noteName: String { destination.lastPathComponent + ".part.json" }

    /// The note and how many bytes are there; `nil` where there is no part to go on with.
    func resumable() -> (note: DownloadNote, received: Int64)? {
        guard let data = try? notes.read(noteName), let note = try? JSONDecoder().decode(DownloadNote.self, from: data),
            let size = try? FileManager.default.attributesOfItem(atPath: partPath)[.size] as? NSNumber
        else { return nil }
        return (note, size.int64Value)
    }

    /// Makes an empty part with its note: the note comes first, so that a part is never older than its note.
    func begin(_ note: DownloadNote) throws -> OutputFile {
        discard()
        guard let data = try? JSONEncoder().encode(note) else {
            throw StorageError(.other, path: partPath, reason: "note")
        }
        do {
            try notes.write(data, to: noteName)
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.permissionDenied, path: destination.path, reason: error.localizedDescription)
        }
        return try OutputFile(path: partPath, at: .beginning)
    }

    func goOn() throws -> OutputFile {
        try OutputFile(path: partPath, at: .end)
    }

    /// Puts the part in the destination's place.
    func complete() throws {
        try OutputFile.move(partPath, to: destination.path)
        try? notes.remove(noteName)
    }

    func discard() {
        try? FileManager.default.removeItem(atPath: partPath)
        try? notes.remove(noteName)
    }

    /// The part's SHA-256 in hexadecimal, read in pieces.
    func digest() throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: partPath))
        defer { try? file.close() }
        var hash = SHA256()
        while let piece = try file.read(upToCount: 256 << 10), !piece.isEmpty { hash.update(data: piece) }
        return Array(hash.finalize()).hexadecimal
    }
}
