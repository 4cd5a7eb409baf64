import Synchronization

/// The work of a process on a PostgreSQL database since it was opened.
package struct PostgreSQLStatistics: Sendable, Hashable {
    /// Statements sent, with those that begin and end transactions.
    package var statements = 0
    /// Requests whose answer was waited for.
    package var roundTrips = 0
    /// Transactions that wrote and were committed.
    package var commits = 0
    /// Bodies in those transactions.
    package var committedBodies = 0
    /// Transactions of several bodies that were rolled back, after which each body ran alone.
    package var dissolvedGroups = 0
    /// Locks that weren't got in time.
    package var lockTimeouts = 0
    /// Transactions that needed the numbers of journal positions before their end.
    package var earlyNumberings = 0
    /// Look-ups that asked for more than they had announced, and ran again.
    package var missedLookUps = 0
    /// Sessions that held locks in the middle of a request and were ended: ``StalledSession``.
    package var endedSessions = 0
    /// Writes that wait for a connection now.
    package var waitingWrites = 0
}

/// A statement as it is sent to PostgreSQL.
package struct SentStatement: Sendable {
    package let text: String
    package let values: [SQLValue]
    /// True for the last statement of a request: its answer is waited for.
    package let isAwaited: Bool
}

/// Counts the work of all connections of a database.
final class PostgreSQLCounters: Sendable {
    let statements = Atomic(0)
    let roundTrips = Atomic(0)
    let commits = Atomic(0)
    let committedBodies = Atomic(0)
    let dissolvedGroups = Atomic(0)
    let lockTimeouts = Atomic(0)
    let earlyNumberings = Atomic(0)
    let missedLookUps = Atomic(0)
    let endedSessions = Atomic(0)

    var statistics: PostgreSQLStatistics {
        PostgreSQLStatistics(
            statements: statements.load(ordering: .relaxed), roundTrips: roundTrips.load(ordering: .relaxed),
            commits: commits.load(ordering: .relaxed), committedBodies: committedBodies.load(ordering: .relaxed),
            dissolvedGroups: dissolvedGroups.load(ordering: .relaxed),
            lockTimeouts: lockTimeouts.load(ordering: .relaxed),
            earlyNumberings: earlyNumberings.load(ordering: .relaxed),
            missedLookUps: missedLookUps.load(ordering: .relaxed),
            endedSessions: endedSessions.load(ordering: .relaxed))
    }
}
