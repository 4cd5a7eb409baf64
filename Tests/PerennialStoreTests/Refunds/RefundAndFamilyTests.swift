import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Refunds and families in a running store (docs/reference/apple-behaviour.md, "Refunds", "Family Sharing").
struct RefundAndFamilyTests {
    private static let start = Magazine.start

    @Test func `a refund ends access, and a reversal removes the revocation`() async throws {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        let refunded = try await shop.refund(first, reason: .issueWithApp)
        #expect(refunded.revocation?.reason == .issueWithApp)
        #expect(try await shop.snapshot(first.id).1 == .revoked)
        #expect(try await shop.store.refunds.reverse(first.id).0.revocation == nil)
        #expect(try await shop.snapshot(first.id).1 == .active)
    }

    @Test(arguments: [(Transaction.Revocation.Reason.issueWithApp, Int64(1)), (.other, 0)])
    func `revocationReason is 1 for an app issue, 0 for others, gone after a reversal`(
        reason: Transaction.Revocation.Reason, number: Int64
    ) async throws {
        let shop = try await Magazine.shop()
        let first = try await shop.buy("month", as: "ann")
        try await shop.advance(to: Self.start + .days(3))
        let refunded = try await shop.signed(try await shop.refund(first, reason: reason))
        #expect(refunded["revocationReason"]?.number == number)
        #expect(refunded["revocationDate"]?.number == (Self.start + .days(3)).milliseconds)
        let restored = try await shop.signed(try await shop.store.refunds.reverse(first.id).0)
        #expect(restored.members?.keys.contains { $0.hasPrefix("revocation") } == false)
    }

    @Test func `each of up to five family members has transactions of their own`() async throws {
        let shop = try await RenewalTests.shop()
        let members = ["bob", "cem", "dan", "eve", "fay"]
        let family = try await shop.store.families.make(organizer: "ann", members: members)
        try await shop.buy("family.monthly", as: "ann")
        var lines: Set<TransactionID> = []
        for member in members {
            let copies = try await RenewalTests.periods(shop, of: member)
            #expect(copies.map(\.ownership) == [.familyShared])
            lines.formUnion(copies.map(\.originalID))
        }
        #expect(lines.count == 5)
        await #expect(throws: FamilyError.self) { try await shop.store.families.add("gus", to: family.id) }
    }

    @Test func `only non-consumables and auto-renewables are shared`() async throws {
        var app = TestCatalog.magazine()
        for index in app.products.indices { app.products[index].isFamilyShareable = true }
        let shop = try await Magazine.shop(app: app)
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        for product in ["film.roll", "filter.amber", "pass.1week", "newsletter", "monthly"] {
            try await shop.buy(product, as: "ann")
        }
        let shared = try await RenewalTests.periods(shop, of: "bob")
        #expect(Set(shared.map(\.productID.rawValue)) == ["filter.amber", "monthly"])
        #expect(shared.allSatisfy { $0.ownership == .familyShared })
    }

    @Test func `Set App Account Token refuses a family member's transaction: 4000185`() async throws {
        let shop = try await RenewalTests.shop()
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        let bought = try await shop.buy("family.monthly", as: "ann")
        let copy = try #require(try await RenewalTests.periods(shop, of: "bob").first)
        let token = try #require(UUID(uuidString: "7E3FB204-2E1F-4D0A-9D2C-0123456789AB"))
        let app = TestCatalog.magazine()
        #expect(ServerAPIErrorCode.familyTransactionNotSupported.rawValue == 4_000_185)
        await #expect(throws: ServerAPIError(.familyTransactionNotSupported)) {
            try await shop.store.transactions.setAppAccountToken(token, of: copy.id, in: app)
        }
        try await shop.store.transactions.setAppAccountToken(token, of: bought.id, in: app)
        let named = try await RenewalTests.periods(shop, of: "ann").map(\.applicationUsername)
        #expect(named == [token.uuidString.lowercased()])
    }

    @Test func `an Ask to Buy request lives 24 hours, one approval is one purchase`() async throws {
        let shop = try await Magazine.shop(.sandbox)
        let (token, _) = try await shop.signIn("child")
        let request = PurchaseRequest(productID: Product.ID(rawValue: "month"), quantity: 1)
        try await shop.store.askToBuy.request(request, token: token)
        #expect(try await RenewalTests.periods(shop, of: "child").isEmpty)
        try await shop.advance(to: Self.start + .hours(23))
        // Asking again restarts the clock.
        try await shop.store.askToBuy.request(request, token: token)
        try await shop.advance(to: Self.start + .hours(46))
        let waiting = try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID)
        #expect(waiting.count == 1)
        #expect(try await shop.store.askToBuy.answer(waiting[0].id, approved: true) != nil)
        #expect(try await shop.store.askToBuy.answer(waiting[0].id, approved: true) == nil)
        try await shop.store.askToBuy.request(
            PurchaseRequest(productID: Product.ID(rawValue: "gold"), quantity: 1), token: token)
        try await shop.advance(to: Self.start + .hours(70))
        #expect(try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID).isEmpty)
    }
}
