import Synchronization

/// Sends each element to every listener.
final class UpdateHub<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.listeners.count } }
    var isEmpty: Bool { state.withLock { $0.listeners.isEmpty } }

    func add(_ listener: AsyncStream<Element>.Continuation) -> Int {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            state.listeners[state.nextNumber] = listener
            return state.nextNumber
        }
    }

    func remove(_ number: Int) {
        state.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }

    func send(_ elements: [Element]) {
        guard !elements.isEmpty else { return }
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners {
            for element in elements { listener.yield(element) }
        }
    }
}

/// The elements for one iterator of `updates`, from the store of the task, or from that of the process as it changes.
final class UpdateFeed<Element: Sendable>: Sendable {
    private struct State {
        var sync: TransactionSync?
        var number = 0
        var isEnded = false
        var observation: CurrentStore.Observation?
    }

    let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation
    private let hub: @Sendable (TransactionSync) -> UpdateHub<Element>
    private let replay: @Sendable (TransactionSync) -> [Element]
    private let state = Mutex(State())

    /// Makes a feed and begins to listen.
    ///
    /// - Parameters:
    ///   - taskConnection: Connection of the task; `nil` for the process's.
    ///   - hub: The hub of a store's purchases.
    ///   - replay: Elements of a store that are sent first.
    init(
        _ taskConnection: StoreConnection?, _ hub: @escaping @Sendable (TransactionSync) -> UpdateHub<Element>,
        replay: @escaping @Sendable (TransactionSync) -> [Element] = { _ in [] }
    ) {
        (stream, continuation) = AsyncStream.makeStream()
        self.hub = hub
        self.replay = replay
        if let taskConnection {
            attach(to: taskConnection.transactionSync)
        } else {
            let observation = CurrentStore.observeChanges { [weak self] connection in
                self?.attach(to: connection?.transactionSync)
            }
            state.withLock { $0.observation = observation }
        }
        // A cancelled task ends its iterator, which may be kept longer.
        continuation.onTermination = { [weak self] _ in self?.end() }
    }

    deinit {
        end()
    }

    private func end() {
        let observation = state.withLock { state in
            state.isEnded = true
            defer { state.observation = nil }
            return state.observation
        }
        observation?.cancel()
        attach(to: nil)
    }

    private func attach(to sync: TransactionSync?) {
        let (old, number, isEnded) = state.withLock { state in
            defer { state.sync = nil }
            return (state.sync, state.number, state.isEnded)
        }
        if let old {
            hub(old).remove(number)
            old.listenersChanged()
        }
        guard let sync, !isEnded else { return }
        let added = sync.add(continuation, to: hub(sync)) { replay(sync) }
        let isLate = state.withLock { state in
            guard !state.isEnded else { return true }
            (state.sync, state.number) = (sync, added)
            return false
        }
        if isLate { hub(sync).remove(added) }
        sync.listenersChanged()
    }
}
