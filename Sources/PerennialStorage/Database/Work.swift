import Dispatch

/// What a body may do.
enum Access: Sendable {
    case read
    case write
}

/// How long a body's statements may take.
package enum Patience: Sendable {
    case usual
    /// For statements that may have very much to do.
    case long
}

/// A body and whoever waits for its result.
struct Work: Sendable {
    /// Gives the result that a run has made to whoever waits for it: called once the transaction is committed.
    typealias Delivery = @Sendable () -> Void

    let access: Access
    let patience: Patience
    private let submitted = DispatchTime.now()
    /// Runs the body. It may be called again when the transaction of the first call was rolled back.
    let run: @Sendable (any Connection) throws -> Delivery
    let fail: @Sendable (any Error) -> Void

    init<Value: Sendable>(
        _ access: Access, _ patience: Patience, _ body: @escaping @Sendable (any Connection) throws -> Value,
        answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.access = access
        self.patience = patience
        run = { connection in
            let value = try body(connection)
            return { answer(.success(value)) }
        }
        fail = { answer(.failure($0)) }
    }

    /// Since it was submitted.
    var ageMilliseconds: Int {
        Int((DispatchTime.now().uptimeNanoseconds - submitted.uptimeNanoseconds) / 1_000_000)
    }
}

/// One way of keeping a database: threads, each with a connection, that run the work submitted.
protocol Backend: Sendable {
    /// Queues a piece of work, or fails it at once when the database is closed or overloaded.
    func submit(_ work: Work)
    /// Lets the threads end when nothing waits any more.
    func refuseFurtherWork()
    func waitUntilFinished()
    /// Why no further writes are accepted until the process is started again; nil while they are.
    var writesStopped: StorageError? { get }
}

extension Backend {
    var writesStopped: StorageError? { nil }
}
