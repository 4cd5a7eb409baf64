import Perennial

/// The products that invented customers choose from.
package struct HistoryCatalog: Sendable {
    /// An auto-renewable subscription.
    package struct Subscription: Sendable, Hashable {
        package var id: String
        package var group: String
        /// The level of service; 1 is the highest.
        package var level: Int
        package var period: Period
        /// The duration of the introductory offer; `nil` without one.
        package var introduction: Period?
        /// An offer that codes grant; `nil` without one.
        package var codeOffer: String?

        package init(
            id: String, group: String, level: Int, period: Period, introduction: Period? = nil, codeOffer: String? = nil
        ) {
            self.id = id
            self.group = group
            self.level = level
            self.period = period
            self.introduction = introduction
            self.codeOffer = codeOffer
        }
    }

    package var consumables: [String]
    package var nonConsumables: [String]
    package var nonRenewing: [String]
    package var free: [String]
    package var subscriptions: [Subscription]

    package init(
        consumables: [String] = [], nonConsumables: [String] = [], nonRenewing: [String] = [], free: [String] = [],
        subscriptions: [Subscription] = []
    ) {
        self.consumables = consumables
        self.nonConsumables = nonConsumables
        self.nonRenewing = nonRenewing
        self.free = free
        self.subscriptions = subscriptions
    }

    /// Returns the next product of the group with a higher (or lower) level of service.
    func neighbour(of subscription: Subscription, isHigher: Bool) -> Subscription? {
        let group = subscriptions.filter {
            $0.group == subscription.group
                && (isHigher ? $0.level < subscription.level : $0.level > subscription.level)
        }
        return isHigher ? group.max { $0.level < $1.level } : group.min { $0.level < $1.level }
    }
}
