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
        guard let transfer = download.transfer else { return }
        // First start it: a task that follows it checks at the end if it was started again.
        transfer.start()
        let id = ObjectIdentifier(transfer)
        let shown = AppObject(object: download)
        state.withLock { state in
            guard !state.isClosed, state.tasks[id] == nil else { return }
            state.tasks[id] = Task { [weak self, callbacks] in
                repeat {
                    for await _ in transfer.updates() { callbacks.notify(.download(shown)) }
                } while self?.hasStartedAgain(transfer) == true
            }
        }
    }

    /// Releases a download that has ended. Returns true if it was started again.
    private func hasStartedAgain(_ transfer: ContentDownload) -> Bool {
        state.withLock { state in
            if !transfer.current.isLast, !state.isClosed { return true }
            state.tasks[ObjectIdentifier(transfer)] = nil
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
