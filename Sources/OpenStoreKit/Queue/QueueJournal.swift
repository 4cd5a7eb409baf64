import Synchronization

/// The queue's state in a file (write-ahead: each change is on disk before the work that depends on it).
///
/// The state is a document in the ``PurchaseVault``. A journal that was tampered with is ignored; paid purchases come from the store again as
/// unfinished ones. No work begins while the file can't be read.
final class QueueJournal: Sendable {
    private struct Content {
        var state = QueueState()
        var file = PersistedValue<QueueState>("queue")
        /// Entries that were in the file, whose store may have been emptied since.
        var earlier: Set<String> = []
        var isClosed = false
    }

    private let vault: PurchaseVault
    private let content = Mutex(Content())
    private let callbacks: QueueCallbacks

    init(_ vault: PurchaseVault, callbacks: QueueCallbacks) {
        self.vault = vault
        self.callbacks = callbacks
    }

    /// Reads the file if it wasn't read yet.
    ///
    /// - Returns: True if the state is known.
    func load() -> Bool {
        content.withLock { content in
            guard !content.file.isLoaded else { return true }
            guard let reading = content.file.load(from: vault) else { return false }
            if case .intact(let state) = reading {
                content.state = state
                content.earlier = Set(state.entries.map(\.id))
            }
            return true
        }
    }

    var state: QueueState { content.withLock { $0.state } }

    /// Returns true for an entry of an earlier run of the app, before ``confirmEntries()``.
    func isUnconfirmed(_ id: String) -> Bool { content.withLock { $0.earlier.contains(id) } }

    /// Notes that the present store has listed its unfinished transactions: entries with the ID of another one are gone.
    func confirmEntries() {
        content.withLock { $0.earlier = [] }
    }

    var isClosed: Bool { content.withLock { $0.isClosed } }

    func close() {
        content.withLock { $0.isClosed = true }
    }

    /// Writes a change to disk, then applies it and calls the observers.
    ///
    /// - Throws: ``FileError`` if it can't be written, with nothing changed; `CancellationError` after ``close()``.
    func write(_ change: (inout QueueState) -> [QueueEvent]) throws {
        try content.withLock { content in
            guard !content.isClosed else { throw CancellationError() }
            var state = content.state
            let events = change(&state)
            if state != content.state { try content.file.save(state) }
            content.state = state
            events.forEach(callbacks.notify)
        }
    }

    /// Applies a change that has happened already. Keeps it in memory if it can't be written, and writes it with the next change.
    func record(_ change: (inout QueueState) -> [QueueEvent]) {
        content.withLock { content in
            guard !content.isClosed, content.file.isLoaded else { return }
            var state = content.state
            let events = change(&state)
            if state != content.state { try? content.file.save(state) }
            content.state = state
            events.forEach(callbacks.notify)
        }
    }

    /// Calls the observers with events of the present state, in order with those of other changes.
    func notify(_ events: (QueueState) -> [QueueEvent]) {
        content.withLock { content in
            guard !content.isClosed else { return }
            events(content.state).forEach(callbacks.notify)
        }
    }
}
