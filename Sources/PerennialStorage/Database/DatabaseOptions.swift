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
    /// Threads that write to a PostgreSQL database, each with a connection of its own. A few with large groups of writes do
    /// more than many with small ones, which wait for each other at the journal's head.
    package var connections = 4
    /// Threads that read a PostgreSQL database, each with a connection of its own: writes never wait for reads, nor reads for
    /// writes.
    package var readConnections = 6
    /// Threads that look rows up by announced statements in a PostgreSQL database, each with a connection of its own. One
    /// answers all look-ups that have waited during its last round trip; a second one would halve their groups.
    package var lookUpConnections = 1
    /// Look-ups that share one snapshot of PostgreSQL.
    package var lookUpsMax = 128
    /// Threads that scan tables of a PostgreSQL database, each with a connection of its own.
    package var scanConnections = 1
    /// Threads that run the urgent writes of a PostgreSQL database, each with a connection of its own.
    package var urgentConnections = 1
    /// Threads that run the long transactions of a PostgreSQL database, each with a connection of its own.
    package var longConnections = 2
    /// Tasks that a queue holds before further ones are refused with `overloaded`.
    package var waitingMax = 10_000
    /// Writes that share one commit of SQLite.
    package var groupMax = 256
    /// Writes that share one transaction of PostgreSQL.
    package var serverGroupMax = 64
    /// Milliseconds after which a group of writes on PostgreSQL is committed, however many wait.
    package var serverGroupMilliseconds = 25
    /// Commits of groups of writes that a node waits for on PostgreSQL while the next one gathers. More of them would be smaller,
    /// and each holds the journal's head until the disk has its commit.
    package var serverCommitsMax = 2
    /// Milliseconds after which a write on PostgreSQL doesn't wait for a group's bodies, if a connection is free.
    package var serverGroupWaitMilliseconds = 5
    /// Milliseconds after which a write on PostgreSQL doesn't wait for other commits, if a connection is free.
    package var serverCommitWaitMilliseconds = 50
    /// Milliseconds that a group of writes on PostgreSQL waits for a lock. Then each of them runs alone, and waits for
    /// ``lockTimeoutMilliseconds``: a group that waited for long would hold up customers who have nothing to do with it.
    package var groupLockTimeoutMilliseconds = 100
    /// Milliseconds that the commit of a group on PostgreSQL waits for a journal's head, behind other commits: longer, because
    /// the head is held for as long as a disk or a standby takes, and running one by one would then make it worse.
    package var headLockTimeoutMilliseconds = 1_000
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
    /// Milliseconds after which PostgreSQL ends the idle transaction of a node that sleeps, is suspended or has vanished.
    package var idleTransactionMilliseconds = 3_000
    /// The same limit for transactions with a long time limit, whose bodies may compute between statements.
    package var longIdleTransactionMilliseconds = 60_000
    /// Prepared statements that a connection caches.
    package var statementsMax = 512
    /// Bytes of a page of a new SQLite database in memory, a power of two; `nil` for SQLite's own size. A schema of many tables
    /// takes a page for each table and index.
    package var memoryPageBytes: Int?
    /// Runs of a body on PostgreSQL before a collision or a lost connection is reported.
    package var attemptsMax = 8
    /// Called with each statement that SQLite prepares; for tests.
    package var onPrepare: (@Sendable (String) -> Void)?
    /// Called with each statement that is sent to PostgreSQL; for tests and benchmarks.
    package var onSend: (@Sendable (SentStatement) -> Void)?
    /// Replaces statements before they are prepared; for mutation tests of the simulator and the checker.
    package var replaceStatement: (@Sendable (String) -> String)?
    /// Called around commits, on a thread of the database; for fault injection.
    package var faults: (@Sendable (FaultPoint) throws -> Void)?

    package init(faults: (@Sendable (FaultPoint) throws -> Void)? = nil) {
        self.faults = faults
    }

    /// The most connections that a node opens to a PostgreSQL database.
    package var connectionsMax: Int {
        [connections, readConnections, lookUpConnections, scanConnections, urgentConnections, longConnections]
            .reduce(0) { $0 + max(1, $1) }
    }

    func statementTimeout(_ timeout: StatementTimeout) -> Int {
        max(1, timeout == .long ? longStatementTimeoutMilliseconds : statementTimeoutMilliseconds)
    }
}
