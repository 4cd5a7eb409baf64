import CSQLite

/// A connection inside a transaction of SQLite. It caches prepared statements and belongs to one thread.
final class SQLiteConnection: Connection {
    private let owner: SQLiteHandle
    let handle: OpaquePointer
    private var cache: StatementCache<SQLiteStatement>
    private var controls: [Control: SQLiteStatement] = [:]
    private var access = Access.read
    /// The error of the current or last body's first statement that failed.
    private(set) var failure: StorageError?
    /// True if the last body has run a statement that can write.
    private(set) var hasWritten = false
    private(set) var snapshotID = SnapshotID.next()
    private(set) var hasChangedCatalog = false
    var journalHead: JournalHead?

    private let onPrepare: (@Sendable (String) -> Void)?
    private let replaceStatement: (@Sendable (String) -> String)?

    init(_ handle: SQLiteHandle, _ options: DatabaseOptions) {
        owner = handle
        self.handle = handle.pointer
        cache = StatementCache(max: options.statementsMax)
        onPrepare = options.onPrepare
        replaceStatement = options.replaceStatement
    }

    var engine: DatabaseEngine { .sqlite }

    /// Bytes of pages that the connection caches.
    var cachedBytes: Int {
        var (current, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &current, &highest, 0)
        return Int(current)
    }

    func invalidateSnapshot() {
        snapshotID = .next()
        hasChangedCatalog = true
    }

    @discardableResult
    func execute(_ sql: SQL, _ values: [SQLValue]) throws -> Int {
        try running(sql, values) { statement in
            let before = sqlite3_total_changes(handle)
            while try markFailedOnError({ try statement.step() }) {}
            // SQLite reports the count of the last statement that changed rows, which may be an earlier one.
            return sqlite3_total_changes(handle) == before ? 0 : Int(sqlite3_changes(handle))
        }
    }

    func forEachRow(_ sql: SQL, _ values: [SQLValue], _ body: (any Row) throws -> Void) throws {
        try running(sql, values) { statement in
            let row = SQLiteRow(statement: statement.pointer)
            while try markFailedOnError({ try statement.step() }) { try body(row) }
        }
    }

    private func running<Value>(
        _ sql: SQL, _ values: [SQLValue], _ body: (SQLiteStatement) throws -> Value
    ) throws -> Value {
        let statement = try markFailedOnError {
            let statement = try prepared(sql)
            if !statement.isReadOnly {
                guard access == .write else {
                    throw StorageError(.readOnly, sql.text, "A read can't change anything.")
                }
                hasWritten = true
            }
            do {
                try statement.bind(values)
            } catch {
                statement.reset()
                throw error
            }
            return statement
        }
        defer { statement.reset() }
        return try body(statement)
    }

    private func prepared(_ sql: SQL) throws -> SQLiteStatement {
        let known = cache.find(sql)
        if let known, !known.isRunning { return known }
        let prepared = replaceStatement.map { SQL($0(sql.text)) } ?? sql
        let statement = try SQLiteStatement(prepared, placeholders: try prepared.check(), on: handle)
        onPrepare?(sql.text)
        if known == nil { _ = cache.insert(statement, for: sql) }
        return statement
    }

    private func markFailedOnError<Value>(_ body: () throws -> Value) throws -> Value {
        if let failure { throw failure }
        do {
            return try body()
        } catch let error as StorageError {
            failure = error
            throw error
        }
    }
}

/// Transactions, for the threads that own the connection.
extension SQLiteConnection {
    enum Control: String {
        case beginRead = "BEGIN DEFERRED"
        case beginWrite = "BEGIN IMMEDIATE"
        case commit = "COMMIT"
        case rollback = "ROLLBACK"
        case beginBody = "SAVEPOINT body"
        case undoBody = "ROLLBACK TO body"
        case endBody = "RELEASE body"

        fileprivate var startsSnapshot: Bool {
            switch self {
            case .beginRead, .beginWrite, .rollback, .undoBody: true
            case .commit, .beginBody, .endBody: false
            }
        }

        /// True if nothing is uncommitted after it. Bodies of one transaction read each other's changes.
        fileprivate var startsTransaction: Bool { self == .beginRead || self == .beginWrite }
    }

    func perform(_ control: Control) throws {
        let statement: SQLiteStatement
        if let known = controls[control] {
            statement = known
        } else {
            statement = try SQLiteStatement(SQL(control.rawValue), placeholders: 0, on: handle)
            controls[control] = statement
        }
        defer { statement.reset() }
        _ = try statement.step()
        if control.startsSnapshot { snapshotID = .next() }
        if control.startsTransaction { hasChangedCatalog = false }
    }

    /// True between the beginning and the end of a transaction. SQLite itself rolls back when a disk is full or fails.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Rolls back the transaction if there is one.
    func rollBack() {
        guard isInTransaction else { return }
        // This fails only if the transaction is over.
        try? perform(.rollback)
    }

    /// Runs a body, which fails if one of its statements did, caught or not.
    func run(_ task: DatabaseTask) throws -> DatabaseTask.Completion {
        access = task.access
        failure = nil
        hasWritten = false
        let completion = try task.run(self)
        if let failure { throw failure }
        return completion
    }

    /// Runs a read on a snapshot of its own.
    func read(_ task: DatabaseTask) {
        guard !task.refuseIfOverdue() else { return }
        do {
            try perform(.beginRead)
            defer { rollBack() }
            try run(task)()
        } catch {
            task.fail(error)
        }
    }
}
