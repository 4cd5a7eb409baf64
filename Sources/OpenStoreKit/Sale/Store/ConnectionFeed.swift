import Synchronization

/// Elements from a connection for one iterator: the task's connection if there is one, otherwise the process's present one, from
/// one change to the next.
final class ConnectionFeed<Element: Sendable>: Sendable {
    /// Starts to send a connection's elements. The returned object ends that when it is released.
    typealias Attach = @Sendable (StoreConnection, AsyncStream<Element>.Continuation) -> any AnyObject & Sendable

    let stream: AsyncStream<Element>
    private let attachment: (any AnyObject & Sendable)?
    private let observation: CurrentStore.Observation?

    init(_ attach: @escaping Attach) {
        let (stream, continuation) = AsyncStream<Element>.makeStream()
        self.stream = stream
        if let connection = CurrentStore.taskConnection {
            self.attachment = attach(connection, continuation)
            self.observation = nil
        } else {
            self.attachment = nil
            let holder = Holder()
            self.observation = CurrentStore.observeChanges { connection in
                holder.replace(by: connection.map { attach($0, continuation) })
            }
        }
    }

    /// The attachment to the process's present connection.
    private final class Holder: Sendable {
        private let attachment = Mutex<(any AnyObject & Sendable)?>(nil)

        func replace(by attachment: (any AnyObject & Sendable)?) {
            // Released outside of the lock, since the end of an attachment may take other locks.
            let released = self.attachment.withLock { present in
                defer { present = attachment }
                return present
            }
            _ = released
        }
    }
}

/// Listeners for elements of one connection. Keeps elements without a listener for the first one if so wished.
final class ListenerList<Element: Sendable>: Sendable {
    private struct State {
        var next = 0
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
        var kept: [Element] = []
    }

    private let state = Mutex(State())
    private let keepsElements: Bool

    init(keepsElements: Bool) {
        self.keepsElements = keepsElements
    }

    var isEmpty: Bool { state.withLock { $0.listeners.isEmpty } }

    /// Adds a listener until the returned object is released.
    func add(_ continuation: AsyncStream<Element>.Continuation) -> Registration {
        let (id, kept) = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = continuation
            defer { state.kept = [] }
            return (state.next, state.kept)
        }
        kept.forEach { continuation.yield($0) }
        return Registration(list: self, id: id)
    }

    func send(_ element: Element) {
        let listeners = state.withLock { state in
            if state.listeners.isEmpty, keepsElements { state.kept.append(element) }
            return Array(state.listeners.values)
        }
        listeners.forEach { $0.yield(element) }
    }

    private func remove(_ id: Int) {
        state.withLock { $0.listeners[id] = nil }
    }

    final class Registration: Sendable {
        private let list: ListenerList
        private let id: Int

        fileprivate init(list: ListenerList, id: Int) {
            self.list = list
            self.id = id
        }

        deinit { list.remove(id) }
    }
}
