import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Non-consumables that several family members own, and an operator's changes of a member's transaction.
struct SharedOwnershipTests {
    private static let filter = Product.ID(rawValue: "family.filter")

    /// Creates a family of three, in which the given members have bought the filter.
    private static func shop(_ engine: Engine, buyers: [String]) async throws -> (TestStore, Int64) {
        let shop = try await RenewalTests.shop(engine)
        for buyer in buyers { _ = try await shop.buy(filter.rawValue, as: buyer) }
        return (shop, try await shop.store.families.make(organizer: "ann", members: ["bob", "cem"]).id)
    }

    private static func inForce(_ shop: TestStore, of account: String) async throws -> [Transaction] {
        let now = try await shop.store.now()
        return try await RenewalTests.periods(shop, of: account).filter {
            $0.productID == filter && $0.isInForce(at: now)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a refunded purchase is shared again from another owner`(engine: Engine) async throws {
        let (shop, _) = try await Self.shop(engine, buyers: ["ann", "bob"])
        let own = try #require(try await Self.inForce(shop, of: "bob").first)
        #expect(own.ownership == .purchased)
        _ = try await shop.store.refunds.refund(own.id, Refund())
        #expect(try await Self.inForce(shop, of: "bob").map(\.ownership) == [.familyShared])
        #expect(try await Self.inForce(shop, of: "cem").map(\.ownership) == [.familyShared])
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
    }

    @Test(arguments: Engine.allCases)
    func `sharing continues until the last owner leaves`(engine: Engine)
        async throws
    {
        let (shop, family) = try await Self.shop(engine, buyers: ["ann", "bob"])
        _ = try await shop.store.families.remove("bob", from: family)
        #expect(try await Self.inForce(shop, of: "cem").map(\.ownership) == [.familyShared])
        try await shop.store.families.dissolve(family)
        #expect(try await Self.inForce(shop, of: "cem") == [])
        for owner in ["ann", "bob"] {
            #expect(try await Self.inForce(shop, of: owner).map(\.ownership) == [.purchased])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a purchase repeated for free is shared and ends with the original`(engine: Engine)
        async throws
    {
        let (shop, family) = try await Self.shop(engine, buyers: ["ann"])
        let again = try await shop.buy(Self.filter.rawValue, as: "bob")
        #expect(again.ownership == .familyShared)
        _ = try await shop.store.families.add("dan", to: family)
        let bought = try #require(try await Self.inForce(shop, of: "ann").first)
        _ = try await shop.store.refunds.refund(bought.id, Refund())
        for account in ["ann", "bob", "cem", "dan"] {
            #expect(try await Self.inForce(shop, of: account) == [], "\(account)")
        }
    }

    @Test func `only the purchaser's refund ends a member's transaction`() async throws {
        let (shop, _) = try await Self.shop(.sqliteInMemory, buyers: [])
        let bought = try await shop.buy("family.monthly", as: "ann")
        let copy = try #require(try await RenewalTests.periods(shop, of: "bob").first)
        let error = await #expect(throws: SubscriptionError.self) {
            _ = try await shop.store.subscriptions.perform(.expire, on: copy.originalID)
        }
        #expect(error?.code == .familyShared)
        #expect(try await shop.snapshot(copy.originalID).1 == .active)
        _ = try await shop.store.subscriptions.perform(.expire, on: bought.originalID)
        #expect(try await shop.snapshot(copy.originalID).1 == .expired)
    }
}
