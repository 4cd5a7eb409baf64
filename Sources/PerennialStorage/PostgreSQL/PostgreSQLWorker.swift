import Dispatch
import Logging
import Synchronization

/// Runs transactions on the one connection of a thread, and repeats those that collide.
final class PostgreSQLWorker {
    private let open: () throws -> PostgreSQLSession
    private let pause: (_ attempt: Int) -> Void
    private let options: DatabaseOptions
    private let logger: Logger
    private let isClosing: () -> Bool
    /// Called when the bodies of a transaction have run, before its commit.
    private let willCommit: () -> Void
    /// Puts a task back that has waited for a journal's head for long; `nil` on threads whose tasks wait as long as they must.
    private let runAlone: (([DatabaseTask]) -> Void)?
    private let counters: PostgreSQLCounters
    private var session: PostgreSQLSession?
    /// The usual time of a body in a group.
    private var bodyMicroseconds = 100

    init(
        options: DatabaseOptions, logger: Logger, counters: PostgreSQLCounters, isClosing: @escaping () -> Bool,
        willCommit: @escaping () -> Void, runAlone: (([DatabaseTask]) -> Void)?,
        open: @escaping () throws -> PostgreSQLSession,
        pause: @escaping (_ attempt: Int) -> Void
    ) {
        self.options = options
        self.logger = logger
        self.counters = counters
        self.isClosing = isClosing
        self.willCommit = willCommit
        self.runAlone = runAlone
        self.open = open
        self.pause = pause
    }

    /// Runs a task in a transaction of its own.
    ///
    /// - Parameter isBesideOthers: True if it is put back when it waits for a lock for long, to run alone.
    func run(_ task: DatabaseTask, isBesideOthers: Bool = false) {
        var attempt = 1
        guard !refuseIfLate(task) else { return }
        while true {
            do {
                switch task.access {
                case .read, .scan: try read(task)
                case .write: try write(task, limitsLocks: isBesideOthers && givesWay(task))
                }
                return
            } catch let error as Repeatable where attempt < options.attemptsMax && mayRepeat(task, after: error.reason)
            {
                logger.debug("transaction repeated", metadata: ["attempt": "\(attempt)", "reason": "\(error.reason)"])
                pause(attempt)
                attempt += 1
            } catch let error as InUse {
                runAlone?([task.alone(error.journal)])
                return
            } catch {
                task.fail((error as? Repeatable)?.reason ?? error)
                return
            }
        }
    }

    /// Fails a task that has waited for too long.
    func refuseIfLate(_ task: DatabaseTask) -> Bool {
        if task.refuseIfOverdue() { return true }
        guard isTooLate(task) || session == nil && !hasTimeToConnect(task) else { return false }
        task.fail(
            StorageError(
                .unresponsive, "queue", "It has waited for \(task.ageMilliseconds) milliseconds for a connection."))
        return true
    }

    private func isTooLate(_ task: DatabaseTask) -> Bool {
        task.ageMilliseconds > options.statementTimeout(task.timeout)
    }

    /// True if a task may run again. A collision ends soon. A lost server may stay so: a task isn't repeated for it beyond its
    /// time limit, nor while the process ends.
    private func mayRepeat(_ task: DatabaseTask, after reason: StorageError) -> Bool {
        guard task.deadline?.isOver != true else { return false }
        guard reason.code == .connectionLost else { return true }
        let isYoung = task.ageMilliseconds <= options.statementTimeout(.standard)
        return !isClosing() && isYoung && hasTimeToConnect(task)
    }

    /// True if a connection is there or refused before a task's time is over. To a server that doesn't answer at all it takes
    /// seconds, after which the task's sender would have waited beyond its limit.
    private func hasTimeToConnect(_ task: DatabaseTask) -> Bool {
        let left = task.deadline?.millisecondsLeft ?? (options.statementTimeout(task.timeout) - task.ageMilliseconds)
        let limit = min(task.deadline?.limit ?? .max, options.statementTimeout(.standard))
        return left >= min(PostgreSQLAddress.connectSeconds * 1_000, limit / 2)
    }

    /// An error after which nothing is committed and another run may succeed.
    private struct Repeatable: Error {
        let reason: StorageError
    }

    /// Reports that nothing was committed, because another transaction holds a lock for long.
    private struct InUse: Error {
        /// The journal whose head it is; `nil` for another lock.
        let journal: AppKey?
    }

    /// True if a task gives way to others when it waits for a lock for long.
    private func givesWay(_ task: DatabaseTask) -> Bool {
        runAlone != nil && !task.runsAlone && task.access == .write
    }

    private func read(_ task: DatabaseTask) throws {
        let (session, complete) = try begin(task)
        // Nothing was changed, so the result needn't wait for the end of the transaction.
        complete()
        session.endRead()
    }

    private func write(_ task: DatabaseTask, limitsLocks: Bool) throws {
        let (session, complete) = try begin(task, limitsLocks: limitsLocks)
        willCommit()
        do {
            try options.faults?(.beforeCommit)
        } catch {
            rollBack(session)
            throw error
        }
        do {
            try commit(session)
        } catch let error as StorageError where error.code == .serialization || error.code == .connectionLost {
            throw Repeatable(reason: error)
        } catch let error as StorageError where error.code == .busy && givesWay(task) {
            throw InUse(journal: session.journal)
        }
        counters.committedBodies.add(1, ordering: .relaxed)
        try options.faults?(.afterCommit)
        complete()
    }

    /// Begins a transaction and runs the body. If this throws, the transaction is over.
    ///
    /// - Parameter limitsLocks: True if it waits for locks as shortly as a group does.
    private func begin(_ task: DatabaseTask, limitsLocks: Bool = false) throws -> (
        PostgreSQLSession, DatabaseTask.Completion
    ) {
        var started: PostgreSQLSession?
        do {
            let session = try connected()
            started = session
            session.begin(
                .init(
                    access: task.access, timeout: task.timeout, isGroup: limitsLocks, deadline: task.deadline,
                    limitsHead: givesWay(task)))
            var hasWritten = false
            if task.access == .write, !task.runsAlone, !task.announced.isEmpty {
                hasWritten = try session.announce([task.announced])[0]
            }
            return (session, try session.run(task, hasWritten: hasWritten))
        } catch {
            let cause = started?.failure ?? (error as? StorageError)
            if let started { rollBack(started) }
            // After a collision or a loss the body's own error doesn't count: it runs again.
            if let cause, cause.code == .serialization || cause.code == .connectionLost {
                throw Repeatable(reason: cause)
            }
            if limitsLocks, cause?.code == .busy { throw InUse(journal: nil) }
            throw error
        }
    }
}

/// The session and the time of bodies, for groups too.
extension PostgreSQLWorker {
    /// The most bodies that run together, so that a group ends about in time: more if they make no round trips.
    var groupMax: Int {
        max(1, min(options.serverGroupMax, options.serverGroupMilliseconds * 1_000 / bodyMicroseconds))
    }

    /// Runs a body and notes how long it takes.
    func timed<Value>(_ body: () -> Value) -> Value {
        let start = DispatchTime.now().uptimeNanoseconds
        let value = body()
        let taken = Int(DispatchTime.now().uptimeNanoseconds - start) / 1_000
        // A body that has waited for a lock counts little.
        bodyMicroseconds = max(1, bodyMicroseconds + (min(taken, 10 * bodyMicroseconds + 100) - bodyMicroseconds) / 8)
        return value
    }

    /// Returns the session of the thread, connected if it isn't.
    func connected() throws -> PostgreSQLSession {
        // Others have left the server of an outdated one: a standby has taken its place, or it is a standby that was promoted.
        if self.session?.isOutdated == true { self.session = nil }
        let session = try self.session ?? open()
        self.session = session
        return session
    }

    /// Commits.
    /// - Throws: ``StorageError``, with `commitUnknown` if the transaction may be committed; otherwise nothing is.
    func commit(_ session: PostgreSQLSession) throws {
        do {
            try session.commit()
        } catch let failure as PostgreSQLSession.CommitFailure {
            rollBack(session)
            guard failure.isUnknown else { throw failure.reason }
            guard failure.reason.code != .commitUnknown else { throw failure.reason }
            throw StorageError(
                .commitUnknown, "COMMIT", "The server was lost before it answered. \(failure.reason.reason)")
        }
    }

    /// Rolls back; drops the connection if that fails.
    func rollBack(_ session: PostgreSQLSession) {
        if !session.rollBack() { self.session = nil }
    }
}
