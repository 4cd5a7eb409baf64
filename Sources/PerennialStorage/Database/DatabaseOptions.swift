import Foundation

/// A point in a write at which a test may inject a fault.
package enum FaultPoint: Sendable, Hashable, CaseIterable {
    /// The bodies of a transaction have run. Throwing rolls it back, and its callers receive the error.
    case beforeCommit
    /// The transaction is durable. Throwing loses the result: its callers receive the error.
    case afterCommit
}

/// The limits and hooks with which a database is opened.
package struct DatabaseOptions: Sendable {
    /// Threads that read a SQLite file, each with a connection of its own. More than the processors are no help: reading
    /// cached pages takes no longer than waking a thread.
    package var readers = min(max(ProcessInfo.processInfo.activeProcessorCount, 2), 8)
    /// Threads that serve a PostgreSQL database, each with a connection of its own.
    package var connections = 8
    /// Tasks that a queue holds before further ones are refused with `overloaded`.
    package var waitingMax = 10_000
    /// Writes that share one commit of SQLite.
    package var groupMax = 256
    /// Pages of SQLite's write-ahead log, 128 MiB, at which a checkpoint starts.
    package var checkpointThreshold = 32_000
    /// Milliseconds to wait for another transaction's lock before `busy`.
    package var lockTimeoutMilliseconds = 10_000
    /// Milliseconds that a statement may take on PostgreSQL, and that a task waits for a connection; more than
    /// ``lockTimeoutMilliseconds``.
    package var statementTimeoutMilliseconds = 12_000
    /// The same limit for statements that may change very many rows: migrations, emptying an environment.
    package var longStatementTimeoutMilliseconds = 3_600_000
    /// Milliseconds beyond that limit after which the connection of a silent PostgreSQL server is closed.
    package var graceMilliseconds = 1_000
    /// Milliseconds after which PostgreSQL ends the idle transaction of a node that sleeps or is suspended.
    package var idleTransactionMilliseconds = 60_000
    /// Prepared statements that a connection caches.
    package var statementsMax = 512
    /// Runs of a body on PostgreSQL before a collision or a lost connection is reported.
    package var attemptsMax = 8
    /// Called with each statement that SQLite prepares; for tests.
    package var onPrepare: (@Sendable (String) -> Void)?
    /// Replaces statements before SQLite prepares them; for mutation tests of the simulator.
    package var replaceStatement: (@Sendable (String) -> String)?
    /// Called around commits, on a thread of the database; for fault injection.
    package var faults: (@Sendable (FaultPoint) throws -> Void)?

    package init(faults: (@Sendable (FaultPoint) throws -> Void)? = nil) {
        self.faults = faults
    }

    func statementTimeout(_ timeout: StatementTimeout) -> Int {
        max(1, timeout == .long ? longStatementTimeoutMilliseconds : statementTimeoutMilliseconds)
    }
}
