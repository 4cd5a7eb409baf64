import Perennial
import Synchronization

extension TransactionSync {
    /// Longest wait of a request for changes, in seconds; below the timeout of connections without data.
    private static let pollSeconds = 20
    /// Shortest wait for the end of an answer's time, in milliseconds: one that is over at once doesn't ask the store without a pause.
    private static let shortestValidity: Int64 = 50

    /// Adds a listener, which first gets the elements of `replay`.
    func add<Element>(
        _ listener: AsyncStream<Element>.Continuation, to hub: UpdateHub<Element>, replay: () -> [Element]
    ) -> Int {
        delivery.withLock { _ in
            for element in replay() { listener.yield(element) }
            return hub.add(listener)
        }
    }

    /// Listens on behalf of the observers of a queue, or of a listener for messages, until the returned object is released.
    func listenForNews() -> NewsListening {
        let listening = NewsListening(self)
        otherListeners.withLock { $0 += 1 }
        listenersChanged()
        return listening
    }

    /// A listener that gets no transactions or statuses itself.
    final class NewsListening: Sendable {
        private let sync: TransactionSync

        fileprivate init(_ sync: TransactionSync) {
            self.sync = sync
        }

        deinit {
            sync.otherListeners.withLock { $0 -= 1 }
            sync.listenersChanged()
        }
    }

    /// True if there are listeners of any kind.
    private var isHeard: Bool {
        !(transactions.isEmpty && statuses.isEmpty && otherListeners.withLock { $0 == 0 })
    }

    /// Waits for the time from which the last answer may be out of date, and then asks the store: for listeners of a store that isn't
    /// polled. A later answer replaces the wait.
    func setValidityTimer() {
        validityTimer.withLock { timer in
            timer?.cancel()
            timer = nil
            guard let validUntil, isHeard, !pollsForChanges else { return }
            let wait = Duration.milliseconds(max(validUntil - dependencies.now(), Self.shortestValidity))
            let connection = connection
            timer = Task { [dependencies] in
                guard (try? await dependencies.sleep(wait)) != nil, !Task.isCancelled else { return }
                connection.object?.invalidate()
            }
        }
    }

    /// Keeps a request for changes open while there are listeners.
    func listenersChanged() {
        let isHeard = isHeard
        setValidityTimer()
        poll.withLock { poll in
            if isHeard, pollsForChanges {
                poll = poll ?? pollTask()
            } else {
                poll?.cancel()
                poll = nil
            }
        }
        // The first listener hears of what happened while there was none.
        if isHeard { Task { await self.waitUntilCurrent() } }
    }

    private func pollTask() -> Task<Void, Never> {
        let sync = WeakReference(object: self)
        return Task { await Self.poll(sync) }
    }

    private static func poll(_ sync: WeakReference<TransactionSync>) async {
        var failures = 0
        while !Task.isCancelled {
            do {
                // Not held during the request, so that an unused connection can end.
                guard let (store, request, dependencies) = await sync.object?.pollStart() else { return }
                guard let revision = request.base.contents.revision else {
                    failures += 1
                    try await dependencies.sleep(delay(failures))
                    continue
                }
                let begin = dependencies.now()
                do {
                    let page = try await store.changes(after: revision, wait: pollSeconds)
                    guard let sync = sync.object else { return }
                    let isNews = try await sync.take(page, requestedIn: request)
                    // A declined request to buy is no purchase, so it isn't among the changes.
                    if !isNews { sync.connection.object?.askForDeferredPayments() }
                    failures = 0
                    // A store that doesn't wait isn't asked without a pause.
                    if !isNews, dependencies.now() - begin < .seconds(1) { try await dependencies.sleep(.seconds(1)) }
                } catch is StoreFailure {
                    failures += 1
                    try await dependencies.sleep(delay(failures))
                }
            } catch is CancellationError {
                return
            } catch {
                failures += 1
                guard let dependencies = sync.object?.dependencies else { return }
                try? await dependencies.sleep(delay(failures))
            }
        }
    }

    /// Returns what a request needs; without a revision if the store never answered.
    private func pollStart() async -> (StoreProtocolClient, RequestState, DeviceDependencies) {
        if !hasAnswer { await waitUntilCurrent() }
        return (store, requestState, dependencies)
    }

    private static func delay(_ failures: Int) -> Duration {
        RetryPolicy(firstDelay: .seconds(1), longestDelay: .seconds(60)).delay(afterFailures: failures)
    }
}
