import Logging

/// What one thread does with one connection: transactions, again and again until they succeed or may not be repeated.
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

    func run(_ work: Work) {
        var attempt = 1
        guard !isTooLate(work) else {
            work.fail(
                StorageError(
                    .unresponsive, "queue", "It has waited for \(work.ageMilliseconds) milliseconds for a connection."))
            return
        }
        while true {
            do {
                switch work.access {
                case .read: try read(work)
                case .write: try write(work)
                }
                return
            } catch let error as Repeatable where attempt < options.attemptsMax && mayRepeat(work, after: error.reason)
            {
                logger.debug("transaction repeated", metadata: ["attempt": "\(attempt)", "reason": "\(error.reason)"])
                pause(attempt)
                attempt += 1
            } catch {
                work.fail((error as? Repeatable)?.reason ?? error)
                return
            }
        }
    }

    private func isTooLate(_ work: Work) -> Bool { work.ageMilliseconds > options.statementTimeout(.usual) }

    /// A collision ends soon. A server that is gone may stay so: nobody is kept waiting for it for long, and not at all by a
    /// process that ends.
    private func mayRepeat(_ work: Work, after reason: StorageError) -> Bool {
        reason.code != .connectionLost || !isClosing() && !isTooLate(work)
    }

    /// Nothing was committed, and another run may succeed.
    private struct Repeatable: Error {
        let reason: StorageError
    }

    private func read(_ work: Work) throws {
        let (session, deliver) = try begin(work, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        // The answer needn't wait for the end of a transaction that changed nothing.
        deliver()
        if (try? session.perform("COMMIT")) == nil { self.session = nil }
    }

    private func write(_ work: Work) throws {
        let (session, deliver) = try begin(work, "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        do {
            try options.faults?(.beforeCommit)
        } catch {
            rollBack(session)
            throw error
        }
        try commit(session)
        try options.faults?(.afterCommit)
        deliver()
    }

    /// Begins a transaction and runs the body; if either fails, the transaction is over when this throws.
    private func begin(_ work: Work, _ command: String) throws -> (PostgreSQLSession, Work.Delivery) {
        var started: PostgreSQLSession?
        do {
            let session = try self.session ?? open()
            self.session = session
            started = session
            _ = try session.perform(command)
            return (session, try session.run(work))
        } catch {
            let cause = started?.failure ?? (error as? StorageError)
            if let started { rollBack(started) }
            // Whatever the body made of a collision or a loss, the next run decides.
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
        // The answer to committing a failed transaction.
        guard result.command == "COMMIT" else {
            throw StorageError(.statement, "COMMIT", "The server rolled back instead.")
        }
    }

    /// Leaves the connection ready for the next transaction, or gives it up.
    private func rollBack(_ session: PostgreSQLSession) {
        let isKept = session.failure?.code != .connectionLost && !session.isLost
        if isKept, !session.isInTransaction || (try? session.perform("ROLLBACK")) != nil { return }
        self.session = nil
    }
}
