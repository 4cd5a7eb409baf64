import BaseEncoding
import Crypto
import Foundation

extension ContentLibrary {
    /// The longest file that is uploaded, in bytes; a limit of this store.
    package static let maximumUpload: Int64 = 4 << 30

    /// Writes a new file. It appears under its path when it is complete and on the disk.
    ///
    /// - Parameters:
    ///   - chunks: The file's bytes in order.
    ///   - path: Relative to the folder. Its folders are made.
    /// - Throws: ``ContentLibraryError``: `forbiddenPath` for a path that leads out, or one that a file has.
    package func add<Chunks: AsyncSequence>(_ chunks: Chunks, as path: String) async throws -> FileMetadata
    where Chunks.Element: Sequence<UInt8> {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !components.contains(where: { $0.isEmpty || $0.hasPrefix(".") }), !path.utf8.contains(0) else {
            throw ContentLibraryError(.forbiddenPath, path, "a content file is named by a path inside of the folder")
        }
        let target = "\(root)/\(path)"
        let folder = components.dropLast().joined(separator: "/")
        // Uploads of one path may run at once.
        let name = SymmetricKey(size: .bits128).withUnsafeBytes { Hexadecimal.encode($0) }
        let temporary = "\(root)/.upload-\(name)"
        defer { try? FileManager.default.removeItem(atPath: temporary) }
        let (size, digest) = try await write(chunks, to: temporary, path)
        do {
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        } catch {
            throw ContentLibraryError(.unreadable, path, "\(error)")
        }
        do {
            // A link fails where a file has the name, which a renaming would replace.
            try FileManager.default.linkItem(atPath: temporary, toPath: target)
        } catch {
            let isTaken = FileManager.default.fileExists(atPath: target)
            throw ContentLibraryError(
                isTaken ? .forbiddenPath : .unreadable, path, isTaken ? "there is a file of that name" : "\(error)")
        }
        let written = try await metadata(of: path)
        return FileMetadata(size: size, sha256: digest, modified: written.modified)
    }

    private func write<Chunks: AsyncSequence>(
        _ chunks: Chunks, to file: String, _ path: String
    ) async throws -> (size: Int64, digest: [UInt8]) where Chunks.Element: Sequence<UInt8> {
        guard FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: file)
        else { throw ContentLibraryError(.unreadable, path, "the content folder can't be written") }
        defer { try? handle.close() }
        var (hash, size) = (SHA256(), Int64(0))
        for try await chunk in chunks {
            let data = Data(chunk)
            size += Int64(data.count)
            guard size <= Self.maximumUpload else {
                throw ContentLibraryError(.forbiddenPath, path, "a file has at most \(Self.maximumUpload) bytes")
            }
            hash.update(data: data)
            do {
                try handle.write(contentsOf: data)
            } catch {
                throw ContentLibraryError(.unreadable, path, "\(error)")
            }
        }
        try handle.synchronize()
        return (size, Array(hash.finalize()))
    }

    /// Deletes a file that ``add(_:as:)`` wrote, and whose place in the catalog was refused.
    package func remove(_ path: String) { try? FileManager.default.removeItem(atPath: "\(root)/\(path)") }
}
