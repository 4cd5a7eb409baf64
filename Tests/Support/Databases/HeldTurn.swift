import Dispatch
import PerennialStorage

/// A write that occupies a thread of a database, so that other writes gather behind it.
package final class HeldTurn: Sendable {
    private let mayEnd = DispatchSemaphore(value: 0)
    private let begun: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (begun, continuation) = AsyncStream.makeStream()
    }

    /// Runs the write until ``end()``.
    ///
    /// - Parameter body: Runs first.
    package func hold(
        _ database: Database, isUrgent: Bool = false,
        _ body: @escaping @Sendable (any Connection) throws -> Void = { _ in }
    ) async throws {
        try await database.write(isUrgent: isUrgent) { [self] connection in
            try body(connection)
            continuation.yield()
            mayEnd.wait()
        }
    }

    package func hasBegun() async {
        for await _ in begun { return }
    }

    package func end() { mayEnd.signal() }
}

extension Database {
    /// Waits until so many writes wait for a connection to PostgreSQL.
    package func untilWritesWait(_ count: Int) async {
        while let statistics, statistics.waitingWrites < count { await Task.yield() }
    }
}
