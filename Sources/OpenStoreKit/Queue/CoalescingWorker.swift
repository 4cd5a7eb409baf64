import Synchronization

/// Runs one kind of work, one run at a time. Requests during a run coalesce into one further run.
final class CoalescingWorker: Sendable {
    typealias Work = @Sendable () async -> Void

    private struct State {
        var task: Task<Void, Never>?
        var next: Work?
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Requests a run.
    ///
    /// - Parameter work: The work, which must hold its owner weakly.
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

    /// Returns the next work, or ends the task in the same step.
    private func takeNext() -> Work? {
        state.withLock { state in
            let next = state.isClosed ? nil : state.next
            state.next = nil
            if next == nil { state.task = nil }
            return next
        }
    }

    /// Cancels the present run and refuses further ones.
    func cancel() {
        state.withLock { state in
            state.isClosed = true
            state.task?.cancel()
        }
    }

    var isIdle: Bool { state.withLock { $0.task == nil } }

    /// Waits for the end of all runs.
    func idle() async {
        while let task = state.withLock({ $0.task }) { await task.value }
    }
}
