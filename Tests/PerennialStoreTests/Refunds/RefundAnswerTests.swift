import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Requested, declined, granted and reversed refunds.
struct RefundAnswerTests {
    private static let start = RenewalTests.start

    @Test(arguments: Engine.allCases)
    func `reversing a subscription's refund restores access and money`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        let first = try await shop.buy("monthly", as: "ann")
        let before = try await Self.balance(shop)
        _ = try await shop.store.clock.advance(to: Self.start + .days(3))
        let refunded = try await shop.refund(first)
        #expect(refunded.revocation != nil)
        let reversed = try await shop.store.refunds.reverse(first.id).0
        #expect(reversed.revocation == nil)
        #expect(reversed.expiresDate == first.expiresDate)
        let snapshot = try await shop.store.subscriptions.snapshot(of: first.id)
        #expect(snapshot.subscription.status(at: Self.start + .days(3)) == .active)
        #expect(try await Self.balance(shop) == before)
        #expect(try await shop.journal().map(\.entry.kind).last == .subscription(.subscriptionRefundReversed))
        await #expect(throws: RefundError(.notRefunded, first.id, "")) {
            try await shop.store.refunds.reverse(first.id)
        }
    }

    private static func balance(_ shop: TestStore) async throws -> Int64 {
        try await shop.journal().flatMap(\.entry.postings).filter { $0.account == .customer }
            .reduce(0) { $0 + $1.amount.milliunits }
    }

    @Test(arguments: ["filter.amber", "film.roll", "pass.1week"])
    func `reversing a purchase's refund restores it to the coin`(product: String) async throws {
        let shop = try await RenewalTests.shop()
        let bought = try await shop.buy(product, as: "ann")
        let before = try await Self.balance(shop)
        _ = try await shop.store.refunds.refund(bought.id, Refund(.percentage(milliunits: 33_000)))
        let reversed = try await shop.store.refunds.reverse(bought.id).0
        #expect(reversed.revocation == nil)
        #expect(try await Self.balance(shop) == before)
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
        #expect(try await shop.journal().map(\.entry.kind).last == .purchaseRefundReversed)
    }

    @Test(arguments: Engine.allCases)
    func `a refund request asks the seller and pauses the renewal`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        let first = try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.refunds.request(first.id, reason: .unsatisfied)
        #expect(try await shop.journal().map(\.entry.kind).contains(.subscription(.refundRequested)))
        let app = TestCatalog.magazine().appleID
        var request = try #require(try await shop.store.refunds.newestRequest(of: first.id, app: app))
        #expect((request.reason, request.outcome) == (.unsatisfied, nil))
        #expect(try await shop.store.subscriptions.snapshot(of: first.id).subscription.autoRenewStatus == 0)
        _ = try await shop.store.refunds.decline(first.id)
        #expect(try await shop.journal().map(\.entry.kind).last == .subscription(.subscriptionRefundDeclined))
        #expect(try await RenewalTests.periods(shop, of: "ann").allSatisfy { $0.revocation == nil })
        request = try #require(try await shop.store.refunds.newestRequest(of: first.id, app: app))
        #expect(request.outcome == .declined)
        // The request is closed.
        await #expect(throws: RefundError(.notRequested, first.id, "")) {
            try await shop.store.refunds.decline(first.id)
        }
        _ = try await shop.store.refunds.request(first.id, reason: .other)
        _ = try await shop.refund(first)
        request = try #require(try await shop.store.refunds.newestRequest(of: first.id, app: app))
        #expect((request.reason, request.outcome) == (.other, .refunded))
    }

    @Test(arguments: ["family.monthly", "family.filter"])
    func `a reversal restores family members' access`(product: String) async throws {
        let shop = try await RenewalTests.shop()
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        let bought = try await shop.buy(product, as: "ann")
        try await shop.refund(bought)
        #expect(try await Self.inForce(shop, "bob") == 0)
        _ = try await shop.store.refunds.reverse(bought.id)
        #expect(try await Self.inForce(shop, "bob") == 1)
    }

    private static func inForce(_ shop: TestStore, _ account: String) async throws -> Int {
        try await RenewalTests.periods(shop, of: account).filter { $0.isInForce(at: start) }.count
    }

    @Test func `a refund request for a one-time purchase can be declined`() async throws {
        let shop = try await RenewalTests.shop()
        let bought = try await shop.buy("film.roll", as: "ann")
        await #expect(throws: RefundError(.notRequested, bought.id, "")) {
            try await shop.store.refunds.decline(bought.id)
        }
        _ = try await shop.store.refunds.request(bought.id, reason: .other)
        _ = try await shop.store.refunds.decline(bought.id)
        #expect(
            try await shop.journal().map(\.entry.kind).suffix(2) == [.purchaseRefundRequested, .purchaseRefundDeclined])
        _ = try await shop.refund(bought)
        await #expect(throws: RefundError(.alreadyRefunded, bought.id, "")) {
            try await shop.store.refunds.request(bought.id, reason: .other)
        }
        await #expect(throws: RefundError(.alreadyRefunded, bought.id, "")) {
            try await shop.store.refunds.decline(bought.id)
        }
    }
}
