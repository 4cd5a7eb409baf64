import Perennial

/// Subscriptions in the order in which work on them is due; of those due at once, the one bought first comes first.
struct DueQueue {
    /// Up to when.
    let horizon: Instant
    /// Soonest last.
    private var waiting: [(due: Instant, id: TransactionID)] = []

    init(until horizon: Instant) {
        self.horizon = horizon
    }

    /// Adds a subscription, if it is due by the horizon.
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

    /// Takes out the one that is due first.
    mutating func next() -> TransactionID? {
        waiting.popLast()?.id
    }
}
