import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A directory of small secret files that survive crashes: each is written to a temporary file, synced and renamed.
struct DurableDirectory {
    /// The largest file that is read, in bytes; keys and certificates are far smaller.
    static let maximumFileSize = 65_536
    /// Longest wait for the lock, which is held while keys are made.
    private static let lockLimit = Duration.seconds(60)

    private let directory: String

    init(_ url: URL) {
        directory = url.path
    }

    func path(_ file: String) -> String { directory + "/" + file }

    func contains(_ file: String) -> Bool { access(path(file), F_OK) == 0 }

    /// True if the directory has a private key.
    var holdsKeys: Bool {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return files.contains { $0.hasSuffix(IdentityFile.key("")) }
    }

    /// Creates the directory with mode 0700, and its parents, unless it exists.
    func create() throws(SigningIdentitiesError) {
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw SigningIdentitiesError(.unwritable, file: directory, reason: error.localizedDescription)
        }
        guard chmod(directory, 0o700) == 0 else { throw failure(.unwritable, directory) }
    }

    func read(_ file: String) throws(SigningIdentitiesError) -> [UInt8] {
        let descriptor = open(path(file), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(.unreadable, path(file)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(.unreadable, path(file)) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= Self.maximumFileSize else {
                throw SigningIdentitiesError(
                    .unreadable, file: path(file), reason: "larger than \(Self.maximumFileSize) bytes")
            }
        }
    }

    /// Removes the permissions of everyone but the owner from a file, unless it belongs to another user.
    func restrict(_ file: String) {
        _ = chmod(path(file), 0o600)
    }

    /// Writes a file atomically: after a crash it has its new or its old contents.
    func write(_ bytes: [UInt8], as file: String, mode: mode_t) throws(SigningIdentitiesError) {
        let temporary = path("." + file + ".new")
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(.unwritable, temporary) }
        let isWritten = Self.write(bytes, to: descriptor) && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
        let writeError = errno
        close(descriptor)
        guard isWritten else {
            unlink(temporary)
            throw failure(.unwritable, temporary, code: writeError)
        }
        guard rename(temporary, path(file)) == 0 else { throw failure(.unwritable, path(file)) }
        try sync()
    }

    func remove(_ file: String) {
        unlink(path(file))
    }

    /// Locks the directory against other processes and threads until the lock is released.
    func lock() throws(SigningIdentitiesError) -> FileLock {
        do {
            return try FileLock(path: path(".lock"), limit: Self.lockLimit)
        } catch {
            throw SigningIdentitiesError(.unwritable, file: path(".lock"), reason: error.reason)
        }
    }

    /// Syncs the directory, which makes the renaming durable.
    private func sync() throws(SigningIdentitiesError) {
        let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(.unwritable, directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(.unwritable, directory) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var position = 0
        while position < bytes.count {
            let count = bytes[position...].withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            position += count
        }
        return true
    }

    private func failure(
        _ code: SigningIdentitiesError.Code, _ file: String, code error: CInt = errno
    ) -> SigningIdentitiesError {
        SigningIdentitiesError(code, file: file, reason: String(cString: strerror(error)))
    }
}

private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

private func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(descriptor, buffer.baseAddress, buffer.count)
}
