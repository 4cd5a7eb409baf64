import CSQLite

/// The write-ahead log that an earlier process may have left.
enum SQLiteLog {
    /// Bytes per write; SQLite's files take at most 131,071 at once.
    private static let chunkBytes: Int64 = 1 << 16

    /// Overwrites the log with its own bytes and syncs them, so that the disk holds all of it.
    ///
    /// After a failed sync the log is complete in the system's page cache, and SQLite recovers all of it. But the pages that
    /// weren't written count as clean: no later sync writes them, and after a power failure everything behind them is gone.
    ///
    /// It takes time only after a process that ended without closing the file: closing removes the log.
    /// - Throws: ``StorageError``, with `busy` if another process writes.
    static func rewrite(_ path: String, on handle: SQLiteHandle) throws {
        // Blocks other writers meanwhile, and makes SQLite open the log.
        try handle.run("BEGIN IMMEDIATE")
        defer { try? handle.run("ROLLBACK") }
        var found: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle.pointer, "main", SQLITE_FCNTL_JOURNAL_POINTER, &found) == SQLITE_OK,
            let file = found, let methods = file.pointee.pMethods?.pointee
        else { return }
        var size: Int64 = 0
        try check(methods.xFileSize(file, &size), path)
        guard size > 0 else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(min(size, chunkBytes)), alignment: 8)
        defer { buffer.deallocate() }
        var position: Int64 = 0
        while position < size {
            let count = Int32(min(chunkBytes, size - position))
            try check(methods.xRead(file, buffer.baseAddress, count, position), path)
            try check(methods.xWrite(file, buffer.baseAddress, count, position), path)
            position += Int64(count)
        }
        try check(methods.xSync(file, SQLITE_SYNC_NORMAL), path)
    }

    private static func check(_ code: Int32, _ path: String) throws {
        guard code != SQLITE_OK else { return }
        throw StorageError(
            .resources, "\(path)-wal",
            "The log can't be made durable (SQLite \(code)): \(String(cString: sqlite3_errstr(code))). Mend the disk or make room; "
                + "the database and its log belong together.")
    }
}
