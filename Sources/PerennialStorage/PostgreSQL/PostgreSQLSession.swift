import Perennial
import Synchronization

/// A connection inside transactions of a PostgreSQL server. It belongs to one thread.
///
/// A transaction begins with its first statement, in the same request. Statements for their effect go out with the next one
/// whose result is used. Journal positions are numbered by the request that commits: see ``PendingChanges``.
final class PostgreSQLSession: Connection {
    private let channel: PostgreSQLChannel
    private let options: DatabaseOptions
    private var numbered = NumberedStatements()
    private var merged = MergedInserts()
    private var changes = PendingChanges()
    private var kind = Kind(access: .read)
    /// The results of announced statements, while look-ups run: they get no others.
    private var announced: [AnnouncedRead: PostgreSQLResult]?
    /// The answers to the statements that the bodies of a writing transaction have announced.
    private var answers = AnnouncedAnswers()
    /// True from the first statement of a transaction to its end.
    private var isInTransaction = false
    /// The error of the current transaction's first statement that failed.
    private(set) var failure: StorageError?
    /// Milliseconds that the next statement may wait for a lock, as the server knows it.
    private var waitLimit = 0
    /// Milliseconds by which the limit is lowered at once: a statement of its own for less isn't worth it.
    private static let waitLimitStep = 500
    /// True if the current body has run a statement that can write.
    private(set) var hasWritten = false
    /// The journal to which the current body has appended.
    private(set) var journal: AppKey?
    private(set) var snapshotID = SnapshotID.next()
    private(set) var hasChangedCatalog = false
    var journalHead: JournalHead?
    private let history: DatabaseHistory
    private let identity: String?

    /// The kind of a transaction.
    struct Kind {
        var access: Access
        var timeout = StatementTimeout.standard
        /// True for the transaction of several bodies, or of one beside others: it waits for locks shortly.
        var isGroup = false
        /// The deadline of the request that it belongs to; of several bodies, the earliest one.
        var deadline: RequestDeadline?
        /// Milliseconds that it gets at least, also if the deadline is nearer: it belongs to other requests, too.
        var minimumMilliseconds = 0
        /// True if its commit waits for a journal's head for a limited time.
        var limitsHead = false
    }

    /// A commit failed.
    struct CommitFailure: Error {
        let reason: StorageError
        /// True if the transaction may be committed all the same, or may be lost by a failover.
        let isUnknown: Bool
    }

    /// - Throws: ``StorageError`` with `connectionLost`.
    init(
        url: String, place: String, options: DatabaseOptions, counters: PostgreSQLCounters, history: DatabaseHistory
    ) throws {
        self.options = options
        self.history = history
        channel = try PostgreSQLChannel(url: url, place: place, options: options, counters: counters)
        identity = try channel.identity()
        guard !PostgreSQLAddress.isStandby(identity) else {
            // Its data may be older than what this node or another one has answered.
            throw StorageError(
                .connectionLost, "connect",
                "The server is a standby: name the primary, or all servers (postgres://HOST1,HOST2/DATABASE).")
        }
        history.observe(identity)
    }

    var engine: DatabaseEngine { .postgres }
    var era: Int64 { history.era(of: identity) }
    /// True if connections that were made later lead to another history of commits.
    var isOutdated: Bool { era < 0 }
    var isLost: Bool { channel.isLost }

    func invalidateSnapshot() {
        snapshotID = .next()
        hasChangedCatalog = true
    }

    @discardableResult
    func execute(_ sql: SQL, _ values: [SQLValue]) throws -> Int {
        try result(of: sql, values).rowsChanged
    }

    func forEachRow(_ sql: SQL, _ values: [SQLValue], _ body: (any Row) throws -> Void) throws {
        let result = try result(of: sql, values)
        try withExtendedLifetime(result) {
            for number in 0..<result.rowCount { try body(PostgreSQLRow(result: result.pointer, number: number)) }
        }
    }

    func send(_ sql: SQL, _ values: [SQLValue]) throws {
        try markFailedOnError { try add(sql, values) { nil } }
    }

    func send(
        _ sql: SQL, _ values: [SQLValue], correction: @autoclosure () throws -> [(sql: SQL, values: [SQLValue])]
    ) throws {
        try markFailedOnError { try add(sql, values) { try correction() } }
    }

    func runWaiting() throws {
        try markFailedOnError {
            if changes.isOpen { try take(.number) }
            if channel.isAwaited { _ = try channel.wait(kind.timeout) }
        }
    }

    func reservePositions(_ count: Int64, app: Int64, _ environment: StoreEnvironment.ID) throws -> Int64? {
        if let failure { throw failure }
        // A body that fails behind this must not leave numbered positions without rows.
        hasWritten = true
        journal = AppKey(environment: environment.rawValue, app: app)
        return changes.positions.reserve(count, app: app, environment)
    }

    // MARK: Statements

    private func result(of sql: SQL, _ values: [SQLValue]) throws -> PostgreSQLResult {
        if let announced {
            guard let known = announced[AnnouncedRead(sql, values)] else { throw miss() }
            return known
        }
        return try markFailedOnError {
            if let known = answers.answer(to: sql, values) { return known }
            outdateAnswers(by: sql, values)
            if changes.isOpen { try take(changes.step(running: (sql, values), channel.form(of: sql))) }
            try addNumbered(sql, values)
            return try channel.wait(kind.timeout)
        }
    }

    private func add(
        _ sql: SQL, _ values: [SQLValue], correction: () throws -> [PendingChanges.Statement]?
    ) throws {
        guard announced == nil else { throw miss() }
        outdateAnswers(by: sql, values)
        if changes.isOpen {
            let step = try changes.step(sending: (sql, values), channel.form(of: sql), correction: correction)
            if case .deferred = step {
                hasWritten = true
                return
            }
            try take(step)
        }
        try addNumbered(sql, values)
    }

    private func outdateAnswers(by sql: SQL, _ values: [SQLValue]) {
        guard !sql.isSelect else { return }
        answers.outdate(by: channel.form(of: sql), values)
    }

    private func take(_ step: PendingChanges.Step) throws {
        switch step {
        case .deferred, .run: break
        case .runAfter(let inserts):
            for (sql, values) in inserts { try addAsItIs(sql, values) }
        case .number:
            channel.counters.earlyNumberings.add(1, ordering: .relaxed)
            try number()
        }
    }

    /// Adds the statements that number the journal positions, and those that have waited for it.
    ///
    /// - Parameter limitsHead: True if other transactions that hold a journal's head are waited for only for a limited time.
    private func number(limitsHead: Bool = false) throws {
        let (slots, waiting) = changes.number()
        let statements = try merged.merge(waiting, changes.positions, form: channel.form).map {
            try numbered.numbered($0.sql, $0.values, changes.positions)
        }
        try beginIfNeeded()
        // Before the journals are locked, because preparing a statement takes a round trip.
        for (sql, values) in statements { try channel.prepare(sql, values, kind.timeout) }
        if limitsHead { try addLockLimit(options.headLockTimeoutMilliseconds) }
        for slot in slots { try addAsItIs(.numberSlot, slot.values) }
        for (sql, values) in statements { try addAsItIs(sql, values) }
    }

    private func addNumbered(_ sql: SQL, _ values: [SQLValue]) throws {
        guard changes.positions.slots.isEmpty else {
            let (sql, values) = try numbered.numbered(sql, values, changes.positions)
            return try addAsItIs(sql, values)
        }
        try addAsItIs(sql, values)
    }

    private func addAsItIs(_ sql: SQL, _ values: [SQLValue]) throws {
        try beginIfNeeded()
        try limitWaits()
        if !sql.isSelect { hasWritten = true }
        try channel.add(sql, values, kind.timeout)
    }

    private func beginIfNeeded() throws {
        guard !isInTransaction else { return }
        isInTransaction = true
        try channel.add(kind.access == .write ? .beginWrite : .beginRead)
        if kind.timeout == .long {
            try channel.add(
                .setLongLimits,
                [
                    .text("\(options.statementTimeout(.long))"), .text("\(options.longIdleTransactionMilliseconds)"),
                ], kind.timeout)
        }
        if kind.isGroup { try addLockLimit(options.groupLockTimeoutMilliseconds) }
        try limitWaits()
    }

    private func addLockLimit(_ milliseconds: Int) throws {
        try channel.add(
            .setLockLimit, [.text("\(max(1, min(milliseconds, options.lockTimeoutMilliseconds)))")], kind.timeout)
    }

    /// Lowers the limits of the next statements to the time that is left for the request, if that is less.
    private func limitWaits() throws {
        guard let time = kind.deadline?.millisecondsLeft else { return }
        let left = max(time, kind.minimumMilliseconds)
        guard left > 0 else { throw StorageError(.busy, "request", "Its time was over before its transaction.") }
        guard left < waitLimit - Self.waitLimitStep else { return }
        waitLimit = left
        try channel.add(.setWaitLimits, [.text("\(left)"), .text("\(left)")], kind.timeout)
    }

    private func markFailedOnError<Value>(_ body: () throws -> Value) throws -> Value {
        if let failure { throw failure }
        do {
            return try body()
        } catch {
            guard let reason = reason(of: error) else { throw error }
            failure = reason
            throw reason
        }
    }

    /// Records that a look-up asks for something that wasn't announced.
    private func miss() -> StorageError {
        let reason = StorageError(.serialization, "look-up", "The statement was not announced.")
        failure = reason
        return reason
    }

    private func reason(of error: any Error) -> StorageError? {
        guard let failed = error as? PostgreSQLPipeline.Failure else { return error as? StorageError }
        let isRefused = failed.control == .beginWrite || kind.access == .write && failed.error.code == .readOnly
        guard isRefused, failed.error.code != .connectionLost else { return failed.error }
        // After a failover the connection may lead to a standby: it is replaced, as a lost one is.
        return StorageError(.connectionLost, "server", "It accepts no writes: \(failed.error.reason)")
    }
}

/// Transactions, for the thread that owns the session.
extension PostgreSQLSession {
    /// Prepares for a look-up whose predecessor has failed.
    func forgetFailure() { failure = nil }

    /// Prepares for a transaction. It begins with its first statement.
    func begin(_ kind: Kind) {
        self.kind = kind
        channel.deadline = kind.deadline
        waitLimit = kind.isGroup ? options.groupLockTimeoutMilliseconds : options.lockTimeoutMilliseconds
        isInTransaction = false
        failure = nil
        hasWritten = false
        hasChangedCatalog = false
        snapshotID = .next()
        changes = PendingChanges()
        announced = nil
        answers = AnnouncedAnswers()
    }

    /// Takes the deadlines of further bodies: the earliest counts.
    func heed(_ deadline: RequestDeadline?) {
        kind.deadline = RequestDeadline.earliest([kind.deadline, deadline])
        channel.deadline = kind.deadline
    }

    /// Runs the statements that bodies have announced in one request, which also begins the transaction. The bodies get the
    /// answers for as long as they are up to date.
    ///
    /// - Returns: For each body, whether its statements have changed anything.
    /// - Throws: ``StorageError``.
    func announce(_ bodies: [[AnnouncedRead]]) throws -> [Bool] {
        // A later round of a group: what was compared for the bodies before, such as the catalog's revision, is compared again.
        if isInTransaction { snapshotID = .next() }
        return try markFailedOnError {
            var distinct: Set<AnnouncedRead> = []
            let reads = bodies.joined().filter {
                // The others are left to their bodies.
                changes.isUnaffected((sql: $0.sql, values: $0.values), channel.form(of: $0.sql))
                    && distinct.insert($0).inserted
            }
            guard !reads.isEmpty else { return bodies.map { _ in false } }
            // Before the transaction, because preparing a statement takes a round trip.
            for read in reads { try channel.prepare(read.sql, read.values, kind.timeout) }
            try beginIfNeeded()
            let earlier = channel.awaitedCount
            for read in reads { try channel.add(read.sql, read.values, kind.timeout) }
            let results = try channel.waitForAll(kind.timeout)
            guard results.count == earlier + reads.count else {
                throw StorageError(.connectionLost, "announced statements", "The server has not answered all of them.")
            }
            var changing: Set<AnnouncedRead> = []
            for (read, result) in zip(reads, results[earlier...]) {
                answers.add(result, to: read, channel.form(of: read.sql))
                if !read.sql.isSelect, result.rowsChanged > 0 { changing.insert(read) }
            }
            return bodies.map { $0.contains(where: changing.contains) }
        }
    }

    /// Asks for announced statements in a transaction of their own, in one round trip. The bodies that run next get these
    /// results, and no others.
    ///
    /// - Parameter deadline: The earliest of the bodies' deadlines.
    /// - Throws: ``StorageError``.
    func lookUp(_ reads: some Sequence<AnnouncedRead>, until deadline: RequestDeadline?) throws {
        begin(
            .init(access: .read, deadline: deadline, minimumMilliseconds: PostgreSQLChannel.answerMilliseconds))
        try markFailedOnError {
            var distinct: Set<AnnouncedRead> = []
            let reads = reads.filter { distinct.insert($0).inserted }
            // Before the transaction, because preparing a statement takes a round trip.
            for read in reads { try channel.prepare(read.sql, read.values, kind.timeout) }
            try beginIfNeeded()
            let earlier = channel.awaitedCount
            for read in reads { try channel.add(read.sql, read.values, kind.timeout) }
            try channel.add(.commit)
            let results = try channel.waitForAll(kind.timeout)
            isInTransaction = false
            guard results.count == earlier + reads.count + 1 else {
                throw StorageError(.connectionLost, "look-ups", "The server has not answered all of them.")
            }
            announced = Dictionary(uniqueKeysWithValues: zip(reads, results[earlier...]))
        }
    }

    /// Runs a body, which fails if one of its statements did, caught or not.
    ///
    /// - Parameter hasWritten: True if its announced statements have changed something.
    func run(_ task: DatabaseTask, hasWritten: Bool = false) throws -> DatabaseTask.Completion {
        self.hasWritten = hasWritten
        journal = nil
        let completion = try task.run(self)
        if let failure { throw failure }
        return completion
    }

    /// Numbers the journal positions and commits, in one request.
    ///
    /// - Throws: ``CommitFailure``.
    func commit() throws {
        guard isInTransaction || changes.isOpen else { return }
        var isSent = false
        var isCancelled = false
        do {
            if changes.isOpen { try number(limitsHead: kind.limitsHead) }
            try channel.add(.commit)
            isSent = true
            _ = channel.notices.takeCancelledWait()
            let result = try channel.wait(kind.timeout)
            isInTransaction = false
            isCancelled = channel.notices.takeCancelledWait()
            // PostgreSQL answers ROLLBACK to the COMMIT of a failed transaction.
            guard result.command == "COMMIT" else {
                throw StorageError(.statement, "COMMIT", "The server rolled back instead.")
            }
            guard !isCancelled else {
                throw StorageError(.commitUnknown, "COMMIT", "The wait for the synchronous standby was cancelled.")
            }
            channel.counters.commits.add(1, ordering: .relaxed)
        } catch {
            let reason = reason(of: error) ?? StorageError(.statement, "COMMIT", "\(error)")
            failure = reason
            let isUncommitted = (error as? PostgreSQLPipeline.Failure)?.isUncommitted ?? false
            let isLost = isLost || reason.code == .connectionLost
            throw CommitFailure(reason: reason, isUnknown: isCancelled || isSent && isLost && !isUncommitted)
        }
    }

    /// Ends a transaction that has changed nothing, without waiting for the answer.
    func endRead() {
        guard isInTransaction else { return }
        isInTransaction = false
        guard (try? channel.add(.commit)) != nil else { return }
        channel.end()
    }

    /// Rolls back.
    /// - Returns: False if the session can't be used any more.
    func rollBack() -> Bool {
        guard !isLost, failure?.code != .connectionLost else { return false }
        guard isInTransaction else { return true }
        isInTransaction = false
        // Statements that weren't sent yet may fail, and would take the command of the same request with them.
        channel.end()
        guard (try? channel.add(.rollBack)) != nil else { return false }
        _ = try? channel.wait(.standard)
        return channel.isIdle
    }
}

extension SQL {
    fileprivate static let setLongLimits: SQL =
        "SELECT set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $2, true)"
    fileprivate static let setWaitLimits: SQL =
        "SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)"
    fileprivate static let setLockLimit: SQL = "SELECT set_config('lock_timeout', $1, true)"

    /// True for a statement that only reads, and perhaps locks.
    var isSelect: Bool { text.utf8.prefix(6).elementsEqual("SELECT".utf8) }
}
