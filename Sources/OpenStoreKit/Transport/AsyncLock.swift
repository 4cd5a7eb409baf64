import Synchronization

/// A fair lock that can be held over suspensions. A waiting task leaves the line when it is cancelled.
final class AsyncLock: Sendable {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var isHeld = false
        var waiters: [Waiter] = []
        var nextNumber = 0
        /// Waiters that were cancelled before they were in the line.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Runs `body` with the lock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before its turn; errors of `body`.
    func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await acquire()
        defer { release() }
        return try await body()
    }

    private func acquire() async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    guard state.isHeld else {
                        state.isHeld = true
                        return .success(())
                    }
                    state.waiters.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
        // The task may have been cancelled after its turn.
        state.withLock { _ = $0.cancelled.remove(number) }
    }

    private func release() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                state.isHeld = false
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.continuation.resume()
    }
}
