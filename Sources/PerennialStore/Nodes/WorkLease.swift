import Perennial
import PerennialStorage

/// Another node has taken over the work, or may soon: the rest is its to do.
package struct LeaseLost: Error, Hashable {
    package let key: LeasesTable.Key
}

/// The node's lease on a piece of background work.
///
/// Each transaction of the work begins with ``check(on:)``. So a node that was suspended, and comes back when another one has
/// its work, writes nothing any more.
package struct WorkLease: Sendable {
    package let key: LeasesTable.Key
    /// `nil` where one process has the database for itself, so that it needs no leases.
    let token: Int64?
    /// Keeps the node from releasing the lease as one that it doesn't use (``NodeMembership/divide(_:)``).
    private let use: LeaseUse?

    /// The era of the node's registration (`Database.era`): in a later one another node may have its number, and so its tokens.
    private let era: Int64

    init(key: LeasesTable.Key, token: Int64?, era: Int64 = 0, use: LeaseUse? = nil) {
        (self.key, self.token, self.era, self.use) = (key, token, era, use)
    }

    /// Checks that the lease is still held, and keeps it until the transaction has ended.
    ///
    /// Call it first in a transaction: a lease is locked before all other rows.
    /// - Throws: ``LeaseLost``.
    package func check(on connection: any Connection) throws {
        guard let token else { return }
        guard connection.era == era, try LeasesTable.lock(key, token: token, on: connection) else {
            throw LeaseLost(key: key)
        }
    }

    /// Releases the lease if it is still held.
    func release(on connection: any Connection) throws {
        guard let token else { return }
        try LeasesTable.release(key, token: token, on: connection)
    }
}

/// The use of a lease by this process, for as long as a copy of the lease lives.
final class LeaseUse: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
