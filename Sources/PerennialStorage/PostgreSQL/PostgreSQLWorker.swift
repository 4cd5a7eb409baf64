import Logging

/// Runs transactions on the one connection of a thread, and repeats those that collide.
final class PostgreSQLWorker {
    private let open: () throws -> PostgreSQLSession
    private let pause: (_ attempt: Int) -> Void
    private let options: DatabaseOptions
    private let logger: Logger
    private let isClosing: () -> Bool
    private var session: PostgreSQLSession?

    init(
        options: DatabaseOptions, logger: Logger, isClosing: @escaping () -> Bool,
        open: @escaping () throws -> PostgreSQLSession,
        pause: @escaping (_ attempt: Int) -> Void
    ) {
        self.options = options
        self.logger = logger
        self.isClosing = isClosing
        self.open = open
        self.pause = pause
    }

    func run(_ task: DatabaseTask) {
        var attempt = 1
        guard !isTooLate(task) else {
            task.fail(
                StorageError(
                    .unresponsive, "queue", "It has waited for \(task.ageMilliseconds) milliseconds for a connection."))
            return
        }
        while true {
            do {
                switch task.access {
                case .read, .scan: try read(task)
                case .write: try write(task)
                }
                return
            } catch let error as Repeatable where attempt < options.attemptsMax && mayRepeat(task, after: error.reason)
            {
                logger.debug("transaction repeated", metadata: ["attempt": "\(attempt)", "reason": "\(error.reason)"])
                pause(attempt)
                attempt += 1
            } catch {
                task.fail((error as? Repeatable)?.reason ?? error)
                return
            }
        }
    }

    private func isTooLate(_ task: DatabaseTask) -> Bool { task.ageMilliseconds > options.statementTimeout(.standard) }

    /// True if a task may run again. A collision ends soon. A lost server may stay so: a task isn't repeated for it beyond its
    /// time limit, nor while the process ends.
    private func mayRepeat(_ task: DatabaseTask, after reason: StorageError) -> Bool {
        reason.code != .connectionLost || !isClosing() && !isTooLate(task)
    }

    /// An error after which nothing is committed and another run may succeed.
    private struct Repeatable: Error {
        let reason: StorageError
    }

    private func read(_ task: DatabaseTask) throws {
        let (session, complete) = try begin(task, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        // Nothing was changed, so the result needn't wait for the end of the transaction.
        complete()
        if (try? session.perform("COMMIT")) == nil { self.session = nil }
    }

    private func write(_ task: DatabaseTask) throws {
        let (session, complete) = try begin(task, "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        do {
            try options.faults?(.beforeCommit)
        } catch {
            rollBack(session)
            throw error
        }
        try commit(session)
        try options.faults?(.afterCommit)
        complete()
    }

    /// Begins a transaction and runs the body. If this throws, the transaction is over.
    private func begin(_ task: DatabaseTask, _ command: String) throws -> (PostgreSQLSession, DatabaseTask.Completion) {
        var started: PostgreSQLSession?
        do {
            let session = try self.session ?? open()
            self.session = session
            started = session
            _ = try session.perform(command)
            return (session, try session.run(task))
        } catch {
            let cause = started?.failure ?? (error as? StorageError)
            if let started { rollBack(started) }
            // After a collision or a loss the body's own error doesn't count: it runs again.
            if let cause, cause.code == .serialization || cause.code == .connectionLost {
                throw Repeatable(reason: cause)
            }
            throw error
        }
    }

    private func commit(_ session: PostgreSQLSession) throws {
        let result: PostgreSQLResult
        do {
            result = try session.perform("COMMIT")
        } catch let error as StorageError {
            if session.isLost || error.code == .connectionLost {
                self.session = nil
                throw StorageError(
                    .commitUnknown, "COMMIT", "The server was lost before it answered. \(error.reason)")
            }
            rollBack(session)
            throw error.code == .serialization ? Repeatable(reason: error) : error
        }
        // PostgreSQL answers ROLLBACK to the COMMIT of a failed transaction.
        guard result.command == "COMMIT" else {
            throw StorageError(.statement, "COMMIT", "The server rolled back instead.")
        }
    }

    /// Rolls back; drops the connection if that fails.
    private func rollBack(_ session: PostgreSQLSession) {
        let isKept = session.failure?.code != .connectionLost && !session.isLost
        if isKept, !session.isInTransaction || (try? session.perform("ROLLBACK")) != nil { return }
        self.session = nil
    }
}
