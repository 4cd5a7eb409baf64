import GRDBSQLite

/// Statements that have no values and whose rows nobody needs.
enum SQLiteScript {
    /// - Throws: ``StorageError``.
    static func run(_ statement: String, on handle: OpaquePointer) throws {
        guard sqlite3_exec(handle, statement, nil, nil, nil) == SQLITE_OK else {
            throw StorageError(sqlite: handle, during: statement)
        }
    }
}
