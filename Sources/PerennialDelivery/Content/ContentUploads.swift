import BaseEncoding
import Crypto
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension ContentLibrary {
    /// The longest file that is uploaded, in bytes; a limit of this store.
    package static let maximumUpload: Int64 = 4 << 30

    /// Writes a file beside the others, which gets its path when the caller gives it.
    ///
    /// - Parameters:
    ///   - chunks: The file's bytes in order.
    ///   - path: Relative to the folder. Its folders are made.
    ///   - place: Called with the complete file, which is on the disk. Without its path afterwards the file is deleted.
    /// - Returns: The value of `place`.
    /// - Throws: ``ContentLibraryError``: `forbiddenPath` for a path that leads out. The error of `place`.
    package func add<Chunks: AsyncSequence, Value>(
        _ chunks: Chunks, as path: String, place: (ContentUpload) async throws -> Value
    ) async throws -> Value where Chunks.Element: Sequence<UInt8> {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !components.contains(where: { $0.isEmpty || $0.hasPrefix(".") }), !path.utf8.contains(0) else {
            throw ContentLibraryError(.forbiddenPath, path, "a content file is named by a path inside of the folder")
        }
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
        let value = try await place(
            ContentUpload(size: size, sha256: digest, path: path, temporary: temporary, target: "\(root)/\(path)"))
        // The first customer needn't wait for the digest.
        _ = try? await metadata(of: path)
        return value
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

    /// Deletes an uploaded file. A path that leads out of the folder deletes nothing.
    package func remove(_ path: String) {
        guard Self.isInside(path) else { return }
        try? FileManager.default.removeItem(atPath: "\(root)/\(path)")
    }
}

/// A complete upload, which has no path yet.
package struct ContentUpload: Sendable {
    /// The size in bytes.
    package let size: Int64
    package let sha256: [UInt8]
    let path: String
    let temporary: String
    let target: String

    package var hexDigest: String { Hexadecimal.encode(sha256) }

    /// Gives the file its path, in place of another file that has it. May be called again.
    ///
    /// - Throws: ``ContentLibraryError`` with `unreadable`.
    package func place() throws {
        let link = "\(temporary)-placed"
        defer { try? FileManager.default.removeItem(atPath: link) }
        do {
            try FileManager.default.linkItem(atPath: temporary, toPath: link)
        } catch {
            throw ContentLibraryError(.unreadable, path, "\(error)")
        }
        guard rename(link, target) == 0 else {
            throw ContentLibraryError(.unreadable, path, String(cString: strerror(errno)))
        }
    }
}
