import Synchronization

/// The queue's state, on disk before anything is done about it.
///
/// The state is written as a whole under a device seal (``SealedFile``): a purchase can't be written into it by hand. A
/// journal that was tampered with counts for nothing; what was paid comes from the store again, as unfinished.
final class QueueJournal: Sendable {
    private struct Content {
        var state = QueueState()
        var number: UInt64 = 0
        var isClosed = false
    }

    private let file: SealedFile<QueueState>?
    private let content: Mutex<Content>
    private let callbacks: QueueCallbacks

    /// - Parameter file: `nil` where the device's files can't be used.
    init(_ file: SealedFile<QueueState>?, callbacks: QueueCallbacks) {
        self.file = file
        self.callbacks = callbacks
        var content = Content()
        if let file {
            let (reading, number) = file.read()
            content.number = number
            if case .intact(let state) = reading { content.state = state }
        }
        self.content = Mutex(content)
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
            if state != content.state { try save(state, &content) }
            content.state = state
            events.forEach(callbacks.tell)
        }
    }

    /// The same for what has happened already: where it can't be written it is kept in memory, and written with the
    /// next.
    func note(_ change: (inout QueueState) -> [QueueEvent]) {
        content.withLock { content in
            guard !content.isClosed else { return }
            var state = content.state
            let events = change(&state)
            if state != content.state { try? save(state, &content) }
            content.state = state
            events.forEach(callbacks.tell)
        }
    }

    private func save(_ state: QueueState, _ content: inout Content) throws {
        guard let file else {
            throw StorageError(.other, path: "queue", reason: "the device's key can't be read or made")
        }
        // The number grows even where writing fails: it may have failed after the number was written.
        content.number += 1
        try file.write(state, number: content.number)
    }
}
