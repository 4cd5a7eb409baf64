import Perennial
import Testing

/// Family Sharing after the purchaser's renewal was charged ahead, and while the purchaser has no access.
struct ChargedAheadTests {
    private static let ahead = BillingPolicy(chargeLead: .days(1))
    private static let end = Instant("2025-02-28T10:00:00Z")
    private static let secondEnd = Instant("2025-03-31T10:00:00Z")

    /// A family on the last day of its first period, with the second one charged.
    private static func charged() throws -> SharedLife {
        var shared = try SharedLife(billing: ahead)
        #expect(shared.life.subscription.paidUntil == end)
        try shared.advance(to: end + -.hours(20))
        #expect(shared.transactions.count == 2)
        return shared
    }

    @Test func `a member who leaves after the next charge loses both periods`() throws {
        var shared = try Self.charged()
        try shared.leave(at: Self.end + -.hours(10))
        #expect(shared.transactions.map { $0.revocation?.kind } == [.familyRevoke, .familyRevoke])
        #expect(shared.access(at: Self.end + -.hours(9)) == [])
    }

    @Test func `a refund of the period charged ahead revokes it for members`() throws {
        var shared = try Self.charged()
        try shared.happen(.refunded(shared.life.newest, Refund()), at: Self.end + -.hours(10))
        #expect(shared.transactions.map { $0.revocation?.kind } == [nil, .familyRevoke])
        #expect(shared.access(at: Self.end + -1) == ["family"])
        #expect(shared.access(at: Self.end) == [])
        #expect(shared.member.paidUntil == Self.end)
        // The member's source is the running period again, so it ends with the purchaser's.
        try shared.advance(to: Self.end)
        #expect(shared.member.status(at: Self.end) == .expired)
        #expect(shared.member.current.transactionID == shared.transactions[0].id)
    }

    @Test func `a reversed refund restores the period charged ahead for members`() throws {
        var shared = try Self.charged()
        try shared.happen(.refunded(shared.life.newest, Refund()), at: Self.end + -.hours(10))
        try shared.happen(shared.life.reversal(of: shared.life.newest), at: Self.end + -.hours(8))
        #expect(shared.access(at: Self.end + -.hours(7)) == ["family"])
        #expect(shared.access(at: Self.end) == ["family"])
        #expect(shared.transactions.last?.expiresDate == Self.secondEnd)
    }

    @Test func `a reversed refund of the running period restores its rest for members`() throws {
        var shared = try Self.charged()
        let running = shared.life.transactions[0]
        try shared.happen(.refunded(running, Refund()), at: Self.end + -.hours(10))
        #expect(shared.access(at: Self.end + -.hours(9)) == [])
        try shared.happen(shared.life.reversal(of: shared.life.transactions[0]), at: Self.end + -.hours(8))
        #expect(shared.events == [.resubscribed])
        #expect(shared.transactions.map(\.purchaseDate).suffix(2) == [Self.end, Self.end + -.hours(8)])
        #expect(shared.access(at: Self.end + -.hours(7)) == ["family"])
        #expect(shared.access(at: Self.end) == ["family"])
        // It is the same period, so another refund revokes it again.
        try shared.happen(.refunded(shared.life.transactions[0], Refund()), at: Self.end + -.hours(6))
        #expect(shared.access(at: Self.end + -.hours(5)) == [])
        #expect(shared.access(at: Self.end) == ["family"])
    }

    @Test func `a reversed refund of an unshared period leaves members the running one`() throws {
        var shared = try SharedLife(billing: Self.ahead)
        try shared.happen(.change(.solo), at: Life.start + .days(5))
        try shared.advance(to: Self.end + -.hours(20))
        try shared.happen(.refunded(shared.life.newest, Refund()), at: Self.end + -.hours(10))
        try shared.happen(shared.life.reversal(of: shared.life.newest), at: Self.end + -.hours(8))
        #expect(shared.life.subscription.product.id == SubscriptionPlan.solo.productID)
        #expect(shared.access(at: Self.end + -1) == ["family"])
        #expect(shared.access(at: Self.end) == [])
    }

    @Test func `a refund reversed before an unshared period restores members' rest`() throws {
        var shared = try SharedLife(billing: Self.ahead)
        try shared.happen(.change(.solo), at: Life.start + .days(5))
        try shared.advance(to: Self.end + -.hours(20))
        try shared.happen(.refunded(shared.life.transactions[0], Refund()), at: Self.end + -.hours(10))
        #expect(shared.access(at: Self.end + -.hours(9)) == [])
        try shared.happen(shared.life.reversal(of: shared.life.transactions[0]), at: Self.end + -.hours(8))
        #expect(shared.access(at: Self.end + -.hours(7)) == ["family"])
        #expect(shared.access(at: Self.end) == [])
    }

    @Test func `a member who returns in billing retry has access after the recovery`() throws {
        var shared = try SharedLife()
        try shared.leave(at: Life.start + .days(3))
        shared.life.cardWorks = false
        try shared.advance(to: Self.end)
        #expect(shared.life.subscription.stateName == .billingRetry)
        shared.life.cardWorks = true
        let now = Self.end + .hours(30)
        try shared.happen(.paymentMethodUpdated, at: now)
        #expect(shared.access(at: now) == [])
        try shared.advance(to: now)
        #expect(shared.life.subscription.stateName == .active)
        #expect(shared.events == [.resubscribed])
        #expect(shared.access(at: now) == ["family"])
        #expect(shared.transactions.last?.expiresDate == shared.life.newest.expiresDate)
    }

    @Test func `members regain access when the purchaser returns to a shared product`() throws {
        var shared = try SharedLife()
        try shared.happen(.purchase(.plan("alone", level: 1, .month, 4990)), at: Life.start + .days(3))
        #expect(shared.access(at: Life.start + .days(3)) == [])
        let now = Life.start + .days(5)
        try shared.happen(.purchase(.family), at: now)
        #expect(shared.events == [.resubscribed])
        #expect(shared.access(at: now) == ["family"])
    }

    @Test func `a downgrade to an unshared product ends members' access at its start`() throws {
        var shared = try SharedLife(billing: Self.ahead)
        try shared.happen(.purchase(.solo), at: Life.start + .days(3))
        try shared.advance(to: Self.end + -.hours(1))
        #expect(shared.life.newest.productID.rawValue == "solo")
        #expect(shared.events == [])
        #expect(shared.access(at: Self.end + -1) == ["family"])
        #expect(shared.member.isEntitled(at: Self.end + -1))
        #expect(shared.member.nextDue == Self.end)
        #expect(shared.member.dueWork(at: Self.end, in: shared.life.context) == .event(.accessRevoked))
        try shared.leave(at: Self.end)
        #expect(shared.events == [.familyAccessRevoked])
        #expect(shared.access(at: Self.end) == [])
        #expect(shared.member.nextDue == nil)
    }

    @Test func `a downgrade cancelled in time keeps sharing`() throws {
        var shared = try SharedLife(billing: Self.ahead)
        try shared.happen(.purchase(.solo), at: Life.start + .days(3))
        try shared.advance(to: Self.end + -.hours(20))
        let now = Self.end + -.hours(10)
        try shared.happen(.purchase(.family), at: now)
        #expect(shared.access(at: now) == ["family"])
        #expect(shared.member.nextDue == nil)
        #expect(shared.member.paidUntil == shared.life.subscription.paidUntil)
    }

    @Test func `a member who joins after the next charge gets the rest and the next period`() throws {
        let shared = try Self.charged()
        var id: Int64 = 30_000
        let joined = try shared.life.subscription.shared(with: Account.ID(rawValue: 9), at: Self.end + -.hours(2)) {
            id += 1
            return id
        }
        #expect(joined.transactions.map(\.purchaseDate) == [Self.end + -.hours(2), Self.end])
        #expect(joined.transactions.map(\.expiresDate) == [Self.end, Self.secondEnd])
        #expect(joined.events.map(\.transactionID) == joined.transactions.map(\.id))
    }

    @Test func `a member subscription and its source survive a round trip`() throws {
        var shared = try SharedLife(billing: Self.ahead)
        try shared.happen(.purchase(.solo), at: Life.start + .days(3))
        try shared.advance(to: Self.end + -.hours(1))
        let document = shared.member.document
        #expect(try Subscription(document: document) == shared.member)
        let life = try Life(.family)
        #expect(try Subscription(document: life.subscription.document) == life.subscription)
    }
}
