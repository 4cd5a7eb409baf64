import Perennial
import Synchronization

/// The store's time, by which periods begin and end. A test's store may have a clock that was moved ahead.
///
/// Sessions, grants and everything else of the content server's own go by this machine's clock.
package final class StoreTime: Sendable {
    /// Sources of the store's time.
    package enum Source: Sendable {
        /// The machine's clock, for Apple's store. Dates in answers don't change it.
        case wallClock
        /// A store in this process.
        case asking(@Sendable (StoreEnvironment.Kind) async throws -> Instant?)
        /// Dates in the store's answers, which are as trustworthy as the purchases in them.
        case answers
    }

    private let source: Source
    private let wallClock: @Sendable () -> Instant
    /// Offset of each environment's clock from this machine's, in milliseconds, at its last answer.
    private let offsets = Mutex<[StoreEnvironment.Kind: Int64]>([:])

    package init(_ source: Source, wallClock: @escaping @Sendable () -> Instant) {
        self.source = source
        self.wallClock = wallClock
    }

    /// Returns the store's time, or this machine's if it is unknown.
    func now(in environment: StoreEnvironment.Kind) async throws -> Instant {
        switch source {
        case .wallClock: return wallClock()
        case .asking(let ask): return try await ask(environment) ?? wallClock()
        case .answers: return wallClock() + offsets.withLock { $0[environment] ?? 0 }
        }
    }

    /// Returns the store's time for the decision on a receipt.
    func now(judging receipt: AuthenticReceipt) async throws -> Instant {
        guard case .answers = source, let answered = receipt.answered else {
            return try await now(in: receipt.environment)
        }
        // Doesn't overflow: `LenientDate` refuses dates beyond the year 9999.
        offsets.withLock { $0[receipt.environment] = answered - wallClock() }
        return answered
    }
}
