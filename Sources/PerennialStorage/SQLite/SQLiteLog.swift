import GRDBSQLite

/// The file of the write-ahead log, which an earlier process may have left.
enum SQLiteLog {
    /// SQLite's files take at most 131,071 bytes at once.
    private static let chunkBytes: Int64 = 1 << 16

    /// Writes the log's bytes over themselves and syncs them, so that what is read of it is on the disk.
    ///
    /// A log whose last sync failed is whole in the system's memory, and SQLite recovers all of it; but the pages that weren't
    /// written count as clean, so no sync would write them, and after a loss of power everything behind them would be gone.
    ///
    /// It takes time only where a process has ended without closing the file: closing removes the log.
    /// - Throws: ``StorageError``, with `busy` where another process writes.
    static func rewrite(_ path: String, on handle: OpaquePointer) throws {
        // Other writers wait meanwhile. It also makes SQLite open the log.
        try SQLiteScript.run("BEGIN IMMEDIATE", on: handle)
        defer { try? SQLiteScript.run("ROLLBACK", on: handle) }
        var found: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &found) == SQLITE_OK,
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
