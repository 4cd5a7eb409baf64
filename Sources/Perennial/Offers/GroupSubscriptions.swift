/// All that a customer has, or had, of one subscription group.
package struct GroupSubscriptions: Hashable, Sendable {
    /// What the customer bought: at most one in a group.
    package var own: Subscription?
    /// Copies of what somebody in the family bought.
    package var shared: [Subscription]

    package init(own: Subscription? = nil, shared: [Subscription] = []) {
        self.own = own
        self.shared = shared
    }

    /// - Parameter subscriptions: All of a customer's, of any group.
    package init(_ subscriptions: [Subscription], group: String?) {
        let inGroup = subscriptions.filter { $0.groupID == group }
        self.init(
            own: inGroup.last { $0.ownership == .purchased }, shared: inGroup.filter { $0.ownership == .familyShared })
    }

    package var all: [Subscription] { shared + (own.map { [$0] } ?? []) }
}

extension Subscription {
    /// Whether an introductory offer was had with it. Copies that were kept before shared offers were remembered have them in
    /// their periods.
    var wasIntroduced: Bool {
        offersUsed.contains { $0.kind == .introductory }
            || [current, previous].contains { $0?.offer?.terms.kind == .introductory }
    }
}
