import Synchronization

/// The history of commits that the process's connections have found, which a failover or a restoration replaces by another.
///
/// After a failover to a server that didn't have the last commits, or after a backup was restored, the database is in an earlier
/// state. Values that a process has read or reserved before may be of commits that are lost, whose numbers others use again. Therefore
/// everything that is kept between two transactions belongs to an era, and ends with it.
final class DatabaseHistory: Sendable {
    private struct State {
        var identity: String?
        var era: Int64 = 0
    }

    private let state = Mutex(State())

    /// The present era: 0 for the first history, and one more for each that followed.
    var era: Int64 { state.withLock { $0.era } }

    /// Notes the history that a new connection has found, before the connection is used.
    ///
    /// - Parameter identity: The server and its timeline, which PostgreSQL begins anew with each promotion and restoration; `nil`
    ///   if they aren't known.
    func observe(_ identity: String?) {
        guard let identity else { return }
        state.withLock { state in
            if let known = state.identity, known != identity { state.era += 1 }
            state.identity = identity
        }
    }

    /// Returns the era of a connection: -1 for one to a server that others have left since.
    ///
    /// - Parameter identity: As it was observed when the connection was made.
    func era(of identity: String?) -> Int64 {
        state.withLock { state in
            guard let identity else { return state.era }
            return state.identity == identity ? state.era : -1
        }
    }

    /// Begins another era, because the database is found in an earlier state on the same server.
    func renew() { state.withLock { $0.era += 1 } }
}
