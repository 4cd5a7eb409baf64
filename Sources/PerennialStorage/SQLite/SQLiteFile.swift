import Dispatch
import Foundation
import GRDB
import Logging

/// A SQLite file in WAL mode: one thread writes, a few read, each keeping a connection of GRDB's pool for itself.
final class SQLiteFile: Backend {
    private let reads: WorkQueue
    private let writes: WorkQueue
    private let threads = DispatchGroup()
    private let pool: DatabasePool
    private let stop: WriteStop

    /// Kibibytes of pages that the writer keeps: it touches more of them than any reader, at random.
    private static let writerCacheKibibytes = 131_072
    /// Bytes that the write-ahead log keeps on disk after a checkpoint.
    private static let logBytesMax = 256 << 20

    /// - Throws: ``StorageError`` with `cannotOpen`, `corrupt` or `busy`.
    init(path: String, options: DatabaseOptions, logger: Logger) throws {
        reads = WorkQueue(waitingMax: options.waitingMax)
        writes = WorkQueue(waitingMax: options.waitingMax)
        OwnerOnly.restrictDatabase(path, logger: logger)
        let pool = try Self.open(path, options)
        self.pool = pool
        // SQLite copies the log when the last connection closes, and removes it: after a failure none may close.
        let stop = WriteStop(path: path, logger: logger) { _ = Unmanaged.passRetained(pool) }
        self.stop = stop
        let checkpoints = SQLiteCheckpoints(path: path, options, stop: stop)
        WorkerThread.start("sqlite-checkpoints", in: threads) { checkpoints.run() }
        WorkerThread.start("sqlite-writer", in: threads) { [writes, pool] in
            pool.writeWithoutTransaction { Self.serve(writes, on: $0, checkpoints, stop, options) }
            checkpoints.close()
        }
        for number in 1...max(1, options.readers) {
            WorkerThread.start("sqlite-reader-\(number)", in: threads) { [reads, pool] in
                Self.read(reads, from: pool, options)
            }
        }
    }

    func submit(_ work: Work) {
        switch work.access {
        case .read: reads.put(work)
        case .write:
            if let reason = stop.reason { work.fail(reason) } else { writes.put(work) }
        }
    }

    var writesStopped: StorageError? { stop.reason }

    func refuseFurtherWork() {
        reads.close()
        writes.close()
    }

    func waitUntilFinished() {
        threads.wait()
        guard stop.reason == nil else { return }
        // Whoever can write goes last: then SQLite carries the log over and takes it away, so that the file alone is the
        // whole database. Not left to the threads' last breath: whoever closed the file may put another one in its place.
        pool.invalidateReadOnlyConnections()
        try? pool.close()
    }

    /// Processes that open a new file at once all turn its log on, and there SQLite lets none wait for another: it is tried
    /// again for as long as others are waited for elsewhere.
    private static func open(_ path: String, _ options: DatabaseOptions) throws -> DatabasePool {
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

    private static func openOnce(_ path: String, _ options: DatabaseOptions) throws -> DatabasePool {
        do {
            let pool = try DatabasePool(path: path, configuration: SQLiteConfiguration.make(options))
            try pool.writeWithoutTransaction { connection in
                guard let handle = connection.sqliteConnection else { return }
                try SQLiteLog.rewrite(path, on: handle)
                // GRDB sets NORMAL when it turns WAL on: a commit would survive a crash of the process, not of the machine.
                try connection.execute(sql: "PRAGMA synchronous = FULL")
                _ = try Int.fetchOne(connection, sql: "PRAGMA journal_size_limit = \(logBytesMax)")
                // ``SQLiteCheckpoints`` does it.
                _ = try Int.fetchOne(connection, sql: "PRAGMA wal_autocheckpoint = 0")
                try connection.execute(sql: "PRAGMA cache_size = -\(writerCacheKibibytes)")
            }
            return pool
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(opening: path, error)
        }
    }

    private static func serve(
        _ writes: WorkQueue, on connection: GRDB.Database, _ checkpoints: SQLiteCheckpoints, _ stop: WriteStop,
        _ options: DatabaseOptions
    ) {
        guard let handle = connection.sqliteConnection else { return }
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

    /// Connections for reading are opened when they are needed, so each may fail to open; then its work fails.
    private static func read(_ queue: WorkQueue, from pool: DatabasePool, _ options: DatabaseOptions) {
        while true {
            do {
                return try pool.unsafeRead { connection in
                    guard let handle = connection.sqliteConnection else { return }
                    let reads = SQLiteReads(
                        connection: SQLiteConnection(handle, options))
                    while let works = queue.take(max: 1) { works.forEach(reads.run) }
                }
            } catch {
                guard let works = queue.take(max: 1) else { return }
                works.forEach { $0.fail(StorageError(opening: pool.path, error)) }
            }
        }
    }
}
