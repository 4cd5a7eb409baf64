/// A purchase that waits for a parent or for the customer. It has no transaction and no charge until it is approved.
package struct PendingPurchase: Hashable, Sendable, Codable {
    package enum Cause: String, Sendable, Codable, CaseIterable {
        /// Ask to Buy: a parent approves or declines within 24 hours. The app's queue shows `deferred`.
        case approval
        /// The customer must act outside the app first, such as agree to new terms. The app's queue shows a failure;
        /// the purchase arrives later by itself.
        case interruption
    }

    package enum Ending: String, Sendable, Codable, CaseIterable {
        case approved, declined, lapsed
    }

    package enum State: Hashable, Sendable, Codable {
        case waiting(since: Instant)
        case ended(Ending, at: Instant)
    }

    /// The lifetime of a request for approval.
    package static let approvalTime: Int64 = .hours(24)

    package let accountID: Account.ID
    package let productID: Product.ID
    package let cause: Cause
    package private(set) var state: State

    package init(_ productID: Product.ID, by accountID: Account.ID, _ cause: Cause, at now: Instant) {
        self.accountID = accountID
        self.productID = productID
        self.cause = cause
        self.state = .waiting(since: now)
    }

    /// The instant at which the request lapses; `nil` if it never does or has ended.
    package var nextDue: Instant? {
        guard case .waiting(let since) = state, cause == .approval else { return nil }
        return since + Self.approvalTime
    }

    /// Repeats the request, which restarts its lifetime.
    package mutating func ask(at now: Instant) {
        state = .waiting(since: now)
    }

    /// Answers the request. Only the first answer in time counts, so that one approval makes one purchase.
    ///
    /// - Returns: True if the purchase is to be made now.
    package mutating func answer(approved: Bool, at now: Instant) -> Bool {
        lapse(at: now)
        guard case .waiting = state else { return false }
        state = .ended(approved ? .approved : .declined, at: now)
        return approved
    }

    /// Returns true if the purchase still waits for this cause.
    package func waits(for cause: Cause, at now: Instant) -> Bool {
        var current = self
        current.lapse(at: now)
        guard case .waiting = current.state else { return false }
        return self.cause == cause
    }

    /// Ends a request that was not answered in time.
    package mutating func lapse(at now: Instant) {
        if let due = nextDue, now >= due { state = .ended(.lapsed, at: due) }
    }
}
