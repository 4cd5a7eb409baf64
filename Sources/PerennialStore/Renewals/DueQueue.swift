import Perennial
import PerennialStorage

/// A position in the order of due time. Of subscriptions due at once, the oldest comes first.
typealias DuePosition = (due: Instant, id: TransactionID)

/// Detects a subscription that is due again and again at the same instant, which is an error of the rules and would never
/// end. Such a subscription is always the next in the order of due time.
struct StallDetector {
    /// The most steps of a subscription at one instant.
    static let maximumAtOnce = 64

    private var last: DuePosition?
    private var count = 0

    /// Records a step of a subscription.
    ///
    /// - Throws: `StorageError` `.corrupt` if it makes no progress.
    mutating func record(_ id: TransactionID, _ due: Instant) throws {
        if let last, last.id == id, due <= last.due { count += 1 } else { count = 1 }
        last = (due, id)
        guard count <= Self.maximumAtOnce else {
            throw StorageError(
                .corrupt, "subscriptions", "the subscription \(id) is due again and again at \(due.rfc3339())")
        }
    }
}

/// A subscription whose due work fails.
struct RenewalFailure: Sendable {
    let key: CustomerKey
    let id: TransactionID
    /// The due time in the database's column.
    let due: Instant
    let reason: String

    init(_ key: CustomerKey, _ id: TransactionID, due: Instant, _ error: any Error) {
        (self.key, self.id, self.due) = (key, id, due)
        reason = "\(error)"
    }

    init(_ found: SubscriptionsTable.UnreadableDue) {
        self.init(found.customer, found.id, due: found.due, found.error)
    }
}

/// A subscription has more due steps than one transaction does; see ``Subscriptions/catchUp(_:)``.
struct CatchUpRequired: Error {
    let id: TransactionID
    let key: CustomerKey
    let until: Instant
}

/// Subscriptions in the order of due time. Of those due at once, the oldest comes first.
struct DueQueue {
    /// The latest due time in the queue.
    let horizon: Instant
    /// Soonest last.
    private var waiting: [(due: Instant, id: TransactionID)] = []

    init(until horizon: Instant) {
        self.horizon = horizon
    }

    /// Adds a subscription if it is due by the horizon.
    mutating func put(_ subscription: Subscription) {
        guard let due = subscription.nextDue, due <= horizon else { return }
        var (low, high) = (0, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if waiting[middle] > (due, subscription.id) { low = middle + 1 } else { high = middle }
        }
        waiting.insert((due, subscription.id), at: low)
    }

    mutating func remove(_ id: TransactionID) {
        waiting.removeAll { $0.id == id }
    }

    /// Dequeues the subscription that is due first.
    mutating func next() -> TransactionID? {
        waiting.popLast()?.id
    }
}
