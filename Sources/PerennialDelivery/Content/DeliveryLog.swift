import Perennial
import PerennialStorage
import Synchronization

/// When the record of deliveries was last cleared of old rows: each range of a file that is asked for adds one.
final class DeliveryLog: Sendable {
    /// How long deliveries are kept, in milliseconds.
    static let retention: Int64 = .days(90)
    /// How many are kept of an app and environment; the oldest go first.
    static let maximumRows = 1_000_000
    /// How many rows are deleted at once.
    static let batch = 1_000
    /// How long a clear record isn't looked at again, in milliseconds.
    private static let interval: Int64 = .hours(1)

    private let cleared = Mutex<[DeliveryScope: Instant]>([:])

    /// Deletes what is too old, at most ``batch`` rows, unless that was done lately.
    func prune(_ scope: DeliveryScope, at now: Instant, on connection: any Connection) throws {
        let isDue = cleared.withLock { cleared in
            // A machine's clock that was set back doesn't stop it.
            guard let last = cleared[scope], now >= last else { return true }
            return now - last >= Self.interval
        }
        guard isDue else { return }
        let count = try DeliveriesTable.prune(
            before: now + -Self.retention, keeping: Self.maximumRows, limit: Self.batch, scope, on: connection)
        if count < Self.batch { cleared.withLock { $0[scope] = now } }
    }
}
