import Perennial
import PerennialStorage

/// The lease on an environment's manual clock. One advance holds it at a time, on all nodes together.
///
/// A node that dies loses it within seconds (``NodeMembership``) and leaves a clock that matches the work done. Every
/// transaction of an advance checks the lease: a node that was suspended changes nothing any more.
struct ClockLease: Sendable {
    private let context: StoreContext
    private let lease: WorkLease

    static func key(of environment: StoreEnvironment) -> LeasesTable.Key { LeasesTable.Key(.clock, environment.id) }

    /// Acquires the lease.
    ///
    /// - Returns: `nil` if another advance holds it.
    /// - Throws: `StorageError`. Releases the lease then, because it may have been acquired although no answer came.
    static func take(_ context: StoreContext) async throws -> ClockLease? {
        let (lease, node) = try await context.nodes.newLease(key(of: context.environment))
        do {
            let isTaken = try await context.database.write { connection in
                try lease.token.map { try LeasesTable.acquire(lease.key, node: node, token: $0, on: connection) }
                    ?? false
            }
            return isTaken ? ClockLease(context: context, lease: lease) : nil
        } catch {
            try? await context.database.write { try lease.release(on: $0) }
            throw error
        }
    }

    /// Moves the clock forward.
    ///
    /// - Throws: `StorageError` `.busy` if another advance holds the lease by now.
    func moveClock(to time: Instant, on connection: any Connection) throws {
        try check(on: connection)
        try EnvironmentsTable.moveManualClock(to: time, context.environment.id, on: connection)
    }

    /// Checks that the lease is still held, and keeps it until the transaction has ended.
    ///
    /// - Throws: `StorageError` `.busy` if another advance holds it by now.
    func check(on connection: any Connection) throws {
        do {
            try lease.check(on: connection)
        } catch is LeaseLost {
            throw StorageError(
                .busy, "clock", "the clock was reset, or another node has taken over: it stands where the work is done")
        }
    }

    /// Releases the lease if it is still held.
    func release(on connection: any Connection) throws {
        try lease.release(on: connection)
    }

    func release() async throws {
        try await context.database.write { try release(on: $0) }
    }
}
