import OpenStoreKit
import PerennialStore

extension SKTestSession {
    /// Makes this session the newest, to which StoreKit's calls without a session go; an addition to StoreKitTest.
    public func makeCurrent() {
        CurrentStore.push(core.connection)
    }

    /// Runs `body` with this session for all of StoreKit's calls of the task and its child tasks; an addition to StoreKitTest.
    ///
    /// So tests with sessions of their own can run side by side.
    public func withSession<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await CurrentStore.$taskConnection.withValue(core.connection, operation: body, isolation: isolation)
    }

    /// The session's store, without the client.
    package var store: Store { core.store }

    /// The client's connection to the session's store, for what belongs to one: vault, content; an addition to StoreKitTest.
    public var connection: StoreConnection { core.connection }
}
