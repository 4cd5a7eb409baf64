import Perennial
import PerennialStorage

/// A place in the order of due time: of what is due at once, the subscription bought first comes first.
typealias DuePlace = (due: Instant, id: TransactionID)

/// Finds a subscription that is due again and again without getting any further, which is an error of the rules: the work would
/// never end. Such a one is always the next in the order of due time.
struct DueProgress {
    /// So many things may be due for a subscription at one instant.
    static let maximumAtOnce = 64

    private var last: DuePlace?
    private var count = 0

    /// - Throws: `StorageError` `.corrupt`.
    mutating func note(_ id: TransactionID, _ due: Instant) throws {
        if let last, last.id == id, due <= last.due { count += 1 } else { count = 1 }
        last = (due, id)
        guard count <= Self.maximumAtOnce else {
            throw StorageError(
                .corrupt, "subscriptions", "the subscription \(id) is due again and again at \(due.rfc3339())")
        }
    }
}

/// A subscription for which what is due can't be done.
struct RenewalFailure: Sendable {
    let key: CustomerKey
    let id: TransactionID
    /// What the engine's column says.
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

/// A subscription has more due than one transaction does; see ``Store/catchUp(_:)``.
struct FarBehind: Error {
    let id: TransactionID
    let key: CustomerKey
    let until: Instant
}
