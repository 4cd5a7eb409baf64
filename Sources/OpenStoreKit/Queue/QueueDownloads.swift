import Synchronization

/// The downloads that were started through a queue: they go on even where nobody else holds them, and the observers hear
/// of them.
final class QueueDownloads: Sendable {
    private struct State {
        /// Following each, which holds it.
        var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let callbacks: QueueCallbacks

    init(callbacks: QueueCallbacks) {
        self.callbacks = callbacks
    }

    /// Starts a download, or goes on with it, and tells of it until it ends.
    func start(_ download: SKDownload) {
        // Before it is followed: who follows it already looks at its end whether it was started again.
        download.start()
        let id = ObjectIdentifier(download)
        state.withLock { state in
            guard !state.isClosed, state.tasks[id] == nil else { return }
            state.tasks[id] = Task { [weak self, callbacks] in
                repeat {
                    for await _ in download.updates() { callbacks.tell(.downloads([download])) }
                } while self?.hasStartedAgain(download) == true
            }
        }
    }

    /// Forgets a download that has ended.
    private func hasStartedAgain(_ download: SKDownload) -> Bool {
        state.withLock { state in
            if !download.current.isLast, !state.isClosed { return true }
            state.tasks[ObjectIdentifier(download)] = nil
            return false
        }
    }

    /// Lets all of them go.
    func close() {
        let tasks = state.withLock { state in
            defer { state.tasks = [:] }
            state.isClosed = true
            return Array(state.tasks.values)
        }
        tasks.forEach { $0.cancel() }
    }
}
