import Synchronization

/// Lets requests run side by side, or one piece of work alone, in the order of their arrival.
///
/// Later requests wait behind work that waits to run alone, so that a row of requests doesn't hold it up. A request must not send
/// another one through the gate and wait for it.
final class RequestGate: Sendable {
    private struct Waiter {
        let wantsAlone: Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var running = 0
        var isAlone = false
        /// The requests that wait, oldest first.
        var waiters: [Waiter] = []

        /// Begins work if it can run now.
        mutating func begin(alone: Bool) -> Bool {
            guard !isAlone, !alone || running == 0 else { return false }
            if alone { isAlone = true } else { running += 1 }
            return true
        }

        /// Begins the work of the oldest waiters that can run now, and returns them.
        mutating func beginWaiters() -> [CheckedContinuation<Void, Never>] {
            var begun: [CheckedContinuation<Void, Never>] = []
            while let first = waiters.first, begin(alone: first.wantsAlone) {
                begun.append(waiters.removeFirst().continuation)
            }
            return begun
        }
    }

    private let state = Mutex(State())

    /// Number of requests and pieces of work that wait.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Runs a request when no work runs alone, or waits for that before it.
    func beside<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await enter(alone: false)
        defer { leave { $0.running -= 1 } }
        return try await body()
    }

    /// Runs work when no request runs.
    func alone<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await enter(alone: true)
        defer { leave { $0.isAlone = false } }
        return try await body()
    }

    private func enter(alone: Bool) async {
        if state.withLock({ $0.waiters.isEmpty && $0.begin(alone: alone) }) { return }
        await withCheckedContinuation { continuation in
            let isIn = state.withLock { state in
                if state.waiters.isEmpty, state.begin(alone: alone) { return true }
                state.waiters.append(Waiter(wantsAlone: alone, continuation: continuation))
                return false
            }
            if isIn { continuation.resume() }
        }
    }

    private func leave(_ change: (inout State) -> Void) {
        let begun = state.withLock { state in
            change(&state)
            return state.beginWaiters()
        }
        begun.forEach { $0.resume() }
    }
}
