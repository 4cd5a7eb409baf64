import AppStoreFormats
import Synchronization

/// How long a clock that is being moved waits for receivers that never answer. Its months pass in a moment, but each attempt
/// that isn't answered lasts for its whole time-out in the real world: so after a few in a row a receiver counts as timed out
/// until the clock has arrived, without being asked again.
final class DeliveryPatience: Sendable {
    /// How many attempts of an app may time out in a row.
    static let limit = 3

    /// How many attempts have timed out since one was answered, by app.
    private let unanswered = Mutex<[Int64: Int]>([:])

    func isOver(app: Int64) -> Bool {
        unanswered.withLock { $0[app, default: 0] >= Self.limit }
    }

    func note(_ outcome: NotificationOutcome, app: Int64) {
        unanswered.withLock { unanswered in
            guard outcome.result == .timedOut else { return unanswered[app] = nil }
            unanswered[app, default: 0] += 1
        }
    }
}
