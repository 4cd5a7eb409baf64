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

    /// Starts or continues a download.
    func start(_ download: SKDownload) {
        control(download) { $0.start() }
    }

    /// Pauses a download, also one that waits.
    func pause(_ download: SKDownload) {
        control(download) { $0.pause() }
    }

    /// Cancels a download, also one that waits, is paused or has failed.
    func cancel(_ download: SKDownload) {
        control(download) { $0.cancel() }
    }

    /// Changes a download's state, and gives observers this state and all later ones up to the end.
    private func control(_ download: SKDownload, _ change: (ContentDownload) -> Void) {
        guard let transfer = download.transfer, ![.finished, .cancelled].contains(transfer.state) else { return }
        // First change it: a task that follows it checks at the end if it was started again.
        change(transfer)
        let id = ObjectIdentifier(transfer)
        let shown = AppObject(object: download)
        state.withLock { state in
            guard !state.isClosed, state.tasks[id] == nil else { return }
            state.tasks[id] = Task { [weak self, callbacks] in
                var told: ContentDownload.State?
                repeat {
                    for await update in transfer.updates() {
                        told = update.state
                        callbacks.notify(.download(shown))
                    }
                } while self?.hasChanged(transfer, since: told) == true
            }
        }
    }

    /// Releases a download that has ended. Returns true if it was started again, or cancelled after a failure.
    private func hasChanged(_ transfer: ContentDownload, since told: ContentDownload.State?) -> Bool {
        state.withLock { state in
            let update = transfer.current
            if !state.isClosed, !update.isLast || update.state != told { return true }
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
