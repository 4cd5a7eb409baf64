import Foundation
import Logging
import Perennial
import PerennialStorage
import Synchronization

/// Reaction of a node to a database that has failed over, or was restored to an earlier state.
extension NodeMembership {
    /// The node's registration as it was when a heartbeat was sent. Heartbeats are answered in any order.
    struct SentBeat: Sendable {
        var id: Int64
        var started: Instant
        /// The era of the registration (`Database.era`).
        var era: Int64
        /// The number of the last heartbeat that was answered.
        var beat: Int64
    }

    private enum Finding {
        case continued
        /// The node isn't registered any more.
        case lost
        /// The database is another one since, or in an earlier state.
        case otherEra(hasGoneBack: Bool)
        /// Another heartbeat, sent at the same time, has found it before.
        case known
    }

    /// Returns the registration for a heartbeat; `nil` if the node has lost it meanwhile.
    func sentBeat(of id: Int64) -> SentBeat? {
        state.withLock { state in
            guard state.id == id else { return nil }
            return SentBeat(id: id, started: state.started, era: state.era, beat: state.beat)
        }
    }

    /// Compares the heartbeat's number and the era with those when it was sent. The node's memory of an earlier era doesn't
    /// count any more: the catalog, blocks of IDs, signed transactions, leases.
    ///
    /// - Parameter beat: `nil` if the database has no such node.
    /// - Returns: False if the node has registered anew, or another heartbeat has.
    func isContinued(_ sent: SentBeat, beat: Int64?, era: Int64) async throws -> Bool {
        switch record(sent, beat: beat, era: era) {
        case .continued: return true
        case .known: return false
        case .lost:
            if era == sent.era {
                logger.warning(
                    "the other nodes took this one for dead, because it was silent; it begins anew",
                    metadata: ["node": "\(sent.id)"])
            } else {
                logLostCommits(of: sent.id)
            }
            notifyObservers()
            try await register()
            return false
        case .otherEra(let hasGoneBack):
            if hasGoneBack {
                logLostCommits(of: sent.id)
            } else {
                logger.notice("the database has failed over; this node reads again what it had in memory")
            }
            dropLeases()
            reviewServer()
            return true
        }
    }

    /// Logs what the server that the node has got to can't do, or shouldn't: it may have other settings than the one before.
    ///
    /// Beside the heartbeat, which others wait for.
    private func reviewServer() {
        let (location, logger) = (database.location, logger)
        Thread.detachNewThread {
            do {
                for finding in try location.findings() {
                    logger.warning("the database server after the failover: \(finding.text)")
                }
            } catch {
                logger.notice("the server's settings couldn't be read", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Compares a heartbeat's answer, and changes the state by it: of two answers that tell the same, one does.
    private func record(_ sent: SentBeat, beat: Int64?, era: Int64) -> Finding {
        state.withLock { state in
            guard state.id == sent.id, state.era == sent.era else { return .known }
            guard let beat else {
                state.lose()
                return .lost
            }
            let hasGoneBack = beat <= sent.beat
            guard hasGoneBack || era != sent.era else {
                // The answer of a later one may have come before.
                state.beat = max(state.beat, beat)
                return .continued
            }
            if era == sent.era { database.renewEra() }
            state.beat = beat
            state.era = max(era, database.era)
            return .otherEra(hasGoneBack: hasGoneBack)
        }
    }

    private func logLostCommits(of id: Int64) {
        logger.error(
            """
            the database is in an earlier state than this node has seen: a failover or a restoration may have lost commits, \
            and with them purchases that customers were told of. What to do is in docs/how-to/operate-on-postgresql.md
            """, metadata: ["node": "\(id)"])
    }
}
