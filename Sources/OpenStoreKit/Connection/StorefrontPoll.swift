import Synchronization

/// Asks a store over a network for the customer's storefront from time to time, while there are listeners: an app that makes no requests
/// hears of a change, too. A store in this process tells by itself.
final class StorefrontPoll: Sendable {
    /// Time between two requests.
    static let interval = Duration.seconds(30)

    private struct State {
        var listeners = 0
        var task: Task<Void, Never>?
    }

    private let store: StoreProtocolClient
    private let dependencies: DeviceDependencies
    private let state = Mutex(State())

    init(_ connection: StoreConnection) {
        store = connection.store
        dependencies = connection.dependencies
    }

    deinit {
        state.withLock { $0.task?.cancel() }
    }

    /// Begins to listen, until the returned object is released.
    func begin() -> Listening {
        state.withLock { state in
            state.listeners += 1
            guard state.task == nil, store.http.transport.isRemote else { return }
            state.task = Task { [store, dependencies] in
                while (try? await dependencies.sleep(Self.interval)) != nil, !Task.isCancelled {
                    try? await store.refreshStorefront()
                }
            }
        }
        return Listening(self)
    }

    private func end() {
        state.withLock { state in
            state.listeners -= 1
            guard state.listeners == 0 else { return }
            state.task?.cancel()
            state.task = nil
        }
    }

    /// A listener.
    final class Listening: Sendable {
        private let poll: StorefrontPoll

        fileprivate init(_ poll: StorefrontPoll) {
            self.poll = poll
        }

        deinit { poll.end() }
    }
}

extension StoreConnection {
    var storefrontPoll: StorefrontPoll { part { StorefrontPoll($0) } }

    /// Listens for changes of the storefront. Fetches it if it isn't known yet: a change is one of something.
    func listenForStorefronts() -> StorefrontPoll.Listening {
        if store.storefront == nil {
            Task { [store] in try? await store.refreshStorefront() }
        }
        return storefrontPoll.begin()
    }
}
