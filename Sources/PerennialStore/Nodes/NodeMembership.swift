import Logging
import Perennial
import PerennialStorage
import Synchronization

/// The description of this process for operators.
package struct NodeDescription: Hashable, Sendable {
    package var host: String
    /// The process ID.
    package var process: Int64
    /// The version of the program.
    package var version: String
    /// The number of migrations that the program knows; tests of adjacent versions pretend another one.
    package var migrations: Int

    package init(
        host: String = "localhost", process: Int64 = 0, version: String = "", migrations: Int = Migration.all.count
    ) {
        self.host = host
        self.process = process
        self.version = version
        self.migrations = migrations
    }
}

/// The process as one of the nodes that share a database: its heartbeat, what it knows of the others, and its leases.
///
/// A node registers when it needs a lease for the first time. It is alive for the others as long as its heartbeat grows
/// (``FailureDetector``). The others remove a silent node and free its leases; if it lives after all, it finds that its
/// leases are lost and registers again under another number.
package final class NodeMembership: Sendable {
    /// The interval between two heartbeats.
    package static let beatInterval = Duration.milliseconds(500)
    /// The time from the begin of a heartbeat for which a node may rely on its leases without asking the database, in
    /// milliseconds: less than ``FailureDetector/deadline``, so that it stops before another node takes over.
    static let validity: Int64 = 2_500

    struct State {
        var id: Int64?
        /// True after an orderly end: work that is still going on doesn't register the node again.
        var hasLeft = false
        /// True if the node takes part in background work.
        var isWorker = false
        /// The begin of the last heartbeat that the database has answered.
        var lastBeat: Int64?
        var clockDifference: Int64 = 0
        var isClockMeasured = false
        /// The time of the registration, as the database has it.
        var started = Instant(milliseconds: 0)
        /// The era in which the node was registered (`Database.era`).
        var era: Int64 = 0
        /// The heartbeat's number, as the database had it last.
        var beat: Int64 = 0
        var detector = FailureDetector()
        var leases: [LeasesTable.Key: WorkLease] = [:]
        /// The tokens of leases that are given up, as long as a transaction of the node holds them.
        var releasing: Set<Int64> = []
        /// The instants since which leases were seen free.
        var freeSince: [LeasesTable.Key: Int64] = [:]
        var acquisitions: Int64 = 0
        /// Called when the leases are lost.
        var observers: [Int: @Sendable () -> Void] = [:]
        var nextObserver = 0
    }

    let database: Database
    let description: NodeDescription
    let wallClock: @Sendable () -> Instant
    /// Corrects the process's clock by the database server's; `nil` if it isn't corrected.
    let clock: NodeClock?
    /// Milliseconds of a clock that never goes back.
    let elapsed: @Sendable () -> Int64
    let logger: Logger
    let state = Mutex(State())
    /// The tokens of leases that live in this process. Its own lock: a lease may end while `state` is locked.
    let tokensInUse = Mutex<Set<Int64>>([])

    init(
        database: Database, _ description: NodeDescription, wallClock: @escaping @Sendable () -> Instant,
        clock: NodeClock?, elapsed: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        (self.database, self.description, self.clock) = (database, description, clock)
        (self.wallClock, self.elapsed) = (clock?.machine ?? wallClock, elapsed)
        self.logger = logger
    }

    /// The number of this node; `nil` before it is registered.
    package var id: Int64? { state.withLock { $0.id } }

    /// The time for which another node's heartbeat has stood still, in milliseconds.
    func silence(of node: Int64) -> Int64 { state.withLock { $0.detector.silence(of: node) } }

    /// True if one process has the database for itself: then it does all work, without leases.
    package var isAlone: Bool { database.engine == .sqlite }

    /// True while no other node can have taken this one for dead.
    package var isValid: Bool {
        let now = elapsed()
        return state.withLock { $0.isValid(at: now) }
    }

    /// Registers the node if it isn't registered, and measures the clock if it wasn't measured.
    ///
    /// - Returns: Its number.
    /// - Throws: `CancellationError` after ``leave()``.
    @discardableResult
    package func register() async throws -> Int64 {
        if let id { return id }
        guard !state.withLock({ $0.hasLeft }) else { throw CancellationError() }
        let begin = elapsed()
        let node = NodesTable.Node(
            host: description.host, process: description.process, version: description.version,
            migrations: Int64(description.migrations), started: clock?.now() ?? wallClock(),
            isWorker: state.withLock { $0.isWorker })
        let (id, serverTime, era) = try await database.write { connection in
            let id = try NodesTable.register(node, on: connection)
            // After the number is taken, which waits for migrations: one that runs meanwhile finds this node, or is found here.
            try Self.refuseEarlier(programWith: Int(clamping: node.migrations), on: connection)
            return (id, try NodesTable.serverTime(on: connection), connection.era)
        }
        let measurement = serverTime.map { measureClock($0, since: begin) }
        let registered = state.withLock { state in
            // Another task may have registered it meanwhile; its row goes as that of a dead node.
            if let known = state.id { return known }
            state.id = id
            state.lastBeat = begin
            (state.era, state.beat, state.started) = (era, node.beat, node.started)
            return id
        }
        if let measurement { await completeMeasurement(measurement) }
        return registered
    }

    /// Forgets the registration if it is gone: a later process on the same SQLite database removes those before it.
    func checkRegistration() async throws {
        guard let id else { return }
        guard try await !database.read({ try NodesTable.contains(id, on: $0) }) else { return }
        state.withLock { state in
            if state.id == id { state.lose() }
        }
    }

    /// Takes part in background work from the next heartbeat on.
    package func startWorking() { state.withLock { $0.isWorker = true } }

    /// Removes the node and frees its leases at once, at an orderly end.
    package func leave() async throws {
        let id = state.withLock { state -> Int64? in
            defer { state.lose() }
            state.hasLeft = true
            return state.id
        }
        guard let id else { return }
        try await database.write { connection in
            try LeasesTable.releaseAll(of: id, on: connection)
            try NodesTable.remove(id, on: connection)
        }
    }

    // MARK: - Heartbeat

    /// Raises the heartbeat, looks at the other nodes, and frees the leases of dead ones. Registers the node again if the
    /// others have taken it for dead.
    ///
    /// - Throws: `StorageError`, also `.newerSchema` if a newer version has migrated the database so that this one can't go on.
    package func beat() async throws {
        let id = try await register()
        let begin = elapsed()
        // Another task has found the registration lost, and registers the node again.
        guard let sent = sentBeat(of: id) else { return }
        let (isWorker, difference) = state.withLock { ($0.isWorker, $0.clockDifference) }
        let known = description.migrations
        let answer = try await database.write(isUrgent: true) { connection in
            let beat = try NodesTable.beat(
                id, started: sent.started, isWorker: isWorker, clockDifference: difference, on: connection)
            return (
                beat: beat, era: connection.era,
                seen: try beat.map { _ in try Seen(byProgramWith: known, on: connection) }
            )
        }
        guard try await isContinued(sent, beat: answer.beat, era: answer.era), let seen = answer.seen else { return }
        state.withLock { state in
            if state.id == id { state.lastBeat = begin }
        }
        if let serverTime = seen.serverTime { correctClock(measureClock(serverTime, since: begin)) }
        try await bury(seen)
        await endStalledSessions()
    }

    /// Raises the heartbeat unless that was done a moment ago.
    func beatIfDue() async throws {
        let now = elapsed()
        let isDue = state.withLock { state in state.lastBeat.map { now - $0 >= Self.validity / 5 } ?? true }
        if isDue { try await beat() }
    }

    /// Looks at the other nodes without a heartbeat, and frees the leases of dead ones and those that this node has lost sight of,
    /// while waiting for one of them.
    package func observe() async throws {
        let known = description.migrations
        try await bury(try await database.read { try Seen(byProgramWith: known, on: $0) })
    }

    /// The state of all nodes in one transaction.
    private struct Seen: Sendable {
        var leases: [LeasesTable.Lease]
        var nodes: [NodesTable.Node]
        var serverTime: Instant?

        /// - Throws: `StorageError` `.newerSchema`.
        init(byProgramWith migrations: Int, on connection: any Connection) throws {
            // Leases first: a node that acquires one is registered already, so that it is among the nodes.
            leases = try LeasesTable.held(on: connection)
            nodes = try NodesTable.all(on: connection)
            serverTime = try NodesTable.serverTime(on: connection)
            try NodeMembership.refuseEarlier(programWith: migrations, on: connection)
        }
    }

    /// Refuses a program that can't work beside a migration of the database.
    ///
    /// - Throws: `StorageError` `.newerSchema`.
    private static func refuseEarlier(programWith migrations: Int, on connection: any Connection) throws {
        guard let refusing = try SchemaVersions.refusing(programWith: migrations, on: connection) else { return }
        throw StorageError(
            .newerSchema, "migration \(refusing.number) (\(refusing.name))",
            "a newer version has migrated the database in a way that this one can't work beside")
    }

    private func bury(_ seen: Seen) async throws {
        let now = elapsed()
        let (dead, own) = state.withLock { state in
            (state.detector.observe(seen.nodes, at: now).filter { $0.id != state.id }, state.id)
        }
        let registered = Set(seen.nodes.map(\.id))
        let abandoned = Set(seen.leases.map(\.node)).subtracting(registered).subtracting([own ?? 0])
        let unused = unused(of: seen.leases, node: own)
        guard !dead.isEmpty || !abandoned.isEmpty || !unused.isEmpty else { return }
        let buried = try await database.write(isUrgent: true) { connection in
            let removed = try dead.filter { try NodesTable.remove($0.id, ifBeatIs: $0.beat, on: connection) }
            for id in abandoned.union(removed.map(\.id)).sorted() {
                try LeasesTable.releaseAll(of: id, on: connection)
            }
            for lease in unused { _ = try LeasesTable.release(lease.key, ifUnlocked: lease.token, on: connection) }
            return removed
        }
        for node in buried {
            logger.warning(
                "a node is silent; others take over its work",
                metadata: ["node": "\(node.id)", "host": "\(node.host)", "process": "\(node.process)"])
        }
    }

    /// Ends sessions of nodes that have stopped or were cut off in the middle of a request, which hold locks that others wait for.
    private func endStalledSessions() async {
        do {
            for session in try await database.endStalledSessions() {
                logger.warning(
                    """
                    a session held locks in the middle of a request, because its node stopped or was cut off; it was ended, and \
                    its transaction is rolled back
                    """,
                    metadata: [
                        "process": "\(session.process)", "client": "\(session.client)", "tables": "\(session.tables)",
                    ])
            }
        } catch {
            logger.debug("no stalled sessions looked for", metadata: ["error": "\(error)"])
        }
    }

    // MARK: - Loss

    /// Calls an observer when this node loses its leases, or has to reckon with that.
    ///
    /// - Returns: The number for ``removeObserver(_:)``.
    func addObserver(_ observer: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = observer
            return state.nextObserver
        }
    }

    func removeObserver(_ number: Int) {
        state.withLock { $0.observers[number] = nil }
    }

    /// Calls the observers if the heartbeat has been unanswered for too long. Call it a few times in a second.
    package func checkValidity() {
        let now = elapsed()
        let observers = state.withLock { state in
            state.id == nil || state.isValid(at: now) ? [] : Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Ends the leases of the present registration.
    func dropLeases() {
        let observers = state.withLock { state in
            (state.leases, state.freeSince, state.releasing) = ([:], [:], [])
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Calls the observers.
    func notifyObservers() {
        for observer in state.withLock({ Array($0.observers.values) }) { observer() }
    }
}

extension NodeMembership.State {
    func isValid(at now: Int64) -> Bool {
        lastBeat.map { now - $0 < NodeMembership.validity } ?? false
    }

    mutating func lose() {
        id = nil
        lastBeat = nil
        leases = [:]
        freeSince = [:]
        releasing = []
        detector = FailureDetector()
    }
}
