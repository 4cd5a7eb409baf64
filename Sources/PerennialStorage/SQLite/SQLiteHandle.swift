import CSQLite

/// An open connection of SQLite, with the settings that all of ours share.
///
/// It is used by one thread at a time, and closed when the last reference goes and its statements are finalized.
final class SQLiteHandle {
    enum Mode {
        case readOnly
        /// Creates the file if it is absent.
        case readWrite

        fileprivate var flags: Int32 {
            switch self {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        }
    }

    /// Kibibytes of pages that a connection caches.
    private static let cacheKibibytes = 16_384

    let pointer: OpaquePointer
    private var isKeptOpen = false

    /// Opens a connection.
    ///
    /// Memory mapping stays off: a failing disk is an error when it is read, and a signal when it is mapped.
    /// - Throws: ``StorageError`` whose subject is the path.
    init(path: String, _ mode: Mode, lockTimeoutMilliseconds: Int) throws {
        var opened: OpaquePointer?
        // No mutex: a connection has one thread.
        let code = sqlite3_open_v2(path, &opened, mode.flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let pointer = opened else {
            defer { sqlite3_close_v2(opened) }
            throw StorageError(opening: path, StorageError(sqlite: opened, during: path))
        }
        self.pointer = pointer
        // SQLite opens a file that it may not write for reading only.
        guard mode == .readOnly || sqlite3_db_readonly(pointer, "main") != 1 else {
            throw StorageError(
                .cannotOpen, path,
                "It is read-only: let this process write the file, or mount its disk for writing.")
        }
        sqlite3_extended_result_codes(pointer, 1)
        sqlite3_busy_timeout(pointer, Int32(clamping: lockTimeoutMilliseconds))
        csqlite_refuse_double_quoted_text(pointer)
        try run("PRAGMA foreign_keys = ON")
        try run("PRAGMA temp_store = MEMORY")
        try run("PRAGMA cache_size = -\(Self.cacheKibibytes)")
    }

    deinit { close() }

    /// Closes the connection now, if it isn't kept open.
    func close() {
        guard !isKeptOpen else { return }
        isKeptOpen = true
        sqlite3_close_v2(pointer)
    }

    /// Leaves the connection open for as long as the process lives.
    func keepOpen() { isKeptOpen = true }

    /// Runs a statement that has no values and whose rows aren't needed.
    /// - Throws: ``StorageError``.
    func run(_ statement: String) throws {
        guard sqlite3_exec(pointer, statement, nil, nil, nil) == SQLITE_OK else {
            throw StorageError(sqlite: pointer, during: statement)
        }
    }

    /// Runs a pragma and returns its value, as text.
    func pragma(_ statement: String) throws -> String? {
        let prepared = try SQLiteStatement(SQL(statement), placeholders: 0, on: pointer)
        guard try prepared.step() else { return nil }
        return try SQLiteRow(statement: prepared.pointer).optionalText(0)
    }
}
