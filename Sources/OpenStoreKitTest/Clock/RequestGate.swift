import Synchronization

/// Lets requests run side by side, or one piece of work alone.
final class RequestGate: Sendable {
    private struct State {
        var running = 0
        var isAlone = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Runs a request when no work runs alone.
    func beside<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await enter { state in
            guard !state.isAlone else { return false }
            state.running += 1
            return true
        }
        defer { leave { $0.running -= 1 } }
        return try await body()
    }

    /// Runs work when no request runs.
    func alone<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await enter { state in
            guard !state.isAlone, state.running == 0 else { return false }
            state.isAlone = true
            return true
        }
        defer { leave { $0.isAlone = false } }
        return try await body()
    }

    private func enter(_ attempt: (inout State) -> Bool) async {
        while true {
            if state.withLock({ attempt(&$0) }) { return }
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    // It may have become free since the attempt.
                    guard state.isAlone || state.running > 0 else { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isFree { continuation.resume() }
            }
        }
    }

    private func leave(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [] }
            return state.waiters
        }
        waiters.forEach { $0.resume() }
    }
}
