import Synchronization

/// Does one kind of work, one run at a time. Whoever asks during a run gets another run after it.
final class Worker: Sendable {
    typealias Work = @Sendable () async -> Void

    private struct State {
        var task: Task<Void, Never>?
        var next: Work?
        var isClosed = false
    }

    private let state = Mutex(State())

    /// - Parameter work: Holds its owner weakly, so that an owner who goes isn't kept by a worker at rest.
    func wake(_ work: @escaping Work) {
        state.withLock { state in
            guard !state.isClosed else { return }
            guard state.task == nil else {
                state.next = work
                return
            }
            state.task = Task { [self] in
                var work = work
                while true {
                    await work()
                    guard let next = takeNext() else { return }
                    work = next
                }
            }
        }
    }

    /// What is to be done next; nothing ends the task, in the same step.
    private func takeNext() -> Work? {
        state.withLock { state in
            let next = state.isClosed ? nil : state.next
            state.next = nil
            if next == nil { state.task = nil }
            return next
        }
    }

    /// No more runs; the one under way is cancelled.
    func cancel() {
        state.withLock { state in
            state.isClosed = true
            state.task?.cancel()
        }
    }

    var isIdle: Bool { state.withLock { $0.task == nil } }

    /// Returns when nothing runs.
    func idle() async {
        while let task = state.withLock({ $0.task }) { await task.value }
    }
}
