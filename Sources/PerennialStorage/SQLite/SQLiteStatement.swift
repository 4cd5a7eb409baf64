import GRDBSQLite

/// Tells SQLite to copy what is bound before the call returns.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// A prepared statement. It belongs to the thread of its connection, and must go before the connection does.
final class SQLiteStatement {
    let pointer: OpaquePointer
    let isReadOnly: Bool
    /// Between binding and resetting: a body that queries inside a row's closure must not disturb the outer query.
    private(set) var isRunning = false

    private let sql: SQL
    private let placeholders: Int
    private let handle: OpaquePointer

    /// - Throws: ``StorageError`` with `statement`.
    init(_ sql: SQL, placeholders: Int, on handle: OpaquePointer) throws {
        self.sql = sql
        self.handle = handle
        self.placeholders = placeholders
        var pointer: OpaquePointer?
        var hasMore = false
        let code = sql.text(for: .sqlite).withCString { text in
            var rest: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, &rest)
            hasMore = rest.map { String(cString: $0).contains { !$0.isWhitespace && $0 != ";" } } ?? false
            return code
        }
        guard code == SQLITE_OK else { throw StorageError(sqlite: handle, during: sql.text) }
        guard let pointer, !hasMore else {
            sqlite3_finalize(pointer)
            throw StorageError(.statement, sql.text, "One statement at a time, and not an empty one.")
        }
        self.pointer = pointer
        isReadOnly = sqlite3_stmt_readonly(pointer) != 0
    }

    deinit { sqlite3_finalize(pointer) }

    func bind(_ values: [SQLValue]) throws {
        isRunning = true
        try sql.check(values, placeholders: placeholders)
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    }

    /// - Returns: Whether there is a row.
    func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw StorageError(sqlite: handle, during: sql.text)
        }
    }

    func reset() {
        sqlite3_reset(pointer)
        isRunning = false
    }

    private func bind(_ value: SQLValue, at index: Int32) throws {
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(pointer, index)
        case .integer(let integer): code = sqlite3_bind_int64(pointer, index, integer)
        case .text(var text): code = try text.withUTF8 { try bind(text: $0, at: index) }
        case .blob(let bytes) where bytes.isEmpty:
            // A null pointer, which an empty array may have, would bind NULL.
            code = sqlite3_bind_zeroblob(pointer, index, 0)
        case .blob(let bytes):
            code = bytes.withUnsafeBytes {
                sqlite3_bind_blob64(pointer, index, $0.baseAddress, UInt64($0.count), copied)
            }
        }
        guard code == SQLITE_OK else { throw StorageError(sqlite: handle, during: sql.text) }
    }

    private func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) throws -> Int32 {
        guard !text.contains(0) else { throw StorageError(nulInParameter: index) }
        guard let base = text.baseAddress else { return sqlite3_bind_text(pointer, index, "", 0, copied) }
        return base.withMemoryRebound(to: CChar.self, capacity: text.count) {
            sqlite3_bind_text64(pointer, index, $0, UInt64(text.count), copied, UInt8(SQLITE_UTF8))
        }
    }
}
