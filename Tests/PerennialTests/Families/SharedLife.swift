import Perennial

/// A purchaser's subscription, and the member subscription that follows it.
struct SharedLife {
    var life: Life
    var member: Subscription
    var transactions: [Transaction] = []
    var events: [DomainEvent.Kind] = []
    private var id: Int64 = 9000

    init(billing: BillingPolicy = BillingPolicy(chargeLead: 0)) throws {
        life = try Life(.family, billing: billing)
        life.onSale[SubscriptionPlan.solo.productID] = .solo
        var number: Int64 = 9000
        let decision = try life.subscription.shared(with: Account.ID(rawValue: 8), at: Life.start + .days(2)) {
            number += 1
            return number
        }
        id = number
        member = decision.subscription
        take(decision)
    }

    private mutating func take(_ decision: SubscriptionDecision) {
        member = decision.subscription
        transactions = transactions.map { decision.changes.reduce($0) { $0.applying($1) } } + decision.transactions
        events = decision.events.map(\.kind)
    }

    /// The member leaves the family, without a change of the purchaser's subscription.
    mutating func leave(at now: Instant) throws {
        take(try member.decide(.accessRevoked, at: now, in: life.context) { 1 })
    }

    /// Returns the products of the member's transactions that are in force and have begun.
    func access(at now: Instant) -> [String] {
        transactions.filter { $0.isInForce(at: now) && $0.purchaseDate <= now }.map(\.productID.rawValue)
    }

    mutating func happen(_ event: SubscriptionEvent, at now: Instant) throws {
        let before = life.subscription
        try life.happen(event, at: now)
        try follow(before, now)
    }

    mutating func advance(to now: Instant) throws {
        while let due = life.subscription.nextDue, due <= now {
            let before = life.subscription
            try life.advance(to: due)
            try follow(before, due)
        }
    }

    private mutating func follow(_ before: Subscription, _ now: Instant) throws {
        var number = id
        let decision = try member.applyingPurchaserChange(life.last, from: before, at: now) {
            number += 1
            return number
        }
        id = number
        take(decision)
    }
}

extension SubscriptionPlan {
    /// A lower level than `family`, not shared.
    static let solo = plan("solo", level: 2, .month, 4990)
}
