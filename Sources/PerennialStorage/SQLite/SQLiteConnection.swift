import GRDBSQLite

/// A connection that GRDB opened, used through SQLite's C interface: prepared statements are kept, and rows are read
/// where they lie. It belongs to one thread, and must go before GRDB closes the connection.
final class SQLiteConnection: Connection {
    private let handle: OpaquePointer
    private var cache: StatementCache<SQLiteStatement>
    private var controls: [Control: SQLiteStatement] = [:]
    private var access = Access.read
    /// Why the body that runs now, or ran last, is doomed.
    private(set) var failure: StorageError?
    /// Whether the body that ran last has run a statement that can write.
    private(set) var hasWritten = false
    private(set) var readingNumber = ReadingNumber.next()
    var journalHead: JournalHead?

    private let onPrepare: (@Sendable (String) -> Void)?
    private let replaceStatement: (@Sendable (String) -> String)?

    init(_ handle: OpaquePointer, _ options: DatabaseOptions) {
        self.handle = handle
        // GRDB notes each column that a statement names, in a list that only its own statements begin anew: ours never do.
        sqlite3_set_authorizer(handle, nil, nil)
        cache = StatementCache(max: options.statementsMax)
        onPrepare = options.onPrepare
        replaceStatement = options.replaceStatement
    }

    var engine: DatabaseEngine { .sqlite }

    func renewReadingNumber() { readingNumber = .next() }

    @discardableResult
    func execute(_ sql: SQL, _ values: [SQLValue]) throws -> Int {
        try running(sql, values) { statement in
            let before = sqlite3_total_changes(handle)
            while try orDoom({ try statement.step() }) {}
            // SQLite keeps the number of the last statement that changed rows: this one may not have been it.
            return sqlite3_total_changes(handle) == before ? 0 : Int(sqlite3_changes(handle))
        }
    }

    func forEachRow(_ sql: SQL, _ values: [SQLValue], _ body: (any Row) throws -> Void) throws {
        try running(sql, values) { statement in
            let row = SQLiteRow(statement: statement.pointer)
            while try orDoom({ try statement.step() }) { try body(row) }
        }
    }

    private func running<Value>(
        _ sql: SQL, _ values: [SQLValue], _ body: (SQLiteStatement) throws -> Value
    ) throws -> Value {
        let statement = try orDoom {
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

    private func orDoom<Value>(_ body: () throws -> Value) throws -> Value {
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

        fileprivate var changesWhatIsRead: Bool {
            switch self {
            case .beginRead, .beginWrite, .rollback, .undoBody: true
            case .commit, .beginBody, .endBody: false
            }
        }
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
        if control.changesWhatIsRead { renewReadingNumber() }
    }

    /// False also after SQLite itself has rolled back, which it does when a medium is full or fails.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Ends the transaction if there is one; what is in it is lost.
    func rollBack() {
        guard isInTransaction else { return }
        // The only way for this to fail is that the transaction is over.
        try? perform(.rollback)
    }

    /// Runs a body, which fails when one of its statements did, caught or not.
    func run(_ work: Work) throws -> Work.Delivery {
        access = work.access
        failure = nil
        hasWritten = false
        let delivery = try work.run(self)
        if let failure { throw failure }
        return delivery
    }
}
