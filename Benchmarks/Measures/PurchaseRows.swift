import CSQLite

/// All rows that purchases or renewals have inserted, read back from a store's file, in the order of the journal.
final class PurchaseRows {
    /// The tables into which a purchase inserts.
    enum Table: String, CaseIterable {
        case journal
        case postings
        case transactions
        case purchaseRequests = "purchase_requests"

        /// Puts each purchase's rows next to each other's, from a position of the journal on.
        fileprivate func choice(after position: Int) -> String {
            switch self {
            case .journal: "WHERE position > \(position) ORDER BY position"
            case .postings: "WHERE position > \(position) ORDER BY position, line"
            case .transactions: "WHERE journal_position > \(position) ORDER BY journal_position"
            case .purchaseRequests: "ORDER BY transaction_id"
            }
        }
    }

    enum Cell {
        case null
        case integer(Int64)
        /// Lies where it is until the rows go.
        case text(UnsafeBufferPointer<CChar>)
        /// Lies where it is until the rows go.
        case blob(UnsafeBufferPointer<CChar>)
    }

    struct Row {
        let table: Table
        let cells: [Cell]
    }

    /// The rows of each purchase.
    private(set) var purchases: [[Row]] = []
    private var texts: [UnsafeMutableBufferPointer<CChar>] = []

    /// - Parameters:
    ///   - position: Rows up to this position of the journal were there before.
    ///   - haveRequests: Whether each came from a customer's request with a key.
    init(from path: String, after position: Int = 0, haveRequests: Bool = true) throws {
        var handle: OpaquePointer?
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
            throw BenchmarkError("can't open \(path)")
        }
        defer { sqlite3_close(handle) }
        // The store may still be carrying its log over into the file.
        sqlite3_busy_timeout(handle, 10_000)
        let journal = try rows(of: .journal, after: position, handle)
        let transactions = try rows(of: .transactions, after: position, handle)
        let requests = haveRequests ? try rows(of: .purchaseRequests, after: position, handle) : []
        let postings = try rows(of: .postings, after: position, handle)
        let lines = postings.count / max(1, journal.count)
        guard journal.count == transactions.count, !haveRequests || journal.count == requests.count,
            postings.count == lines * journal.count
        else { throw BenchmarkError("\(path) holds other things than purchases") }
        purchases = journal.indices.map { number in
            [journal[number]] + postings[number * lines..<(number + 1) * lines] + [transactions[number]]
                + (haveRequests ? [requests[number]] : [])
        }
    }

    deinit {
        for text in texts { text.deallocate() }
    }

    private func rows(of table: Table, after position: Int, _ handle: OpaquePointer) throws -> [Row] {
        var statement: OpaquePointer?
        let query = "SELECT * FROM \(table.rawValue) \(table.choice(after: position))"
        guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK else {
            throw BenchmarkError("can't read \(table.rawValue)")
        }
        defer { sqlite3_finalize(statement) }
        let columns = sqlite3_column_count(statement)
        var rows: [Row] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(Row(table: table, cells: (0..<columns).map { cell(statement, $0) }))
        }
        return rows
    }

    private func cell(_ statement: OpaquePointer?, _ column: Int32) -> Cell {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT:
            return .text(copy(sqlite3_column_text(statement, column), sqlite3_column_bytes(statement, column)))
        case SQLITE_BLOB:
            return .blob(copy(sqlite3_column_blob(statement, column), sqlite3_column_bytes(statement, column)))
        default: return .null
        }
    }
    private func copy(_ bytes: UnsafeRawPointer?, _ count: Int32) -> UnsafeBufferPointer<CChar> {
        let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: max(1, Int(count)))
        if let bytes {
            UnsafeMutableRawBufferPointer(text).copyMemory(
                from: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        }
        texts.append(text)
        return UnsafeBufferPointer(rebasing: text[..<Int(count)])
    }
}
