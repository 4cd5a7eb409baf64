import Perennial
import Synchronization

/// What time it is at the store: subscriptions begin and end by its clock, and a test's store may have one that was moved
/// ahead of this machine's.
///
/// Only what is bought and published is judged by it. Sessions, grants and everything else of Delivery's own go by this
/// machine's clock, whatever a store says.
package final class StoreTime: Sendable {
    /// Who says what time it is at the store.
    package enum Source: Sendable {
        /// This machine's clock: for Apple's store, which lives in the world's time. Whatever its answers say moves
        /// nothing.
        case world
        /// The store itself, which runs in this process.
        case asking(@Sendable (StoreEnvironment.Kind) async throws -> Instant?)
        /// The store's answers about receipts. A store that could lie about the time could lie about purchases as well.
        case answers
    }

    private let source: Source
    private let world: @Sendable () -> Instant
    /// How far each environment's clock was ahead of this machine's, in milliseconds, when it last answered.
    private let offsets = Mutex<[StoreEnvironment.Kind: Int64]>([:])

    package init(_ source: Source, world: @escaping @Sendable () -> Instant) {
        self.source = source
        self.world = world
    }

    /// The time at the store, as far as it is known; this machine's where it isn't.
    func now(in environment: StoreEnvironment.Kind) async throws -> Instant {
        switch source {
        case .world: return world()
        case .asking(let ask): return try await ask(environment) ?? world()
        case .answers: return world() + offsets.withLock { $0[environment] ?? 0 }
        }
    }

    /// The time by which a verified receipt is judged.
    func now(judging receipt: VerifiedReceipt) async throws -> Instant {
        guard case .answers = source, let answered = receipt.answered else {
            return try await now(in: receipt.environment)
        }
        // Both are bounded: a date beyond the year 9999 was no date (`ReceiptDate`).
        offsets.withLock { $0[receipt.environment] = answered - world() }
        return answered
    }
}
