import Perennial
import Testing

/// Family Sharing where the purchaser's renewal is charged before the running period ends, and where the purchaser has
/// no access for a while.
struct ChargedAheadTests {
    private static let ahead = BillingPolicy(chargeLead: .days(1))
    private static let end = Instant("2025-02-28T10:00:00Z")
    private static let secondEnd = Instant("2025-03-31T10:00:00Z")

    /// A family in the last day of its first period: the second is charged.
    private static func charged() throws -> SharedLife {
        var shared = try SharedLife(billing: ahead)
        #expect(shared.life.subscription.paidUntil == end)
        try shared.advance(to: end + -.hours(20))
        #expect(shared.transactions.count == 2)
        return shared
    }

    @Test func `who leaves when the next period is charged loses both`() throws {
        var shared = try Self.charged()
        try shared.leave(at: Self.end + -.hours(10))
        #expect(shared.transactions.map { $0.revocation?.kind } == [.familyRevoke, .familyRevoke])
        #expect(shared.access(at: Self.end + -.hours(9)) == [])
    }

    @Test func `a refund of the period charged ahead takes away the members' copy of it`() throws {
        var shared = try Self.charged()
        try shared.happen(.refunded(shared.life.newest, Refund()), at: Self.end + -.hours(10))
        #expect(shared.transactions.map { $0.revocation?.kind } == [nil, .familyRevoke])
        #expect(shared.access(at: Self.end + -1) == ["family"])
        #expect(shared.access(at: Self.end) == [])
        #expect(shared.member.paidUntil == Self.end)
        // What the copy is of is the running period again: it ends as the purchaser's does.
        try shared.advance(to: Self.end)
        #expect(shared.member.status(at: Self.end) == .expired)
        #expect(shared.member.current.transactionID == shared.transactions[0].id)
    }

    @Test func `a refund undone gives members the period charged ahead again`() throws {
        var shared = try Self.charged()
        try shared.happen(.refunded(shared.life.newest, Refund()), at: Self.end + -.hours(10))
        try shared.happen(shared.life.reversal(of: shared.life.newest), at: Self.end + -.hours(8))
        #expect(shared.access(at: Self.end + -.hours(7)) == ["family"])
        #expect(shared.access(at: Self.end) == ["family"])
        #expect(shared.transactions.last?.expiresDate == Self.secondEnd)
    }

    @Test func `a refund of the running period undone gives members the rest of it, and leaves them the next`() throws {
        var shared = try Self.charged()
        let running = shared.life.transactions[0]
        try shared.happen(.refunded(running, Refund()), at: Self.end + -.hours(10))
        #expect(shared.access(at: Self.end + -.hours(9)) == [])
        try shared.happen(shared.life.reversal(of: shared.life.transactions[0]), at: Self.end + -.hours(8))
        #expect(shared.facts == [.resubscribed])
        #expect(shared.transactions.map(\.purchaseDate).suffix(2) == [Self.end, Self.end + -.hours(8)])
        #expect(shared.access(at: Self.end + -.hours(7)) == ["family"])
        #expect(shared.access(at: Self.end) == ["family"])
        // It is known as the same period: another refund takes it away again.
        try shared.happen(.refunded(shared.life.transactions[0], Refund()), at: Self.end + -.hours(6))
        #expect(shared.access(at: Self.end + -.hours(5)) == [])
        #expect(shared.access(at: Self.end) == ["family"])
    }

    @Test func `a refund of what isn't shared, charged ahead and undone, leaves members what runs`() throws {
        var shared = try SharedLife(billing: Self.ahead)
        try shared.happen(.change(.solo), at: Life.start + .days(5))
        try shared.advance(to: Self.end + -.hours(20))
        try shared.happen(.refunded(shared.life.newest, Refund()), at: Self.end + -.hours(10))
        try shared.happen(shared.life.reversal(of: shared.life.newest), at: Self.end + -.hours(8))
        #expect(shared.life.subscription.product.id == SubscriptionPlan.solo.productID)
        #expect(shared.access(at: Self.end + -1) == ["family"])
        #expect(shared.access(at: Self.end) == [])
    }

    @Test func `a refund of what runs, undone before what isn't shared begins, gives members the rest of it`() throws {
        var shared = try SharedLife(billing: Self.ahead)
        try shared.happen(.change(.solo), at: Life.start + .days(5))
        try shared.advance(to: Self.end + -.hours(20))
        try shared.happen(.refunded(shared.life.transactions[0], Refund()), at: Self.end + -.hours(10))
        #expect(shared.access(at: Self.end + -.hours(9)) == [])
        try shared.happen(shared.life.reversal(of: shared.life.transactions[0]), at: Self.end + -.hours(8))
        #expect(shared.access(at: Self.end + -.hours(7)) == ["family"])
        #expect(shared.access(at: Self.end) == [])
    }

    @Test func `who comes back while the purchaser's card fails has access from the recovery on`() throws {
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
        #expect(shared.facts == [.resubscribed])
        #expect(shared.access(at: now) == ["family"])
        #expect(shared.transactions.last?.expiresDate == shared.life.newest.expiresDate)
    }

    @Test func `members have access again when the purchaser comes back to a product that is shared`() throws {
        var shared = try SharedLife()
        try shared.happen(.purchase(.plan("alone", level: 1, .month, 4990)), at: Life.start + .days(3))
        #expect(shared.access(at: Life.start + .days(3)) == [])
        let now = Life.start + .days(5)
        try shared.happen(.purchase(.family), at: now)
        #expect(shared.facts == [.resubscribed])
        #expect(shared.access(at: now) == ["family"])
    }

    @Test func `a downgrade to a product that isn't shared ends members' access when it begins`() throws {
        var shared = try SharedLife(billing: Self.ahead)
        try shared.happen(.purchase(.solo), at: Life.start + .days(3))
        try shared.advance(to: Self.end + -.hours(1))
        #expect(shared.life.newest.productID.rawValue == "solo")
        #expect(shared.facts == [])
        #expect(shared.access(at: Self.end + -1) == ["family"])
        #expect(shared.member.isEntitled(at: Self.end + -1))
        #expect(shared.member.nextDue == Self.end)
        #expect(shared.member.dueWork(at: Self.end, in: shared.life.context) == .event(.accessRevoked))
        try shared.leave(at: Self.end)
        #expect(shared.facts == [.familyAccessRevoked])
        #expect(shared.access(at: Self.end) == [])
        #expect(shared.member.nextDue == nil)
    }

    @Test func `a purchaser who comes back before the downgrade begins goes on sharing`() throws {
        var shared = try SharedLife(billing: Self.ahead)
        try shared.happen(.purchase(.solo), at: Life.start + .days(3))
        try shared.advance(to: Self.end + -.hours(20))
        let now = Self.end + -.hours(10)
        try shared.happen(.purchase(.family), at: now)
        #expect(shared.access(at: now) == ["family"])
        #expect(shared.member.nextDue == nil)
        #expect(shared.member.paidUntil == shared.life.subscription.paidUntil)
    }

    @Test func `who joins when the next period is charged has the rest of this one and the next`() throws {
        let shared = try Self.charged()
        var id: Int64 = 30_000
        let joined = try shared.life.subscription.shared(with: Account.ID(rawValue: 9), at: Self.end + -.hours(2)) {
            id += 1
            return id
        }
        #expect(joined.transactions.map(\.purchaseDate) == [Self.end + -.hours(2), Self.end])
        #expect(joined.transactions.map(\.expiresDate) == [Self.end, Self.secondEnd])
        #expect(joined.facts.map(\.transactionID) == joined.transactions.map(\.id))
    }

    @Test func `a copy is read from its document as it was written, and so is what it is a copy of`() throws {
        var shared = try SharedLife(billing: Self.ahead)
        try shared.happen(.purchase(.solo), at: Life.start + .days(3))
        try shared.advance(to: Self.end + -.hours(1))
        let document = shared.member.document
        #expect(try Subscription(document: document) == shared.member)
        let life = try Life(.family)
        #expect(try Subscription(document: life.subscription.document) == life.subscription)
    }
}
