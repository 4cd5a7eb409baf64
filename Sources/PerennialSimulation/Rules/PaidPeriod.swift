import Perennial

/// A period of a subscription that was sold.
struct PaidPeriod<ID: Comparable & Sendable>: Sendable {
    var id: ID
    var start: Instant
    /// The end; `nil` for a subscription that doesn't end by itself.
    var end: Instant?
}
