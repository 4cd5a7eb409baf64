import CSQLite

/// The content of a SQLite database, with which other databases in memory begin: making a copy costs less than migrating.
package struct SQLiteImage: Sendable {
    fileprivate let bytes: [UInt8]

    /// Bytes of a page; `nil` without a page. Source: SQLite, Database File Format, section 1.3.2.
    var pageBytes: Int? {
        guard bytes.count >= 18 else { return nil }
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        return size == 1 ? 65_536 : size
    }

    /// Copies a database.
    /// - Throws: ``StorageError``; `cannotOpen` for a database on PostgreSQL.
    package init(of database: Database) throws {
        guard database.engine == .sqlite else {
            throw StorageError(.cannotOpen, "\(database.location)", "Only a database on SQLite has an image.")
        }
        bytes = try database.readSync { connection in
            guard let connection = connection as? SQLiteConnection else { return [] }
            var count: sqlite3_int64 = 0
            guard let copy = sqlite3_serialize(connection.handle, "main", &count, 0) else {
                // A database without a page has no bytes.
                if count == 0 { return [] }
                throw StorageError(.cannotOpen, "image", "There is not enough memory for it.")
            }
            defer { sqlite3_free(copy) }
            return Array(UnsafeBufferPointer(start: copy, count: Int(count)))
        }
    }

    /// Replaces the content of an empty database in memory.
    /// - Throws: ``StorageError``.
    func restore(to handle: SQLiteHandle) throws {
        guard !bytes.isEmpty else { return }
        let source = try SQLiteHandle(path: ":memory:", .readWrite, lockTimeoutMilliseconds: 0)
        let size = sqlite3_int64(bytes.count)
        // Outlives the call: the source is closed before the bytes go.
        try bytes.withUnsafeBufferPointer { bytes in
            let isLoaded = sqlite3_deserialize(
                source.pointer, "main", UnsafeMutablePointer(mutating: bytes.baseAddress), size, size,
                UInt32(SQLITE_DESERIALIZE_READONLY))
            guard isLoaded == SQLITE_OK,
                let backup = sqlite3_backup_init(handle.pointer, "main", source.pointer, "main")
            else { throw StorageError(sqlite: source.pointer, during: "image") }
            let isCopied = sqlite3_backup_step(backup, -1)
            sqlite3_backup_finish(backup)
            guard isCopied == SQLITE_DONE else { throw StorageError(sqlite: handle.pointer, during: "image") }
            source.close()
        }
    }
}
