import Foundation

/// A moment in a write at which a test may make the world go wrong.
package enum FaultPoint: Sendable, Hashable, CaseIterable {
    /// The bodies of a transaction ran; throwing here rolls it back, and its callers see what was thrown.
    case beforeCommit
    /// The transaction is durable; throwing here loses the answer: its callers see what was thrown.
    case afterCommit
}

/// How a database is opened. Each number is a limit.
package struct DatabaseOptions: Sendable {
    /// Threads that read a SQLite file, each with a connection of its own: as many as there are processors, for a read of
    /// what is in memory takes no longer than waking another thread.
    package var readers = min(max(ProcessInfo.processInfo.activeProcessorCount, 2), 8)
    /// Threads that serve a PostgreSQL database, each with a connection of its own.
    package var connections = 8
    /// Bodies that wait in a queue before further ones are refused with `overloaded`.
    package var waitingMax = 10_000
    /// Writes that share one commit of SQLite.
    package var groupMax = 256
    /// Pages of SQLite's write-ahead log, 128 MiB, at which they are carried over into the database.
    package var logPagesDue = 32_000
    /// Milliseconds to wait for another transaction's lock before `busy`.
    package var lockTimeoutMilliseconds = 10_000
    /// Milliseconds that a statement may take on PostgreSQL, and that work waits for a connection; more than
    /// ``lockTimeoutMilliseconds``.
    package var statementTimeoutMilliseconds = 12_000
    /// The same for statements that may have very much to do: migrations, emptying an environment.
    package var longStatementTimeoutMilliseconds = 3_600_000
    /// Milliseconds by which PostgreSQL's answer may come later than that, before its connection is given up.
    package var graceMilliseconds = 1_000
    /// Milliseconds after which PostgreSQL ends the transaction of a node that says nothing, because it sleeps or is stopped.
    package var idleTransactionMilliseconds = 60_000
    /// Prepared statements that a connection keeps.
    package var statementsMax = 512
    /// Times that PostgreSQL runs a body before a collision or a lost connection is reported.
    package var attemptsMax = 8
    /// Where tests see each statement that SQLite prepares.
    package var onPrepare: (@Sendable (String) -> Void)?
    /// Where simulators put another statement in the place of one that SQLite prepares, to see that they notice.
    package var replaceStatement: (@Sendable (String) -> String)?
    /// Where simulators make commits fail; it is called on a thread of the database.
    package var faults: (@Sendable (FaultPoint) throws -> Void)?

    package init(faults: (@Sendable (FaultPoint) throws -> Void)? = nil) {
        self.faults = faults
    }

    func statementTimeout(_ patience: Patience) -> Int {
        max(1, patience == .long ? longStatementTimeoutMilliseconds : statementTimeoutMilliseconds)
    }
}
