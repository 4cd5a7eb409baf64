import Synchronization

/// Keeps the downloads that were started through a queue, and gives observers their progress.
final class QueueDownloads: Sendable {
    private struct State {
        /// Tasks that follow and keep the downloads.
        var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let callbacks: QueueCallbacks

    init(callbacks: QueueCallbacks) {
        self.callbacks = callbacks
    }

    /// Starts or continues a download, and gives observers its progress up to the end.
    func start(_ download: SKDownload) {
        // First start it: a task that follows it checks at the end if it was started again.
        download.start()
        let id = ObjectIdentifier(download)
        state.withLock { state in
            guard !state.isClosed, state.tasks[id] == nil else { return }
            state.tasks[id] = Task { [weak self, callbacks] in
                repeat {
                    for await _ in download.updates() { callbacks.notify(.downloads([download])) }
                } while self?.hasStartedAgain(download) == true
            }
        }
    }

    /// Releases a download that has ended. Returns true if it was started again.
    private func hasStartedAgain(_ download: SKDownload) -> Bool {
        state.withLock { state in
            if !download.current.isLast, !state.isClosed { return true }
            state.tasks[ObjectIdentifier(download)] = nil
            return false
        }
    }

    /// Releases all downloads.
    func close() {
        let tasks = state.withLock { state in
            defer { state.tasks = [:] }
            state.isClosed = true
            return Array(state.tasks.values)
        }
        tasks.forEach { $0.cancel() }
    }
}
