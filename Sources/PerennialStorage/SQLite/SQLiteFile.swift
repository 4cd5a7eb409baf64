import CSQLite
import Dispatch
import Foundation
import Logging

/// A SQLite file in WAL mode: one thread writes, a few read and one scans, each with a connection of its own.
final class SQLiteFile: DatabaseBackend {
    private let reads: TaskQueue
    private let scans: TaskQueue
    private let writes: TaskQueue
    /// The group of all threads.
    private let threads = DispatchGroup()
    private let stop: WriteStop

    /// Kibibytes of pages that the writer caches: it touches more of them than any reader, at random.
    private static let writerCacheKibibytes = 131_072
    /// Kibibytes of pages that the connection of scans caches: the inner pages of a few indexes, and the pages between them.
    private static let scanCacheKibibytes = 2_048
    /// Bytes that the write-ahead log keeps on disk after a checkpoint.
    private static let logBytesMax = 256 << 20

    /// - Throws: ``StorageError`` with `cannotOpen`, `corrupt` or `busy`.
    init(path: String, options: DatabaseOptions, logger: Logger) throws {
        reads = TaskQueue(waitingMax: options.waitingMax)
        scans = TaskQueue(waitingMax: options.waitingMax)
        writes = TaskQueue(waitingMax: options.waitingMax)
        stop = WriteStop(path: path, logger: logger)
        OwnerOnly.restrictDatabase(path, logger: logger)
        let checkpoints = SQLiteCheckpointScheduler(path: path, options, stop: stop)
        let opened = BlockingResult<Void>()
        // The threads other than the writer's, which close their connections before it does.
        let others = DispatchGroup()
        WorkerThread.start("sqlite-writer", in: threads) { [writes, stop] in
            do {
                let handle = try Self.openForWriting(path, options)
                opened.fulfil(.success(()))
                withExtendedLifetime(handle) {
                    Self.serve(writes, on: handle, checkpoints, stop, options)
                    checkpoints.close()
                    others.wait()
                }
                // When its last connection closes, SQLite copies the log into the database and removes it, so that the file
                // alone is the whole database. After a failure the copy can't be relied on: see ``WriteStop``.
                if stop.reason != nil { handle.keepOpen() }
            } catch {
                opened.fulfil(.failure(error))
            }
        }
        try opened.wait()
        startThread("sqlite-checkpoints", in: others) { checkpoints.run() }
        for number in 1...max(1, options.readers) {
            startThread("sqlite-reader-\(number)", in: others) { [reads] in
                Self.serve(reads, from: path, options)
            }
        }
        startThread("sqlite-scans", in: others) { [scans] in
            Self.serve(scans, from: path, cacheKibibytes: Self.scanCacheKibibytes, options)
        }
    }

    private func startThread(_ name: String, in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        WorkerThread.start(name, in: threads) {
            body()
            group.leave()
        }
    }

    func submit(_ task: DatabaseTask) {
        switch task.access {
        case .read: reads.put(task)
        case .scan: scans.put(task)
        case .write:
            if let reason = stop.reason { task.fail(reason) } else { writes.put(task) }
        }
    }

    var writesStopped: StorageError? { stop.reason }

    func stopAccepting() {
        reads.close()
        scans.close()
        writes.close()
    }

    func waitUntilFinished() {
        threads.wait()
    }

    /// Opens the connection of the writer.
    ///
    /// Processes that open a new file at once all switch it to WAL mode, where SQLite doesn't wait for locks: a busy file
    /// is tried again for as long as locks are waited for elsewhere.
    private static func openForWriting(_ path: String, _ options: DatabaseOptions) throws -> SQLiteHandle {
        // An attempt may itself have waited as long.
        let end = DispatchTime.now() + .milliseconds(options.lockTimeoutMilliseconds)
        while true {
            do {
                return try openOnce(path, options)
            } catch let error as StorageError where error.code == .busy && DispatchTime.now() < end {
                WorkerThread.pause()
            }
        }
    }

    private static func openOnce(_ path: String, _ options: DatabaseOptions) throws -> SQLiteHandle {
        let handle = try SQLiteHandle(
            path: path, .readWrite, lockTimeoutMilliseconds: options.lockTimeoutMilliseconds)
        do {
            // ``SQLiteCheckpointScheduler`` does it.
            try handle.run("PRAGMA wal_autocheckpoint = 0")
            guard try handle.pragma("PRAGMA journal_mode = WAL") == "wal" else {
                throw StorageError(.cannotOpen, path, "SQLite can't keep a write-ahead log beside the file")
            }
            try SQLiteLog.rewrite(path, on: handle)
            try handle.run("PRAGMA synchronous = FULL")
            try handle.run("PRAGMA journal_size_limit = \(logBytesMax)")
            try handle.run("PRAGMA cache_size = -\(writerCacheKibibytes)")
            return handle
        } catch let error as StorageError {
            throw StorageError(opening: path, error)
        }
    }

    private static func serve(
        _ writes: TaskQueue, on handle: SQLiteHandle, _ checkpoints: SQLiteCheckpointScheduler, _ stop: WriteStop,
        _ options: DatabaseOptions
    ) {
        let log = SQLiteLogLength()
        log.observe(handle)
        defer { log.ignore(handle) }
        let commits = GroupCommit(
            connection: SQLiteConnection(handle, options), faults: options.faults, stop: stop)
        while let group = writes.take(max: options.groupMax) {
            commits.run(group)
            checkpoints.committed(pages: log.pages)
        }
    }

    /// Runs reads on a connection that is opened for the first of them. If it can't be opened, the read fails.
    ///
    /// - Parameter cacheKibibytes: The pages that the connection caches; `nil` for the usual number.
    private static func serve(
        _ reads: TaskQueue, from path: String, cacheKibibytes: Int? = nil, _ options: DatabaseOptions
    ) {
        var connection: SQLiteConnection?
        while let tasks = reads.take(max: 1) {
            for task in tasks {
                do {
                    let open = try connection ?? SQLiteConnection(readingFrom: path, cacheKibibytes, options)
                    connection = open
                    open.read(task)
                } catch {
                    task.fail(error)
                }
            }
        }
    }
}

extension SQLiteConnection {
    fileprivate convenience init(
        readingFrom path: String, _ cacheKibibytes: Int?, _ options: DatabaseOptions
    ) throws {
        let handle = try SQLiteHandle(path: path, .readOnly, lockTimeoutMilliseconds: options.lockTimeoutMilliseconds)
        if let cacheKibibytes { try handle.run("PRAGMA cache_size = -\(cacheKibibytes)") }
        self.init(handle, options)
    }
}

/// The length of the log, which SQLite reports to the writer after each commit.
private final class SQLiteLogLength {
    private(set) var pages = 0

    /// Listens to the commits of a connection, which must not outlive this.
    func observe(_ handle: SQLiteHandle) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            handle.pointer,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<SQLiteLogLength>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
                return SQLITE_OK
            }, context)
    }

    /// Stops listening.
    func ignore(_ handle: SQLiteHandle) {
        sqlite3_wal_hook(handle.pointer, nil, nil)
    }
}
