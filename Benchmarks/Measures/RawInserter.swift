import CSQLite

/// SQLite as its C interface gives it: prepared inserts, texts bound where they lie, batches in transactions, FULL.
final class RawInserter {
    private let handle: OpaquePointer
    private var statements: [PurchaseRows.Table: OpaquePointer] = [:]

    /// Opens a database that has the schema.
    init(_ path: String) throws {
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else { throw BenchmarkError("can't open \(path)") }
        self.handle = handle
        sqlite3_busy_timeout(handle, 10_000)
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = FULL")
        // As long a log and as large a cache as the store has: SQLite's own are shorter and smaller.
        try execute("PRAGMA wal_autocheckpoint = 32000")
        try execute("PRAGMA cache_size = -131072")
        for table in PurchaseRows.Table.allCases {
            let selected = try prepare("SELECT * FROM \(table.rawValue)")
            defer { sqlite3_finalize(selected) }
            let columns = sqlite3_column_count(selected)
            let marks = Array(repeating: "?", count: Int(columns)).joined(separator: ", ")
            statements[table] = try prepare("INSERT INTO \(table.rawValue) VALUES (\(marks))")
        }
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    /// Inserts all rows, those of so many purchases in one transaction.
    func insert(_ rows: PurchaseRows, batch: Int) throws {
        for (number, purchase) in rows.purchases.enumerated() {
            if number % batch == 0 { try execute("BEGIN IMMEDIATE") }
            for row in purchase { try insert(row) }
            if number % batch == batch - 1 || number == rows.purchases.count - 1 { try execute("COMMIT") }
        }
    }

    private func insert(_ row: PurchaseRows.Row) throws {
        guard let statement = statements[row.table] else { return }
        for (index, cell) in row.cells.enumerated() {
            let position = Int32(index + 1)
            switch cell {
            case .null: sqlite3_bind_null(statement, position)
            case .integer(let value): sqlite3_bind_int64(statement, position, value)
            case .blob(let bytes): sqlite3_bind_blob(statement, position, bytes.baseAddress, Int32(bytes.count), nil)
            case .text(let bytes): sqlite3_bind_text(statement, position, bytes.baseAddress, Int32(bytes.count), nil)
            }
        }
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
        sqlite3_reset(statement)
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard let statement else { throw failure() }
        return statement
    }

    private func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    private func failure() -> BenchmarkError {
        BenchmarkError("SQLite: \(sqlite3_errmsg(handle).map { String(cString: $0) } ?? "")")
    }
}
