import Dispatch
import Synchronization

/// The access that a body needs.
enum Access: Sendable {
    case read
    /// Many rows in the order of a table, of which each is read once.
    case scan
    case write
}

/// The time limit of a body's statements.
package enum StatementTimeout: Sendable {
    case standard
    /// The limit of statements that may change very many rows.
    case long
}

/// A body to run in a transaction, and the callback for its result.
struct DatabaseTask: Sendable {
    /// Delivers the result of a run to the caller; called once the transaction is committed.
    typealias Completion = @Sendable () -> Void

    let access: Access
    let timeout: StatementTimeout
    /// True for a write that doesn't wait for others.
    let isUrgent: Bool
    /// The statements that a body will ask for first, as far as they are known.
    let announced: [AnnouncedRead]
    /// The deadline of the request that it belongs to; `nil` for background work, scans and long transactions.
    let deadline: RequestDeadline?
    /// True if it may not share a transaction, because one that it has shared was rolled back, or waited for a lock for long.
    private(set) var runsAlone = false
    /// The journal to which its last run appended; `nil` if it isn't known.
    private(set) var journal: AppKey?
    private let submitted = DispatchTime.now()
    /// Runs the body. It may be called again after the transaction of the first call was rolled back.
    let run: @Sendable (any Connection) throws -> Completion
    let fail: @Sendable (any Error) -> Void

    init<Value: Sendable>(
        _ access: Access, _ timeout: StatementTimeout, isUrgent: Bool = false, announced: [AnnouncedRead] = [],
        _ body: @escaping @Sendable (any Connection) throws -> Value,
        answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.access = access
        self.timeout = timeout
        self.isUrgent = isUrgent
        self.announced = announced
        let deadline = RequestDeadline.current
        let isBounded = access != .scan && timeout == .standard && !isUrgent
        // The time that these take depends on the amount of data, and so does that of the rest of their request.
        if !isBounded { deadline?.lift() }
        self.deadline = isBounded ? deadline : nil
        run = { connection in
            let value = try body(connection)
            return { answer(.success(value)) }
        }
        fail = { answer(.failure($0)) }
    }

    /// Fails the task if the time of its request is over.
    ///
    /// - Returns: True if it has failed.
    func refuseIfOverdue() -> Bool {
        guard deadline?.isOver == true else { return false }
        fail(
            StorageError(
                .unresponsive, "queue", "The time of its request was over after \(ageMilliseconds) milliseconds."))
        return true
    }

    /// Returns the task, to be run in a transaction of its own.
    ///
    /// - Parameter journal: The journal to which its last run appended.
    func alone(_ journal: AppKey?) -> DatabaseTask {
        var task = self
        task.runsAlone = true
        task.journal = journal
        return task
    }

    /// The time since the task was submitted.
    var ageMilliseconds: Int { ageNanoseconds / 1_000_000 }

    var ageNanoseconds: Int { Int(DispatchTime.now().uptimeNanoseconds - submitted.uptimeNanoseconds) }
}

/// A store of databases: threads, each with a connection, that run submitted tasks.
protocol DatabaseBackend: Sendable {
    /// Queues a task, or fails it at once if the database is closed or overloaded.
    func submit(_ task: DatabaseTask)
    /// Refuses further tasks, and lets the threads end when the queue is empty.
    func stopAccepting()
    func waitUntilFinished()
    /// The reason why no writes are accepted until the process is restarted; `nil` while they are.
    var writesStopped: StorageError? { get }
    /// The histories of commits that connections have found; `nil` on SQLite, whose process has the file for itself.
    var history: DatabaseHistory? { get }
    /// The work on a PostgreSQL server; `nil` on SQLite.
    var statistics: PostgreSQLStatistics? { get }
    /// Adds to the sessions that this process has ended.
    func countEndedSessions(_ count: Int)
}

extension DatabaseBackend {
    var writesStopped: StorageError? { nil }
    var history: DatabaseHistory? { nil }
    var statistics: PostgreSQLStatistics? { nil }
    func countEndedSessions(_ count: Int) {}
}

/// A result that one thread produces and another waits for.
final class BlockingResult<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let isFulfilled = DispatchSemaphore(value: 0)

    func fulfil(_ value: Result<Value, any Error>) {
        result.withLock { $0 = value }
        isFulfilled.signal()
    }

    func wait() throws -> Value {
        isFulfilled.wait()
        guard let result = result.withLock({ $0 }) else { preconditionFailure("A result precedes its signal.") }
        return try result.get()
    }
}
