import GRDBSQLite

/// Copies the write-ahead log into the database, through connections of its own. It belongs to one thread.
///
/// A second connection reads during each checkpoint and so keeps the log from beginning anew. SQLite before 3.51.3 (3.50.7,
/// 3.44.6) corrupts a database where that happens between a checkpoint's look at the log's length and its look at what was copied
/// before (sqlite.org/wal.html, "The WAL-Reset Bug"): a log that begins anew meanwhile counts as copied.
final class SQLiteCheckpointer {
    /// What a checkpoint found.
    struct Progress {
        /// Pages in the log.
        let pages: Int
        /// How many of them have been copied into the database, by this checkpoint or one before it.
        let copied: Int
    }

    private let copier: OpaquePointer
    private let reader: OpaquePointer

    /// - Throws: ``StorageError``.
    init(path: String, lockTimeoutMilliseconds: Int) throws {
        copier = try Self.open(path, lockTimeoutMilliseconds)
        do {
            reader = try Self.open(path, lockTimeoutMilliseconds)
        } catch {
            sqlite3_close(copier)
            throw error
        }
    }

    deinit {
        sqlite3_close(reader)
        sqlite3_close(copier)
    }

    /// Copies the commits that were made before it began, as far as no other reader needs the pages that they replace.
    ///
    /// - Returns: Nil where a lock of another connection held it up.
    /// - Throws: ``StorageError`` where the disk failed: then nothing that was copied may be relied on.
    func checkpoint() throws -> Progress? {
        do {
            try SQLiteScript.run("BEGIN", on: reader)
            defer { try? SQLiteScript.run("ROLLBACK", on: reader) }
            // Only what has been read holds the log, and only a connection that has read knows that there is one.
            try SQLiteScript.run("SELECT 1 FROM sqlite_schema", on: reader)
            try SQLiteScript.run("SELECT 1 FROM sqlite_schema", on: copier)
            var (pages, copied): (Int32, Int32) = (0, 0)
            let code = sqlite3_wal_checkpoint_v2(copier, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &copied)
            guard code == SQLITE_OK else { throw StorageError(sqlite: copier, during: "checkpoint") }
            return Progress(pages: Int(pages), copied: Int(copied))
        } catch let error as StorageError where error.code == .busy {
            return nil
        }
    }

    private static func open(_ path: String, _ lockTimeoutMilliseconds: Int) throws -> OpaquePointer {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close(handle) }
            throw StorageError(sqlite: handle, during: path)
        }
        sqlite3_busy_timeout(handle, Int32(clamping: lockTimeoutMilliseconds))
        do {
            try SQLiteScript.run("PRAGMA synchronous = FULL", on: handle)
        } catch {
            sqlite3_close(handle)
            throw error
        }
        return handle
    }
}
