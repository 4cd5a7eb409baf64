import Logging
import Perennial
import PerennialStorage
import Synchronization

/// Reaction of a node to a database that has failed over, or was restored to an earlier state.
extension NodeMembership {
    /// Compares the heartbeat's number and the era with what this node knows. What it keeps in memory of an earlier era doesn't count any
    /// more: the catalog, blocks of IDs, signed transactions, leases.
    ///
    /// - Parameter beat: `nil` if the database has no such node.
    /// - Returns: False if the node has registered anew.
    func isContinued(_ id: Int64, beat: Int64?, era: Int64) async throws -> Bool {
        let (known, last) = state.withLock { ($0.era, $0.beat) }
        let hasGoneBack = beat.map { $0 <= last } ?? (era != known)
        if hasGoneBack {
            logger.error(
                """
                the database is in an earlier state than this node has seen: a failover or a restoration may have lost commits, \
                and with them purchases that customers were told of. What to do is in docs/how-to/operate-on-postgresql.md
                """, metadata: ["node": "\(id)"])
        } else if era != known {
            logger.notice("the database has failed over; this node reads again what it had in memory")
        }
        guard let beat else {
            if era == known {
                logger.warning(
                    "the other nodes took this one for dead, because it was silent; it begins anew",
                    metadata: ["node": "\(id)"])
            }
            loseLeases()
            try await register()
            return false
        }
        if hasGoneBack, era == known { database.renewEra() }
        let isOther = hasGoneBack || era != known
        state.withLock { state in
            guard state.id == id else { return }
            state.beat = beat
            if isOther { state.era = max(era, database.era) }
        }
        if isOther { dropLeases() }
        return true
    }
}
