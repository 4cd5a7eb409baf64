import AsyncHTTPClient
import NIOCore
import NIOHTTP1

extension HTTPClient {
    /// Sends a request and reads its answer, both before a deadline.
    ///
    /// The deadline of `execute` alone ends with the head of the answer: a server that never sends the body would be
    /// waited for without end. An answer without a body needs no more than that.
    ///
    /// - Parameter read: Reads the answer. The rest of the body is not fetched.
    /// - Throws: `HTTPClientError.deadlineExceeded`, `CancellationError`, and what `execute` and `read` throw.
    package func exchange<Value: Sendable>(
        _ request: HTTPClientRequest, deadline: NIODeadline,
        read: @escaping @Sendable (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        let response: HTTPClientResponse
        do {
            response = try await execute(request, deadline: deadline)
        } catch {
            try _Concurrency.Task.checkCancellation()
            throw error
        }
        if response.isWithoutBody { return try await read(response) }
        let work = _Concurrency.Task {
            let value = try await read(response)
            // A body that was read while this was cancelled may be cut short.
            try _Concurrency.Task.checkCancellation()
            return value
        }
        let timer = Deadlines.shared.schedule(at: deadline) { work.cancel() }
        defer { Deadlines.shared.cancel(timer) }
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

extension HTTPClientResponse {
    /// True if the answer ends with its head (RFC 9112, 6.3).
    fileprivate var isWithoutBody: Bool {
        status == .noContent || status == .notModified || headers.first(name: "Content-Length") == "0"
    }
}
