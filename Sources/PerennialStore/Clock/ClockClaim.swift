import Perennial
import PerennialStorage

/// The right to move an environment's manual clock, which one advance has at a time, on all nodes together.
///
/// It lasts for ``length`` and is extended as long as the advance lives. So a node that dies in the middle of one leaves the
/// right to others soon, and nothing but a clock that stands where the work is done. Every transaction of an advance makes sure
/// that it still has the right: a node that slept for longer changes nothing any more.
///
/// The time of claims is the world's: nodes' clocks must agree to within a few seconds.
struct ClockClaim: Sendable {
    /// How long a claim lasts without being extended, in milliseconds.
    static let length: Int64 = .seconds(15)

    private let store: Store
    private let turn: Int64

    /// - Returns: `nil` where another advance is under way.
    /// - Throws: `StorageError`; then it is given back, for it may have been taken though no answer came.
    static func take(in store: Store) async throws -> ClockClaim? {
        let now = store.clock.world
        let until = now + length
        let id = store.environment.id
        do {
            let turn = try await store.database.write {
                try EnvironmentsTable.takeClock(until: until, at: now, id, on: $0)
            }
            return turn.map { ClockClaim(store: store, turn: $0) }
        } catch {
            // Should another node have taken it in the same millisecond, its advance fails, and nothing worse.
            try? await store.database.write { try EnvironmentsTable.releaseClock(heldUntil: until, id, on: $0) }
            throw error
        }
    }

    /// Moves the clock on, and makes the claim last longer.
    ///
    /// - Throws: `StorageError` `.busy` where another has it by now.
    func moveClock(to time: Instant, on connection: any Connection) throws {
        let isHeld = try EnvironmentsTable.moveClock(
            to: time, turn: turn, until: store.clock.world + Self.length, store.environment.id, on: connection)
        guard isHeld else { throw Self.lost }
    }

    /// Gives the right back, if it is still held.
    func release(on connection: any Connection) throws {
        try EnvironmentsTable.releaseClock(turn, store.environment.id, on: connection)
    }

    func release() async throws {
        try await store.database.write { try release(on: $0) }
    }

    /// Runs work with the claim extended beside it, however long the work waits for receivers of notifications.
    ///
    /// - Throws: What the work throws; `StorageError` `.busy` where the claim is lost, after the work was cancelled.
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
            try await store.leasePause()
            let until = store.clock.world + Self.length
            let isHeld = try? await store.database.write { [turn, id = store.environment.id] in
                try EnvironmentsTable.holdClock(turn, until: until, id, on: $0)
            }
            // Where the database didn't answer, the next transaction of the work finds out.
            if isHeld == false { throw Self.lost }
        }
    }

    private static var lost: StorageError {
        StorageError(
            .busy, "clock", "the clock was reset, or another node has taken over: it stands where the work is done")
    }
}
