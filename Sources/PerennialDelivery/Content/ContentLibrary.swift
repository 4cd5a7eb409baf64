import Crypto
import Dispatch
import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The seller's folder of content files.
///
/// Opens nothing outside of the folder: no `..`, no absolute path, no symbolic link that leads out. Links inside are followed.
/// A file's digest is computed once, and again when its dates, size or inode change.
package final class ContentLibrary: Sendable {
    /// Bytes in one read of a digest's computation.
    private static let chunkSize = 256 << 10
    /// Files that are hashed in parallel.
    private static let hashingWidth = 4
    /// Files that are described in parallel.
    private static let describingWidth = 16

    let root: String
    private let digests: ContentDigests
    private let files = DispatchQueue(label: "perennial.delivery.files", attributes: .concurrent)
    /// Queues for hashing. A file always goes to the same queue, so that a second request finds the digest of the first.
    private let hashing = (0..<hashingWidth).map { DispatchQueue(label: "perennial.delivery.digests.\($0)") }

    /// - Parameter digests: Path of the digests' cache file; `nil` caches in memory only.
    /// - Throws: ``ContentLibraryError`` with `noFolder`.
    package init(root: String, digests: String? = nil) throws {
        var isFolder: ObjCBool = false
        guard let resolved = Self.resolve(root),
            FileManager.default.fileExists(atPath: resolved, isDirectory: &isFolder), isFolder.boolValue
        else {
            throw ContentLibraryError(.noFolder, root, "content is delivered from a folder, and there is none")
        }
        self.root = resolved
        self.digests = ContentDigests(path: digests)
    }

    /// Opens a file by its path relative to the folder.
    ///
    /// - Throws: ``ContentLibraryError``.
    package func open(_ path: String) async throws -> ContentFile {
        let (descriptor, identity) = try await run(on: files) { [self] in
            let descriptor = try openInside(path)
            return (descriptor, try FileIdentity(descriptor, path))
        }
        let digest = try await digest(of: descriptor, identity, path)
        let metadata = FileMetadata(size: identity.size, sha256: digest, modified: identity.modified)
        return ContentFile(metadata: metadata, descriptor: descriptor)
    }

    /// Returns a file's metadata.
    ///
    /// - Throws: ``ContentLibraryError``.
    package func metadata(of path: String) async throws -> FileMetadata {
        try await open(path).metadata
    }

    /// Returns the metadata of several files by path.
    package func metadata(of paths: [String]) async -> [String: Result<FileMetadata, any Error>] {
        await withTaskGroup(of: (String, Result<FileMetadata, any Error>).self) { group in
            var found: [String: Result<FileMetadata, any Error>] = [:]
            var rest = Set(paths).sorted()[...]
            func describeNext() {
                guard let path = rest.popFirst() else { return }
                group.addTask { [self] in
                    do {
                        return (path, .success(try await metadata(of: path)))
                    } catch {
                        return (path, .failure(error))
                    }
                }
            }
            for _ in 0..<Self.describingWidth { describeNext() }
            while let (path, result) = await group.next() {
                found[path] = result
                describeNext()
            }
            return found
        }
    }

    /// Returns a file's size without reading it.
    ///
    /// - Throws: ``ContentLibraryError``.
    package func size(of path: String) async throws -> Int64 {
        try await run(on: files) { [self] in try FileIdentity(openInside(path), path).size }
    }

    // MARK: Opening

    /// Returns true for a path that leads nowhere outside of the folder by its own components.
    static func isInside(_ path: String) -> Bool {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.utf8.contains(0) && !components.contains { $0.isEmpty || $0 == "." || $0 == ".." }
    }

    private func openInside(_ path: String) throws -> Descriptor {
        guard Self.isInside(path) else {
            throw ContentLibraryError(.forbiddenPath, path, "a content file is named by a path inside of the folder")
        }
        guard let resolved = Self.resolve("\(root)/\(path)") else {
            throw ContentLibraryError(.fileNotFound, path, "there is no such file in the content folder")
        }
        let prefix = root == "/" ? root : root + "/"
        guard resolved.hasPrefix(prefix) else {
            throw ContentLibraryError(.forbiddenPath, path, "a link leads out of the content folder")
        }
        return try walk(resolved.dropFirst(prefix.count).split(separator: "/"), path)
    }

    /// Opens a path without links, component by component, so that a link that is made in between isn't followed.
    private func walk(_ components: [Substring], _ path: String) throws -> Descriptor {
        var current = Descriptor(folder: root)
        for (index, component) in components.enumerated() {
            guard current.number >= 0 else { break }
            let kind = index == components.count - 1 ? O_NONBLOCK : O_DIRECTORY
            current = Descriptor(String(component), in: current, flags: O_NOFOLLOW | kind)
        }
        guard current.number >= 0 else {
            throw ContentLibraryError(.unreadable, path, String(cString: strerror(errno)))
        }
        return current
    }

    private static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    // MARK: Digests

    private func digest(of descriptor: Descriptor, _ identity: FileIdentity, _ path: String) async throws -> [UInt8] {
        if let known = digests.digest(of: identity) { return known }
        let isCancelled = Mutex(false)
        let queue = hashing[Int(identity.inode % UInt64(truncatingIfNeeded: hashing.count))]
        return try await withTaskCancellationHandler {
            try await run(on: queue) { [self] in
                try computeDigest(descriptor, identity, path) { isCancelled.withLock { $0 } }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    private func computeDigest(
        _ descriptor: Descriptor, _ identity: FileIdentity, _ path: String, isCancelled: () -> Bool
    ) throws -> [UInt8] {
        if let known = digests.digest(of: identity) { return known }
        var hash = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 16)
        defer { buffer.deallocate() }
        var position: Int64 = 0
        while position < identity.size {
            guard !isCancelled() else { throw CancellationError() }
            let count = try descriptor.read(into: buffer, at: position)
            if count == 0 { break }
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += Int64(count)
        }
        // A file that changes during the computation has no digest.
        guard position == identity.size, try FileIdentity(descriptor, path) == identity else {
            throw ContentLibraryError(.unreadable, path, "the file is changing")
        }
        let digest = Array(hash.finalize())
        digests.insert(digest, of: identity)
        return digest
    }

    private func run<Value: Sendable>(
        on queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
