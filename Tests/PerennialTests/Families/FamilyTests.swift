import Perennial
import Testing

/// Family Sharing (docs/reference/apple-behaviour.md, "Family Sharing").
struct FamilyTests {
    @Test func `a family has an organizer and up to five members`() throws {
        var family = Family(organizer: Account.ID(rawValue: 1))
        for number: Int64 in 2...6 { try family.add(Account.ID(rawValue: number)) }
        #expect(throws: FamilyError(.full, Account.ID(rawValue: 7), "")) { try family.add(Account.ID(rawValue: 7)) }
        #expect(family.others(than: Account.ID(rawValue: 3)).map(\.rawValue) == [1, 2, 4, 5, 6])
        #expect(family.others(than: Account.ID(rawValue: 9)).isEmpty)
        try family.remove(Account.ID(rawValue: 4))
        try family.add(Account.ID(rawValue: 7))
        #expect(throws: FamilyError(.alreadyMember, Account.ID(rawValue: 7), "")) {
            try family.add(Account.ID(rawValue: 7))
        }
        #expect(throws: FamilyError(.notMember, Account.ID(rawValue: 1), "")) {
            try family.remove(Account.ID(rawValue: 1))
        }
    }

    @Test func `a member has their own free family-shared transactions`() throws {
        let shared = try SharedLife()
        let transaction = shared.transactions[0]
        #expect(shared.events == [.subscribed])
        #expect(transaction.ownership == .familyShared)
        #expect(transaction.price.milliunits == 0)
        #expect(transaction.id != shared.life.newest.id)
        #expect(transaction.originalID == transaction.id)
        #expect(transaction.accountID.rawValue == 8)
        #expect(transaction.purchaseDate == Life.start + .days(2))
        #expect(transaction.expiresDate == shared.life.subscription.paidUntil)
        #expect(shared.member.nextDue == nil)
    }

    @Test func `a member subscription renews with the purchaser's`() throws {
        var shared = try SharedLife()
        try shared.advance(to: shared.life.subscription.paidUntil)
        #expect(shared.events == [.renewed])
        #expect(shared.transactions.count == 2)
        #expect(shared.transactions[1].purchaseDate == shared.life.newest.purchaseDate)
        #expect(shared.transactions[1].expiresDate == shared.life.newest.expiresDate)
        #expect(shared.transactions[1].originalID == shared.transactions[0].id)
        #expect(shared.transactions[1].reason == .renewal)
    }

    @Test func `a member subscription follows the purchaser's grace, retry and end`() throws {
        var shared = try SharedLife(billing: BillingPolicy(grace: BillingPolicy.Grace(.threeDays), chargeLead: 0))
        shared.life.cardWorks = false
        let end = shared.life.subscription.paidUntil
        try shared.advance(to: end)
        #expect(shared.events == [.renewalFailedWithGrace])
        #expect(shared.member.isEntitled(at: end + 1))
        try shared.advance(to: end + .days(60))
        #expect(shared.events == [.expiredAfterBillingRetry])
        #expect(shared.member.status(at: end + .days(60)) == .expired)
    }

    @Test func `a refund of the purchaser revokes members without postings`() throws {
        var shared = try SharedLife()
        try shared.happen(.refunded(shared.life.newest, Refund()), at: Life.start + .days(3))
        #expect(shared.events == [.familyAccessRevoked])
        #expect(shared.member.status(at: Life.start + .days(3)) == .revoked)
        #expect(shared.transactions[0].revocation?.date == Life.start + .days(3))
    }

    @Test func `a reversed refund restores the rest of the period for members`() throws {
        var shared = try SharedLife()
        let bought = shared.life.newest
        try shared.happen(.refunded(bought, Refund()), at: Life.start + .days(3))
        try shared.happen(shared.life.reversal(of: shared.life.newest), at: Life.start + .days(4))
        #expect(shared.events == [.resubscribed])
        #expect(shared.access(at: Life.start + .days(4)) == ["family"])
        #expect(shared.transactions.map(\.purchaseDate) == [Life.start + .days(2), Life.start + .days(4)])
        #expect(shared.transactions.last?.expiresDate == bought.expiresDate)
    }

    @Test func `a member who joins in grace has access and the next paid period`() throws {
        var life = try Life(.family, billing: BillingPolicy(grace: BillingPolicy.Grace(.threeDays), chargeLead: 0))
        life.cardWorks = false
        let end = life.subscription.paidUntil
        try life.advance(to: end)
        var id: Int64 = 20_000
        func next() -> Int64 {
            id += 1
            return id
        }
        let now = end + .days(1)
        let joined = try life.subscription.shared(with: Account.ID(rawValue: 8), at: now, id: next)
        #expect(joined.subscription.stateName == .gracePeriod)
        #expect(joined.subscription.isEntitled(at: now))
        #expect(joined.transactions.map(\.expiresDate) == [end])
        let before = life.subscription
        life.cardWorks = true
        try life.happen(.charged(period: 2), at: now)
        let paid = try joined.subscription.applyingPurchaserChange(life.last, from: before, at: now, id: next)
        #expect(paid.transactions.map(\.expiresDate) == [life.newest.expiresDate])
        #expect(paid.subscription.stateName == .active)
    }

    @Test func `an upgrade to a product that isn't shared revokes members`() throws {
        var shared = try SharedLife()
        try shared.happen(.purchase(.plan("solo", level: 1, .month, 4990)), at: Life.start + .days(3))
        #expect(shared.events == [.familyAccessRevoked])
    }

    @Test func `a member who regains access resubscribes`() throws {
        var shared = try SharedLife()
        try shared.happen(.refunded(shared.life.newest, Refund()), at: Life.start + .days(3))
        try shared.happen(.purchase(.family), at: Life.start + .days(4))
        #expect(shared.events == [.resubscribed])
        #expect(shared.member.isEntitled(at: Life.start + .days(4)))
        #expect(shared.transactions.last?.originalID == shared.transactions[0].id)
    }

    @Test func `a member who returns to the family continues the earlier history`() throws {
        var shared = try SharedLife()
        let left = try shared.member.decide(.accessRevoked, at: Life.start + .days(3), in: shared.life.context) { 1 }
        #expect(left.events.map(\.notification?.type) == ["REVOKE"])
        var id: Int64 = 20_000
        try shared.advance(to: Life.start + .days(3))
        let back = try shared.life.subscription.shared(
            with: Account.ID(rawValue: 8), earlier: left.subscription, at: Life.start + .days(9)
        ) {
            id += 1
            return id
        }
        #expect(back.events.map(\.kind) == [.resubscribed])
        #expect(back.subscription.id == shared.member.id)
        #expect(back.transactions[0].originalID == shared.member.id)
        #expect(back.subscription.isEntitled(at: Life.start + .days(9)))
    }

    @Test func `a product that isn't shareable isn't shared`() throws {
        let life = try Life(.monthly)
        #expect(throws: SubscriptionError(.notShareable, nil, "")) {
            try life.subscription.shared(with: Account.ID(rawValue: 8), at: Life.start) { 1 }
        }
    }

    @Test(arguments: [
        SubscriptionEvent.setAutoRenew(false), .purchase(.premium), .priceChanged(.zero(.usd), needsConsent: false),
    ])
    func `a member can't change the purchaser's subscription`(event: SubscriptionEvent) throws {
        let shared = try SharedLife()
        #expect(throws: SubscriptionError.self) {
            try shared.member.decide(event, at: Life.start + .days(3), in: shared.life.context) { 1 }
        }
    }
}
