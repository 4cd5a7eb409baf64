import CPostgreSQL

/// The requests of a session: prepares statements, sends them and waits for answers, within time limits.
final class PostgreSQLChannel {
    private let handle: OpaquePointer
    private let pipeline: PostgreSQLPipeline
    private let options: DatabaseOptions
    private var statements: PostgreSQLStatements
    /// The statements of the present request, for ``DatabaseOptions/onSend``.
    private var request: [(sql: SQL, values: [SQLValue])] = []
    /// True if a request has timed out. Its effect is unknown, and a late answer would be taken for the next request's.
    private var isAbandoned = false
    let counters: PostgreSQLCounters
    let notices = CommitNotices()
    /// The deadline of the request that waits.
    var deadline: RequestDeadline?

    /// The least time for an answer, in milliseconds: the commit of a request whose time is nearly over must not cost the
    /// connection.
    static let answerMilliseconds = 2_000

    /// Connects.
    /// - Throws: ``StorageError`` with `connectionLost`.
    init(url: String, place: String, options: DatabaseOptions, counters: PostgreSQLCounters) throws {
        guard let handle = PostgreSQLAddress(url: url).connect() else {
            throw StorageError(connecting: nil, to: place)
        }
        self.handle = handle
        self.options = options
        self.counters = counters
        pipeline = PostgreSQLPipeline(handle, counters)
        statements = PostgreSQLStatements(max: options.statementsMax)
        guard PQstatus(handle) == CONNECTION_OK else { throw StorageError(connecting: handle, to: place) }
        notices.receive(on: handle)
        PQsetnonblocking(handle, 1)
        PQenterPipelineMode(handle)
        for setting in PostgreSQLAddress.sessionSettings(options) {
            try pipeline.add(SQL(setting)) { PQsendQueryParams($0, setting, 0, nil, nil, nil, nil, 0) }
        }
        for control in Control.allCases {
            try pipeline.add(control.sql) { PQsendPrepare($0, control.rawValue, control.sql.text, 0, nil) }
        }
        do {
            _ = try wait(.standard)
        } catch let failure as PostgreSQLPipeline.Failure {
            throw failure.error
        }
    }

    deinit { PQfinish(handle) }

    /// Returns the server's number, the database's, and the timeline that the server writes; `nil` from servers that don't tell.
    /// - Throws: ``StorageError``.
    func identity() throws -> String? {
        let sql = PostgreSQLAddress.identity
        try pipeline.add(SQL(sql)) { PQsendQueryParams($0, sql, 0, nil, nil, nil, nil, 0) }
        do {
            let result = try wait(.standard)
            return PQgetvalue(result.pointer, 0, 0).map { String(cString: $0) }
        } catch let failure as PostgreSQLPipeline.Failure where failure.isFromServer {
            return nil
        } catch let failure as PostgreSQLPipeline.Failure {
            throw failure.error
        }
    }

    var isLost: Bool { isAbandoned || PQstatus(handle) == CONNECTION_BAD }
    /// True if all requests are answered and no transaction is open.
    var isIdle: Bool { !isLost && PQtransactionStatus(handle) == PQTRANS_IDLE }

    /// True if statements have no answer yet.
    var isAwaited: Bool { pipeline.isAwaited }
    /// The number of statements without an answer.
    var awaitedCount: Int { pipeline.awaitedCount }

    /// A command that begins or ends a transaction, by the name of its prepared statement.
    enum Control: String, CaseIterable {
        case beginRead
        case beginWrite
        case commit
        case rollBack

        var sql: SQL {
            switch self {
            case .beginRead: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .beginWrite: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
            case .commit: "COMMIT"
            case .rollBack: "ROLLBACK"
            }
        }
    }

    /// Adds a command to the request.
    func add(_ control: Control) throws {
        try pipeline.add(control.sql, control) { PQsendQueryPrepared($0, control.rawValue, 0, nil, nil, nil, 1) }
        note(control.sql, [])
    }

    /// Adds a statement to the request. A statement that isn't prepared yet is prepared first, which sends the request so far
    /// and waits for its answer.
    func add(_ sql: SQL, _ values: [SQLValue], _ timeout: StatementTimeout) throws {
        let statement = try prepare(sql, values, timeout)
        try sql.check(values, placeholders: statement.types.count)
        let parameters = try PostgreSQLParameters(values, types: statement.types, during: sql)
        try pipeline.add(sql) { parameters.send(statement.name, on: $0) }
        note(sql, values)
    }

    /// Sends the request and returns the result of its last command.
    /// - Throws: `PostgreSQLPipeline.Failure`; ``StorageError`` `.unresponsive`.
    func wait(_ timeout: StatementTimeout) throws -> PostgreSQLResult {
        try awaiting(timeout) { try pipeline.wait(milliseconds: $0) }
    }

    /// Sends the request and returns the results of all commands without an answer, those of earlier requests too.
    /// - Throws: As ``wait(_:)``.
    func waitForAll(_ timeout: StatementTimeout) throws -> [PostgreSQLResult] {
        try awaiting(timeout) { try pipeline.waitForAll(milliseconds: $0) }
    }

    private func awaiting<Value>(_ timeout: StatementTimeout, _ body: (Int) throws -> Value) throws -> Value {
        report(isAwaited: true)
        var limit = options.statementTimeout(timeout)
        if timeout == .standard, let left = deadline?.millisecondsLeft {
            limit = min(limit, max(left, Self.answerMilliseconds))
        }
        limit += options.graceMilliseconds
        do {
            return try body(limit)
        } catch is PostgreSQLPipeline.TimedOut {
            isAbandoned = true
            throw StorageError(.unresponsive, "request", "The server has not answered for \(limit) milliseconds.")
        }
    }

    /// Sends the request without waiting for its answer.
    func end() {
        report(isAwaited: false)
        pipeline.end()
    }

    func form(of sql: SQL) -> StatementForm { statements.form(of: sql) }

    /// Prepares a statement, unless it is prepared already.
    @discardableResult
    func prepare(_ sql: SQL, _ values: [SQLValue], _ timeout: StatementTimeout) throws -> PostgreSQLStatement {
        if let known = statements.find(sql) { return known }
        // Statements that were made of others number their settings behind the values.
        let isMade = sql.isNumbered
        try sql.check(values, placeholders: isMade ? values.count : try sql.check())
        let name = statements.nextName()
        let declared = values.map(PostgreSQLType.declared)
        let text = options.replaceStatement?(sql.text(for: .postgres)) ?? sql.text(for: .postgres)
        try pipeline.add(sql) { PQsendPrepare($0, name, text, Int32(declared.count), declared) }
        var types = declared
        if declared.contains(0) {
            // Those whose value is null have been inferred.
            try pipeline.add(sql) { PQsendDescribePrepared($0, name) }
            let result = try wait(timeout)
            types = (0..<PQnparams(result.pointer)).map { PQparamtype(result.pointer, $0) }
        } else {
            _ = try wait(timeout)
        }
        let statement = PostgreSQLStatement(name: name, types: types)
        for old in statements.insert(statement, for: sql) {
            let deallocate = "DEALLOCATE \(old.name)"
            try pipeline.add(SQL(deallocate)) { PQsendQueryParams($0, deallocate, 0, nil, nil, nil, nil, 0) }
        }
        return statement
    }

    private func note(_ sql: SQL, _ values: [SQLValue]) {
        guard options.onSend != nil else { return }
        request.append((sql, values))
    }

    private func report(isAwaited: Bool) {
        guard let onSend = options.onSend else { return }
        for (index, statement) in request.enumerated() {
            onSend(
                SentStatement(
                    text: statement.sql.text(for: .postgres), values: statement.values,
                    isAwaited: isAwaited && index == request.count - 1))
        }
        request.removeAll()
    }
}
