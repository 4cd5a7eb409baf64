/// What a body may do.
enum Access: Sendable {
    case read
    case write
}

/// A body and whoever waits for its result.
struct Work: Sendable {
    /// Gives the result that a run has made to whoever waits for it: called once the transaction is committed.
    typealias Delivery = @Sendable () -> Void

    let access: Access
    /// Runs the body. It may be called again when the transaction of the first call was rolled back.
    let run: @Sendable (any Connection) throws -> Delivery
    let fail: @Sendable (any Error) -> Void

    init<Value: Sendable>(
        _ access: Access, _ body: @escaping @Sendable (any Connection) throws -> Value,
        answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.access = access
        run = { connection in
            let value = try body(connection)
            return { answer(.success(value)) }
        }
        fail = { answer(.failure($0)) }
    }
}

/// One way of keeping a database: threads, each with a connection, that run the work submitted.
protocol Backend: Sendable {
    /// Queues a piece of work, or fails it at once when the database is closed or overloaded.
    func submit(_ work: Work)
    /// Lets the threads end when nothing waits any more.
    func refuseFurtherWork()
    func waitUntilFinished()
}
