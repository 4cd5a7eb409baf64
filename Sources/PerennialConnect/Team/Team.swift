import Perennial
import PerennialStorage

/// The seller's team in the database, for callers without a transaction of their own: the control API.
package struct Team: Sendable {
    private let database: Database
    private let wallClock: @Sendable () -> Instant

    package init(database: Database, wallClock: @escaping @Sendable () -> Instant) {
        self.database = database
        self.wallClock = wallClock
    }

    /// Reads the team in one transaction.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (TeamDraft) throws -> Value
    ) async throws -> Value {
        let now = wallClock()
        return try await database.read { try body(TeamDraft(on: $0, at: now)) }
    }

    /// Changes the team in one transaction.
    package func edit<Value: Sendable>(
        _ body: @escaping @Sendable (TeamDraft) throws -> Value
    ) async throws -> Value {
        let now = wallClock()
        return try await database.write { connection in
            // Orders the changes of several nodes, so that one address has one user.
            try EnvironmentsTable.lock(.production, on: connection)
            return try body(TeamDraft(on: connection, at: now))
        }
    }
}
