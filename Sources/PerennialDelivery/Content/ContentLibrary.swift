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
/// Nothing outside of the folder is ever opened: not by `..`, not by an absolute path, not through a symbolic link.
/// Links that stay inside are followed. Each file's digest is computed once, and again when its date, size or inode
/// changes.
package final class ContentLibrary: Sendable {
    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let modified: Int64
        let modifiedNanoseconds: Int64
    }

    /// A limit of ours on remembered digests.
    private static let maximumDigests = 100_000
    /// Bytes that are read at once to compute a digest.
    private static let chunkSize = 256 << 10

    private let root: String
    private let digests = Mutex<[Identity: [UInt8]]>([:])
    private let files = DispatchQueue(label: "perennial.delivery.files", attributes: .concurrent)
    /// One digest at a time: a second request for the same new file waits for the first one's and finds it done.
    private let hashing = DispatchQueue(label: "perennial.delivery.digests")

    /// - Throws: ``ContentLibraryError`` with `noFolder`.
    package init(root: String) throws {
        var status = stat()
        guard let resolved = Self.resolve(root), stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ContentLibraryError(.noFolder, root, "content is delivered from a folder, and there is none")
        }
        self.root = resolved
    }

    /// Opens a file by its path relative to the folder.
    /// - Throws: ``ContentLibraryError``.
    package func open(_ path: String) async throws -> ContentFile {
        let (descriptor, identity) = try await run(on: files) { [self] in
            let descriptor = try openInside(path)
            return (descriptor, try Self.identity(of: descriptor, path))
        }
        let digest: [UInt8]
        if let known = digests.withLock({ $0[identity] }) {
            digest = known
        } else {
            digest = try await run(on: hashing) { [self] in try computeDigest(descriptor, identity, path) }
        }
        let facts = ContentFacts(size: identity.size, sha256: digest, modified: identity.modified)
        return ContentFile(facts: facts, descriptor: descriptor)
    }

    /// A file's size and digest.
    /// - Throws: ``ContentLibraryError``.
    package func facts(of path: String) async throws -> ContentFacts {
        try await open(path).facts
    }

    /// A file's size without reading it.
    /// - Throws: ``ContentLibraryError``.
    package func size(of path: String) async throws -> Int64 {
        try await run(on: files) { [self] in try Self.identity(of: openInside(path), path).size }
    }

    // MARK: Opening

    private func openInside(_ path: String) throws -> Descriptor {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.utf8.contains(0), !components.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
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

    /// Opens a path that has no links, component by component: a link that somebody puts there meanwhile is not
    /// followed.
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

    private static func identity(of descriptor: Descriptor, _ path: String) throws -> Identity {
        let status = try descriptor.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ContentLibraryError(.forbiddenPath, path, "it is no regular file")
        }
        #if canImport(Darwin)
            let modified = status.st_mtimespec
        #else
            let modified = status.st_mtim
        #endif
        return Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino),
            size: Int64(status.st_size),
            modified: Int64(modified.tv_sec), modifiedNanoseconds: Int64(modified.tv_nsec))
    }

    // MARK: Digests

    private func computeDigest(_ descriptor: Descriptor, _ identity: Identity, _ path: String) throws -> [UInt8] {
        if let known = digests.withLock({ $0[identity] }) { return known }
        var hash = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 16)
        defer { buffer.deallocate() }
        var position: Int64 = 0
        while position < identity.size {
            let count = try descriptor.read(into: buffer, at: position)
            if count == 0 { break }
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += Int64(count)
        }
        // A file that is being written has no digest yet.
        guard position == identity.size, try Self.identity(of: descriptor, path) == identity else {
            throw ContentLibraryError(.unreadable, path, "the file is changing")
        }
        let digest = Array(hash.finalize())
        digests.withLock { digests in
            if digests.count >= Self.maximumDigests { digests.removeAll() }
            digests[identity] = digest
        }
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
