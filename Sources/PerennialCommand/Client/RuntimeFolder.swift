import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The user's folder with a state file for each running store.
///
/// It is `perennial` in `XDG_RUNTIME_DIR`, or a private folder in the folder for temporary files. A state file has the
/// contents of the ready file. Its server holds a lock on it, which the system releases when the process ends, however
/// it ends: a file that isn't locked is stale.
struct RuntimeFolder: Sendable {
    static let variable = "PERENNIAL_RUNTIME_DIR"

    private static let stateSuffix = ".store.json"
    private static let lockSuffix = ".lock"
    /// Another process may remove the empty folder just before a file is made in it.
    private static let attempts = 5

    let path: String

    init(variables: [String: String] = ProcessInfo.processInfo.environment) {
        if let named = variables[Self.variable], !named.isEmpty {
            path = named
        } else if let runtime = variables["XDG_RUNTIME_DIR"], FileManager.default.isWritableFile(atPath: runtime) {
            path = runtime + "/perennial"
        } else {
            path = FileManager.default.temporaryDirectory.appending(path: "perennial-\(getuid())").path
        }
    }

    /// Publishes a store to the other commands of this user, until the returned file is removed.
    ///
    /// - Throws: ``CommandError`` if the folder is another user's or can't be written to.
    func publish(_ contents: Data) throws -> LockedFile {
        try makeFile("\(SecureRandom.hex(8))\(Self.stateSuffix)", contents: contents)
    }

    /// Removes a file of this folder, and the folder with its last file.
    func remove(_ file: LockedFile) {
        file.remove()
        removeUnfinishedFiles()
        rmdir(path)
    }

    /// Makes a folder that exists as long as this process.
    ///
    /// A folder that a killed process left is removed by the next call of this function or of ``stateFiles()``.
    ///
    /// - Returns: Its path, and the lock that keeps it.
    /// - Throws: ``CommandError``.
    func makeTemporaryFolder(named kind: String = "in-memory") throws -> (path: String, lock: LockedFile) {
        removeStaleFolders()
        removeUnfinishedFiles()
        let name = "\(kind)-\(SecureRandom.hex(8))"
        return ("\(path)/\(name)", try makeFile(name + Self.lockSuffix, contents: Data()))
    }

    /// Makes a folder for its owner only that goes with a command; if the command is killed, with the next one.
    ///
    /// - Throws: ``CommandError``, or an error of the file system.
    func makeTemporaryFolder(named kind: String, _ cleanup: Cleanup) throws -> URL {
        let (path, lock) = try makeTemporaryFolder(named: kind)
        cleanup.add { [self] in
            try? FileManager.default.removeItem(atPath: path)
            remove(lock)
        }
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return URL(filePath: path, directoryHint: .isDirectory)
    }

    /// Returns the stores that run now.
    func runningStores() -> [ReadyStore] { stateFiles().compactMap { try? ReadyStore(file: $0) } }

    /// Returns the state files of the stores that run now, and removes those of the others.
    func stateFiles() -> [String] {
        guard isPrivate else { return [] }
        removeStaleFolders()
        removeUnfinishedFiles()
        return files(Self.stateSuffix).filter { file in
            if LockedFile.isHeld(file) { return true }
            unlink(file)
            return false
        }
    }

    private func removeStaleFolders() {
        guard isPrivate else { return }
        for lock in files(Self.lockSuffix) where !LockedFile.isHeld(lock) {
            try? FileManager.default.removeItem(atPath: String(lock.dropLast(Self.lockSuffix.count)))
            unlink(lock)
        }
    }

    /// Removes the files of processes that were killed before they gave them their names.
    ///
    /// A process that loses its file between opening and locking it makes another one.
    private func removeUnfinishedFiles() {
        guard isPrivate else { return }
        for file in files(LockedFile.unfinishedSuffix) where !LockedFile.isHeld(file) { unlink(file) }
    }

    private func files(_ suffix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { "\(path)/\($0)" }
    }

    private func makeFile(_ name: String, contents: Data) throws -> LockedFile {
        for _ in 1..<Self.attempts {
            try prepare()
            if let file = try? LockedFile("\(path)/\(name)", contents: contents) { return file }
        }
        try prepare()
        return try LockedFile("\(path)/\(name)", contents: contents)
    }

    private func prepare() throws {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard isPrivate else {
            throw CommandError("\(path) is not a folder of this user alone: name another one in \(Self.variable)")
        }
    }

    /// True for a folder, not a link to one, that this user owns and others can't enter.
    private var isPrivate: Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid() else {
            return false
        }
        return status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0
    }
}

/// A file that this process keeps locked.
final class LockedFile: Sendable {
    /// The end of the file's name until it is written and locked.
    static let unfinishedSuffix = ".new"

    let path: String
    private let descriptor: Int32

    /// Writes a file for its owner only, and locks it before it appears under its name.
    ///
    /// - Throws: ``CommandError``.
    init(_ path: String, contents: Data) throws {
        let temporary = path + Self.unfinishedSuffix
        self.path = path
        descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw CommandError("\(path) can't be written: \(String(cString: strerror(errno)))")
        }
        // Locked before it is written, so that it isn't taken for a file of a killed process.
        let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        let isWritten = contents.withUnsafeBytes { bytes in
            bytes.isEmpty || write(descriptor, bytes.baseAddress, bytes.count) == bytes.count
        }
        guard isLocked, isWritten, rename(temporary, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(temporary)
            throw CommandError("\(path) can't be written: \(reason)")
        }
    }

    deinit { close(descriptor) }

    /// Removes the file. The lock lasts until the value is released.
    func remove() { unlink(path) }

    /// True if a process keeps a file locked.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}
