import AsyncHTTPClient
import NIOCore

extension HTTPClient {
    /// Sends a request and reads its answer, both before a deadline.
    ///
    /// The deadline of `execute` alone ends with the head of the answer: a server that never sends the body would be
    /// waited for without end.
    ///
    /// - Parameter read: Reads the answer. What it leaves unread is not fetched.
    /// - Throws: `HTTPClientError.deadlineExceeded`, `CancellationError`, and what `execute` and `read` throw.
    package func exchange<Value: Sendable>(
        _ request: HTTPClientRequest, deadline: NIODeadline,
        read: @escaping @Sendable (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        let work = _Concurrency.Task {
            let value = try await read(try await execute(request, deadline: deadline))
            // What was read while this was cancelled may be cut short.
            try _Concurrency.Task.checkCancellation()
            return value
        }
        let timer = eventLoopGroup.any().scheduleTask(deadline: deadline) { work.cancel() }
        defer { timer.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
        } catch {
            try _Concurrency.Task.checkCancellation()
            if work.isCancelled { throw HTTPClientError.deadlineExceeded }
            throw error
        }
    }
}
