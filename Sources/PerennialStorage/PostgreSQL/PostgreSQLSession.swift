import CPostgreSQL

/// A connection to a PostgreSQL server through libpq. It belongs to one thread.
final class PostgreSQLSession: Connection {
    /// A prepared statement, with the types that the server inferred for its placeholders.
    private struct Statement {
        let name: String
        let types: [Oid]
    }

    private let handle: OpaquePointer
    private var cache: StatementCache<Statement>
    private var statementsPrepared = 0
    /// The error of the current body's first statement that failed.
    private(set) var failure: StorageError?
    private(set) var snapshotID = SnapshotID.next()
    private(set) var hasChangedCatalog = false
    var journalHead: JournalHead?
    /// True if a request has timed out. Its effect is unknown, and a late answer would be taken for the next request's.
    private var isAbandoned = false
    private let options: DatabaseOptions
    /// The time limit of the current body's statements.
    private var timeout = StatementTimeout.standard

    /// - Throws: ``StorageError`` with `connectionLost`.
    init(url: String, place: String, options: DatabaseOptions) throws {
        guard let handle = PostgreSQLAddress(url: url).connect() else {
            throw StorageError(connecting: nil, to: place)
        }
        self.handle = handle
        self.options = options
        cache = StatementCache(max: options.statementsMax)
        guard PQstatus(handle) == CONNECTION_OK else { throw StorageError(connecting: handle, to: place) }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        PQsetnonblocking(handle, 1)
        // The server's own limit is a little shorter than ours, so that a live server keeps its connection. A node that is
        // suspended inside a transaction must not hold its locks for ever.
        let settings = """
            SET lock_timeout = \(max(1, options.lockTimeoutMilliseconds)); SET client_min_messages = warning;
            SET statement_timeout = \(options.statementTimeout(.standard));
            SET idle_in_transaction_session_timeout = \(options.idleTransactionMilliseconds)
            """
        _ = try perform(settings)
    }

    deinit { PQfinish(handle) }

    var engine: DatabaseEngine { .postgres }
    var isLost: Bool { isAbandoned || PQstatus(handle) == CONNECTION_BAD }
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    @discardableResult
    func execute(_ sql: SQL, _ values: [SQLValue]) throws -> Int {
        try run(sql, values).rowsChanged
    }

    func invalidateSnapshot() {
        snapshotID = .next()
        hasChangedCatalog = true
    }

    func forEachRow(_ sql: SQL, _ values: [SQLValue], _ body: (any Row) throws -> Void) throws {
        let result = try run(sql, values)
        try withExtendedLifetime(result) {
            for number in 0..<result.rowCount { try body(PostgreSQLRow(result: result.pointer, number: number)) }
        }
    }

    /// Runs a command without parameters, such as those that begin and end transactions.
    func perform(_ command: String) throws -> PostgreSQLResult {
        let result = try answer(during: command, .standard) { PQsendQuery(handle, command) }
        guard result.succeeded else { throw StorageError(postgres: result.pointer, on: handle, during: command) }
        return result
    }

    /// Runs a body, which fails if one of its statements did, caught or not.
    func run(_ task: DatabaseTask) throws -> DatabaseTask.Completion {
        snapshotID = .next()
        hasChangedCatalog = false
        failure = nil
        timeout = task.timeout
        if timeout != .standard {
            _ = try perform("SET LOCAL statement_timeout = \(options.statementTimeout(timeout))")
        }
        let completion = try task.run(self)
        if let failure { throw failure }
        return completion
    }

    private func run(_ sql: SQL, _ values: [SQLValue]) throws -> PostgreSQLResult {
        if let failure { throw failure }
        do {
            let statement = try prepared(sql, values)
            try sql.check(values, placeholders: statement.types.count)
            let parameters = try PostgreSQLParameters(values, types: statement.types, during: sql)
            let result = try answer(during: sql.text, timeout) { parameters.send(statement.name, on: handle) }
            guard result.succeeded else { throw StorageError(postgres: result.pointer, on: handle, during: sql.text) }
            return result
        } catch let error as StorageError {
            failure = error
            throw error
        }
    }

    /// Sends a request and waits for its result.
    /// - Throws: ``StorageError`` `.unresponsive`.
    private func answer(
        during subject: String, _ timeout: StatementTimeout, _ send: () -> Int32
    ) throws -> PostgreSQLResult {
        let limit = options.statementTimeout(timeout) + options.graceMilliseconds
        do {
            return try PostgreSQLExchange(handle, milliseconds: limit).answer(to: send)
        } catch {
            isAbandoned = true
            throw StorageError(.unresponsive, subject, "The server has not answered for \(limit) milliseconds.")
        }
    }

    private func prepared(_ sql: SQL, _ values: [SQLValue]) throws -> Statement {
        if let known = cache.find(sql) { return known }
        try sql.check(values, placeholders: try sql.check())
        statementsPrepared += 1
        let name = "s\(statementsPrepared)"
        let declared = values.map(PostgreSQLType.declared)
        let text = sql.text(for: .postgres)
        let result = try answer(during: sql.text, timeout) {
            PQsendPrepare(handle, name, text, Int32(declared.count), declared)
        }
        guard result.succeeded else { throw StorageError(postgres: result.pointer, on: handle, during: sql.text) }
        let types = declared.contains(0) ? try inferredTypes(name, sql) : declared
        let statement = Statement(name: name, types: types)
        for old in cache.insert(statement, for: sql) { _ = try perform("DEALLOCATE \(old.name)") }
        return statement
    }

    /// Asks the server for the types of the placeholders: those whose value was null have been inferred.
    private func inferredTypes(_ name: String, _ sql: SQL) throws -> [Oid] {
        let result = try answer(during: sql.text, timeout) { PQsendDescribePrepared(handle, name) }
        guard result.succeeded else { throw StorageError(postgres: result.pointer, on: handle, during: sql.text) }
        return (0..<PQnparams(result.pointer)).map { PQparamtype(result.pointer, $0) }
    }
}
