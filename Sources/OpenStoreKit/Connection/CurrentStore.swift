import Foundation
import Synchronization

/// The store behind the API without a connection: `Product.products(for:)`, `SKPaymentQueue.default()` and so on.
///
/// Order: the connection of the task, the newest of the live sessions, the connection of ``StoreConnection/makeCurrent()``, the one
/// that environment variables name. A process may have none.
package enum CurrentStore {
    /// Connection of the task, which its API calls use.
    @TaskLocal package static var taskConnection: StoreConnection?

    /// Connection for a call of the API; `nil` without a store.
    package static var connection: StoreConnection? { taskConnection ?? processConnection }

    /// Connection of the process; `nil` without a store.
    package static var processConnection: StoreConnection? {
        let (connection, isFirstMiss) = state.withLock { state in
            let connection = state.connection
            defer { state.hasMissed = state.hasMissed || connection == nil }
            return (connection, connection == nil && !state.hasMissed)
        }
        if isFirstMiss { EnvironmentStore.reportNoStore() }
        return connection
    }

    /// Makes a session's connection the newest.
    package static func push(_ connection: StoreConnection) {
        change { state in
            state.sessions.removeAll { $0 === connection }
            state.sessions.append(connection)
        }
    }

    /// Removes a session's connection.
    package static func pop(_ connection: StoreConnection) {
        change { $0.sessions.removeAll { $0 === connection } }
    }

    /// Sets the connection of the app.
    static func setExplicit(_ connection: StoreConnection) {
        change { $0.explicit = connection }
    }

    /// Removes the connection of the app, if it is this one.
    package static func removeExplicit(_ connection: StoreConnection) {
        change { if $0.explicit === connection { $0.explicit = nil } }
    }

    // MARK: Changes

    /// Calls `body` with the process's connection at once, and with the present one after each change.
    ///
    /// Calls are never concurrent and in the order of the changes.
    ///
    /// - Returns: The observation, which ends when it is cancelled or released.
    package static func observeChanges(_ body: @escaping @Sendable (StoreConnection?) -> Void) -> Observation {
        changes.lock()
        defer { changes.unlock() }
        let observation = Observation(body)
        let connection = state.withLock { state in
            state.observations.removeAll { $0.object == nil }
            state.observations.append(WeakReference(object: observation))
            return state.connection
        }
        observation.tell(connection)
        return observation
    }

    /// A running observation of the process's connection.
    package final class Observation: Sendable {
        private struct Told {
            var isFirst = true
            var connection: StoreConnection?
        }

        private let body: @Sendable (StoreConnection?) -> Void
        private let isCancelled = Mutex(false)
        /// Held during a call, so that calls are in order. Recursive, since `body` may change the connection.
        private let order = NSRecursiveLock()
        private let told = Mutex(Told())

        init(_ body: @escaping @Sendable (StoreConnection?) -> Void) {
            self.body = body
        }

        /// Ends the observation.
        package func cancel() {
            isCancelled.withLock { $0 = true }
        }

        /// Calls the observer with the process's connection, unless it was the last one told.
        func tell(_ connection: StoreConnection?) {
            order.lock()
            defer { order.unlock() }
            guard !isCancelled.withLock({ $0 }) else { return }
            let isNews = told.withLock { told in
                defer { told = Told(isFirst: false, connection: connection) }
                return told.isFirst || told.connection !== connection
            }
            if isNews { body(connection) }
        }
    }

    private struct State {
        var sessions: [StoreConnection] = []
        var explicit: StoreConnection?
        var observations: [WeakReference<Observation>] = []
        /// True after the log line about the missing store.
        var hasMissed = false

        var connection: StoreConnection? { sessions.last ?? explicit ?? EnvironmentStore.connection }
    }

    private static let state = Mutex(State())
    /// One change with its calls at a time, so that observers hear of the last one last. Recursive, since an observer may cause
    /// another change.
    private static let changes = NSRecursiveLock()

    private static func change(_ body: (inout State) -> Void) {
        changes.lock()
        defer { changes.unlock() }
        let (connection, observations) = state.withLock { state in
            body(&state)
            return (state.connection, state.observations.compactMap(\.object))
        }
        observations.forEach { $0.tell(connection) }
    }
}

extension StoreConnection {
    /// Connection of the task, of the newest session of StoreKitTest, or of the process; `nil` without a store.
    public static var current: StoreConnection? { CurrentStore.connection }

    /// Makes this the connection of the process, for all API without a connection: call it once at launch.
    ///
    /// Sessions of StoreKitTest take precedence while they live.
    public func makeCurrent() {
        CurrentStore.setExplicit(self)
    }

    /// Runs `body` with this as the connection of all API calls of the task and its child tasks.
    public func withCurrent<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await CurrentStore.$taskConnection.withValue(self, operation: body, isolation: isolation)
    }
}
