import Perennial
import PerennialStorage
import Synchronization

/// Prunes the record of deliveries, which grows by a row for each requested range.
final class DeliveryLog: Sendable {
    /// Retention of deliveries in milliseconds.
    static let retention: Int64 = .days(90)
    /// Maximum deliveries of an app and environment; the oldest are deleted first.
    static let maximumRows = 1_000_000
    /// Rows in one deletion.
    static let batch = 1_000
    /// Minimum interval between two prunings in milliseconds.
    private static let interval: Int64 = .hours(1)

    private let cleared = Mutex<[DeliveryScope: Instant]>([:])

    /// Deletes at most ``batch`` old rows, unless that was done within the interval.
    func prune(_ scope: DeliveryScope, at now: Instant, on connection: any Connection) throws {
        let isDue = cleared.withLock { cleared in
            // A clock that was set back doesn't stop the pruning.
            guard let last = cleared[scope], now >= last else { return true }
            return now - last >= Self.interval
        }
        guard isDue else { return }
        let count = try DeliveriesTable.prune(
            before: now + -Self.retention, keeping: Self.maximumRows, limit: Self.batch, scope, on: connection)
        if count < Self.batch { cleared.withLock { $0[scope] = now } }
    }
}
