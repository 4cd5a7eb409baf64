import CSQLite

/// The current row of a statement, read from SQLite without copying it first.
struct SQLiteRow: Row {
    let statement: OpaquePointer

    func optionalInteger(_ column: Int) throws -> Int64? {
        guard try holds(SQLITE_INTEGER, "an integer", column) else { return nil }
        return sqlite3_column_int64(statement, Int32(column))
    }

    func optionalText(_ column: Int) throws -> String? {
        guard try holds(SQLITE_TEXT, "text", column) else { return nil }
        // Reads it as bytes, in place: SQLite would copy a text to append a NUL.
        let bytes = sqlite3_column_blob(statement, Int32(column))
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        guard count > 0 else { return "" }
        guard let bytes else { throw outOfMemory }
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func optionalBlob(_ column: Int) throws -> [UInt8]? {
        guard try holds(SQLITE_BLOB, "bytes", column) else { return nil }
        let bytes = sqlite3_column_blob(statement, Int32(column))
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        guard count > 0 else { return [] }
        guard let bytes else { throw outOfMemory }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// Checks the column's type. Returns false if it is null.
    private func holds(_ type: Int32, _ wanted: String, _ column: Int) throws -> Bool {
        let found = sqlite3_column_type(statement, Int32(truncatingIfNeeded: column))
        if found == type { return true }
        let exists = column >= 0 && column < Int(sqlite3_column_count(statement))
        guard exists, found == SQLITE_NULL else {
            let reason = exists ? "It doesn't hold \(wanted)." : "The result has no such column."
            throw StorageError(.wrongType, "column \(column)", reason)
        }
        return false
    }

    private var outOfMemory: StorageError { StorageError(.resources, "row", "Out of memory.") }
}
