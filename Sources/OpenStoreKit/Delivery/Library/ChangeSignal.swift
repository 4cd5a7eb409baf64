import Synchronization

/// Wakes its listeners after changes. Changes that a listener hasn't seen yet are one.
final class ChangeSignal: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    deinit {
        state.withLock { $0.listeners.values.forEach { $0.finish() } }
    }

    func send() {
        state.withLock { $0.listeners.values.forEach { $0.yield() } }
    }

    /// Returns a stream that has an element at once, and one after changes.
    func stream() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            continuation.yield()
            state.withLock { state in
                let number = state.next
                state.next += 1
                state.listeners[number] = continuation
                continuation.onTermination = { [weak self] _ in
                    self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
                }
            }
        }
    }
}
