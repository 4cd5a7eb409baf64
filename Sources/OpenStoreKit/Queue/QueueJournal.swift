import Synchronization

/// The queue's state, on disk before anything is done about it.
///
/// The state is written as a whole under a device seal (``SealedFile``): a purchase can't be written into it by hand. A
/// journal that was tampered with counts for nothing; what was paid comes from the store again, as unfinished. One that
/// can't be read for a while stays as it is, and nothing is done until it can be.
final class QueueJournal: Sendable {
    private struct Content {
        var state = QueueState()
        var file = LoadedFile<QueueState>("queue")
        var isClosed = false
    }

    private let storage: SealedStorage
    private let content = Mutex(Content())
    private let callbacks: QueueCallbacks

    init(_ storage: SealedStorage, callbacks: QueueCallbacks) {
        self.storage = storage
        self.callbacks = callbacks
    }

    /// Reads the file, where that wasn't possible before.
    ///
    /// - Returns: Whether the state is known.
    func load() -> Bool {
        content.withLock { content in
            guard !content.file.isLoaded else { return true }
            guard let reading = content.file.load(from: storage) else { return false }
            if case .intact(let state) = reading { content.state = state }
            return true
        }
    }

    var state: QueueState { content.withLock { $0.state } }
    var isClosed: Bool { content.withLock { $0.isClosed } }

    func close() {
        content.withLock { $0.isClosed = true }
    }

    /// Changes the state once it is on disk, and tells of it.
    ///
    /// - Throws: ``StorageError`` where it can't be written: nothing has then changed. `CancellationError` after
    ///   closing.
    func write(_ change: (inout QueueState) -> [QueueEvent]) throws {
        try content.withLock { content in
            guard !content.isClosed else { throw CancellationError() }
            var state = content.state
            let events = change(&state)
            if state != content.state { try content.file.save(state) }
            content.state = state
            events.forEach(callbacks.tell)
        }
    }

    /// The same for what has happened already: where it can't be written it is kept in memory, and written with the
    /// next.
    func note(_ change: (inout QueueState) -> [QueueEvent]) {
        content.withLock { content in
            guard !content.isClosed, content.file.isLoaded else { return }
            var state = content.state
            let events = change(&state)
            if state != content.state { try? content.file.save(state) }
            content.state = state
            events.forEach(callbacks.tell)
        }
    }

    /// Tells of the state as it stands. Nothing comes between: what is removed from the state is told as removed after
    /// this.
    func tell(_ events: (QueueState) -> [QueueEvent]) {
        content.withLock { content in
            guard !content.isClosed else { return }
            events(content.state).forEach(callbacks.tell)
        }
    }
}
