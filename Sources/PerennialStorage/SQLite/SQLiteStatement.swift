import CSQLite
import Foundation

/// Tells SQLite that bound bytes keep their address until the statement is bound anew (`SQLITE_STATIC`).
private let staticBinding: sqlite3_destructor_type? = nil

/// A prepared statement. It belongs to the thread of its connection.
final class SQLiteStatement {
    let pointer: OpaquePointer
    let isReadOnly: Bool
    /// True between binding and resetting. A query inside a row's closure must not reset the outer query.
    private(set) var isRunning = false

    private let sql: SQL
    private let placeholders: Int
    private let handle: OpaquePointer
    /// The bound values' bytes, one after the other. SQLite would allocate memory for each.
    private var bound = UnsafeMutableRawBufferPointer.allocate(byteCount: boundMin, alignment: 1)
    private static let boundMin = 256
    /// Bytes that are kept allocated for the next binding.
    private static let boundMax = 65_536

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

    deinit {
        sqlite3_finalize(pointer)
        bound.deallocate()
    }

    func bind(_ values: [SQLValue]) throws {
        isRunning = true
        try sql.check(values, placeholders: placeholders)
        let byteCount = values.reduce(0) { $0 + $1.byteCount }
        if byteCount > bound.count { makeRoom(byteCount) }
        var used = 0
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1), &used) }
    }

    private func makeRoom(_ byteCount: Int) {
        sqlite3_clear_bindings(pointer)
        bound.deallocate()
        bound = .allocate(byteCount: byteCount, alignment: 1)
    }

    /// Runs the statement to its next row.
    /// - Returns: True if there is a row.
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
        if bound.count > Self.boundMax { makeRoom(Self.boundMin) }
    }

    private func bind(_ value: SQLValue, at index: Int32, _ used: inout Int) throws {
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(pointer, index)
        case .integer(let integer): code = sqlite3_bind_int64(pointer, index, integer)
        case .text(var text):
            let bytes = text.withUTF8 { keep(UnsafeRawBufferPointer($0), &used) }
            guard bytes.baseAddress.flatMap({ memchr($0, 0, bytes.count) }) == nil else {
                throw StorageError(nulInParameter: index)
            }
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            code = sqlite3_bind_text64(pointer, index, start, UInt64(bytes.count), staticBinding, UInt8(SQLITE_UTF8))
        case .blob(let blob):
            let bytes = blob.withUnsafeBytes { keep($0, &used) }
            code = sqlite3_bind_blob64(pointer, index, bytes.baseAddress, UInt64(bytes.count), staticBinding)
        }
        guard code == SQLITE_OK else { throw StorageError(sqlite: handle, during: sql.text) }
    }

    /// Copies a value into the buffer and returns its place, which has an address even if it is empty: a null address would bind
    /// NULL.
    private func keep(_ bytes: UnsafeRawBufferPointer, _ used: inout Int) -> UnsafeRawBufferPointer {
        let place = UnsafeMutableRawBufferPointer(rebasing: bound[used..<used + bytes.count])
        place.copyMemory(from: bytes)
        used += bytes.count
        return UnsafeRawBufferPointer(place)
    }
}

extension SQLValue {
    /// Bytes that the value takes in the buffer.
    fileprivate var byteCount: Int {
        switch self {
        case .null, .integer: 0
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}
