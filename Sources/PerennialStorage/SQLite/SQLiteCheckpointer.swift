import CSQLite

/// Copies the write-ahead log into the database, on its own connections. It belongs to one thread.
///
/// During each checkpoint a second connection reads, which keeps the log from being reset. SQLite before 3.51.3 (3.50.7,
/// 3.44.6) corrupts a database if the log is reset between a checkpoint's look at the log's length and its look at the number
/// of copied pages (sqlite.org/wal.html, "The WAL-Reset Bug"): the new log's pages count as copied.
final class SQLiteCheckpointer {
    /// The state of the log after a checkpoint.
    struct Progress {
        /// Pages in the log.
        let pages: Int
        /// Pages copied into the database, by this checkpoint or an earlier one.
        let copied: Int
    }

    private let copier: SQLiteHandle
    private let reader: SQLiteHandle

    /// - Throws: ``StorageError``.
    init(path: String, lockTimeoutMilliseconds: Int) throws {
        copier = try SQLiteHandle(path: path, .readWrite, lockTimeoutMilliseconds: lockTimeoutMilliseconds)
        reader = try SQLiteHandle(path: path, .readWrite, lockTimeoutMilliseconds: lockTimeoutMilliseconds)
        for handle in [copier, reader] { try handle.run("PRAGMA synchronous = FULL") }
    }

    /// Copies the commits made before it, except pages that another reader still needs.
    ///
    /// - Returns: `nil` if another connection's lock prevented it.
    /// - Throws: ``StorageError`` if the disk failed: then no copied page can be relied on.
    func checkpoint() throws -> Progress? {
        do {
            try reader.run("BEGIN")
            defer { try? reader.run("ROLLBACK") }
            // A transaction holds the log only after its first read, and a connection opens the log only then.
            try reader.run("SELECT 1 FROM sqlite_schema")
            try copier.run("SELECT 1 FROM sqlite_schema")
            var (pages, copied): (Int32, Int32) = (0, 0)
            let code = sqlite3_wal_checkpoint_v2(copier.pointer, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &copied)
            guard code == SQLITE_OK else { throw StorageError(sqlite: copier.pointer, during: "checkpoint") }
            return Progress(pages: Int(pages), copied: Int(copied))
        } catch let error as StorageError where error.code == .busy {
            return nil
        }
    }
}
