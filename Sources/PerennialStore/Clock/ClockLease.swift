import Perennial
import PerennialStorage

/// The lease on an environment's manual clock. One advance holds it at a time, on all nodes together.
///
/// The lease lasts for ``length`` and is renewed while the advance runs. So a node that dies frees it soon and leaves a clock that
/// matches the work done. Every transaction of an advance checks the lease: a node that was suspended for longer changes
/// nothing any more.
///
/// Leases expire by the wall clock: the nodes' clocks must agree to within a few seconds.
struct ClockLease: Sendable {
    /// The time until a lease expires that isn't renewed, in milliseconds.
    static let length: Int64 = .seconds(15)

    private let context: StoreContext
    private let renewalInterval: @Sendable () async throws -> Void
    private let turn: Int64

    /// Acquires the lease.
    ///
    /// - Returns: `nil` if another advance holds it.
    /// - Throws: `StorageError`. Releases the lease then, because it may have been acquired although no answer came.
    static func take(
        _ context: StoreContext, renewalInterval: @escaping @Sendable () async throws -> Void
    ) async throws -> ClockLease? {
        let now = context.clock.wallClockNow
        let until = now + length
        let id = context.environment.id
        do {
            let turn = try await context.database.write {
                try EnvironmentsTable.acquireClockLease(until: until, at: now, id, on: $0)
            }
            return turn.map { ClockLease(context: context, renewalInterval: renewalInterval, turn: $0) }
        } catch {
            // If another node acquired it in the same millisecond, that node's advance fails, and nothing worse.
            try? await context.database.write { try EnvironmentsTable.releaseClockLease(heldUntil: until, id, on: $0) }
            throw error
        }
    }

    /// Moves the clock forward and renews the lease.
    ///
    /// - Throws: `StorageError` `.busy` if another advance holds the lease by now.
    func moveClock(to time: Instant, on connection: any Connection) throws {
        let isHeld = try EnvironmentsTable.moveLeasedClock(
            to: time, lease: turn, until: context.clock.wallClockNow + Self.length, context.environment.id,
            on: connection)
        guard isHeld else { throw Self.lost }
    }

    /// Releases the lease if it is still held.
    func release(on connection: any Connection) throws {
        try EnvironmentsTable.releaseClockLease(turn, context.environment.id, on: connection)
    }

    func release() async throws {
        try await context.database.write { try release(on: $0) }
    }

    /// Runs an operation and renews the lease meanwhile, however long receivers of notifications take.
    ///
    /// - Throws: The operation's error; `StorageError` `.busy` if the lease is lost, after cancelling the operation.
    func whileHeld<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask { try await extendUntilCancelled() }
            defer { group.cancelAll() }
            guard let value = try await group.next() ?? nil else { throw CancellationError() }
            return value
        }
    }

    private func extendUntilCancelled<Value>() async throws -> Value? {
        while true {
            try await renewalInterval()
            let until = context.clock.wallClockNow + Self.length
            let isHeld = try? await context.database.write { [turn, id = context.environment.id] in
                try EnvironmentsTable.extendClockLease(turn, until: until, id, on: $0)
            }
            // If the database didn't answer, the next transaction of the work finds out.
            if isHeld == false { throw Self.lost }
        }
    }

    private static var lost: StorageError {
        StorageError(
            .busy, "clock", "the clock was reset, or another node has taken over: it stands where the work is done")
    }
}
