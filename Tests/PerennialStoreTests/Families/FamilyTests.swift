import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Family Sharing of a purchaser and five members (docs/reference/apple-behaviour.md, "Family Sharing").
struct FamilyTests {
    private static func shop(_ engine: Engine = .sqliteInMemory) async throws -> TestStore {
        try await RenewalTests.shop(engine)
    }

    private static func transactions(_ shop: TestStore, of account: String) async throws -> [Transaction] {
        try await RenewalTests.periods(shop, of: account)
    }

    @Test(arguments: Engine.allCases)
    func `a family member gets every period without postings`(engine: Engine) async throws {
        let shop = try await Self.shop(engine)
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        let bought = try await shop.buy("family.monthly", as: "ann")
        _ = try await shop.store.clock.advance(to: Period(3, .month).end(after: RenewalTests.start))
        let own = try await Self.transactions(shop, of: "ann")
        let shared = try await Self.transactions(shop, of: "bob")
        #expect(own.count == 4)
        #expect(shared.map(\.purchaseDate) == own.map(\.purchaseDate))
        #expect(shared.map(\.expiresDate) == own.map(\.expiresDate))
        #expect(shared.allSatisfy { $0.ownership == .familyShared && $0.price.milliunits == 0 })
        #expect(Set(shared.map(\.originalID)).count == 1)
        #expect(!shared.contains { $0.originalID == bought.originalID })
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
    }

    @Test func `a member's receipt marks family-shared purchases`() async throws {
        let shop = try await Self.shop()
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        _ = try await shop.buy("family.monthly", as: "ann")
        for (account, ownership) in [("ann", "PURCHASED"), ("bob", "FAMILY_SHARED")] {
            let answer = try await shop.verify(
                try await shop.receipt(of: account), password: TestCatalog.sharedSecret)
            #expect(answer["status"] == 0)
            let latest = answer["latest_receipt_info"]?.elements?.first
            #expect(latest?["in_app_ownership_type"] == .string(ownership))
            let inApp = answer["receipt"]?["in_app"]?.elements?.first
            #expect(inApp?["in_app_ownership_type"] == .string(ownership))
        }
    }

    @Test(arguments: Engine.allCases)
    func `a non-consumable is shared once with every member`(engine: Engine) async throws {
        let shop = try await Self.shop(engine)
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob", "cem"])
        _ = try await shop.buy("family.filter", as: "bob")
        _ = try await shop.buy("family.filter", as: "bob")
        for account in ["ann", "cem"] {
            let shared = try await Self.transactions(shop, of: account)
            #expect(shared.map(\.productID.rawValue) == ["family.filter"])
            #expect(shared.map(\.ownership) == [.familyShared])
        }
        let again = try await shop.buy("family.filter", as: "cem")
        #expect(again.price.milliunits == 0)
    }

    @Test(arguments: Engine.allCases)
    func `joining, leaving and rejoining a family changes access`(engine: Engine)
        async throws
    {
        let shop = try await Self.shop(engine)
        let family = try await shop.store.families.make(organizer: "ann", members: [])
        _ = try await shop.buy("family.monthly", as: "ann")
        _ = try await shop.buy("family.filter", as: "ann")
        _ = try await shop.buy("film.roll", as: "ann")
        _ = try await shop.store.families.add("bob", to: family.id)
        let first = try await Self.transactions(shop, of: "bob")
        #expect(Set(first.map(\.productID.rawValue)) == ["family.monthly", "family.filter"])
        #expect(first.allSatisfy { $0.isInForce(at: RenewalTests.start) })

        #expect(try await shop.store.families.remove("bob", from: family.id).members == [])
        let lost = try await Self.transactions(shop, of: "bob")
        #expect(lost.count == 2)
        #expect(lost.allSatisfy { $0.revocation?.kind == .familyRevoke })
        _ = try await shop.store.clock.advance(to: Period.month.end(after: RenewalTests.start))
        #expect(try await Self.transactions(shop, of: "bob").count == 2)

        _ = try await shop.store.families.add("bob", to: family.id)
        let now = try await shop.store.now()
        let back = try await Self.transactions(shop, of: "bob").filter { $0.isInForce(at: now) }
        #expect(Set(back.map(\.originalID)) == Set(first.map(\.originalID)))
        #expect(try await shop.journal().contains { $0.entry.kind == .subscription(.familyAccessRevoked) })
    }

    @Test(arguments: ["family.monthly", "family.filter"])
    func `refunding the purchaser ends the members' access`(product: String) async throws {
        let shop = try await Self.shop()
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        let bought = try await shop.buy(product, as: "ann")
        _ = try await shop.store.refunds.refund(bought.id, Refund())
        let shared = try await Self.transactions(shop, of: "bob")
        #expect(shared.map { $0.revocation?.kind } == [.familyRevoke])
    }

    @Test func `a member may have an own and a shared subscription`() async throws {
        let shop = try await Self.shop()
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        _ = try await shop.buy("family.monthly", as: "ann")
        let own = try await shop.buy("family.monthly", as: "bob")
        #expect(own.ownership == .purchased)
        #expect(own.price.milliunits > 0)
        let inForce = try await Self.transactions(shop, of: "bob").filter { $0.isInForce(at: RenewalTests.start) }
        #expect(Set(inForce.map(\.ownership)) == [.purchased, .familyShared])
        // A member who has one already gets no second one.
        #expect(try await Self.transactions(shop, of: "ann").filter { $0.ownership == .familyShared }.count == 1)
    }

    @Test func `products that aren't shareable are not shared`() async throws {
        let shop = try await Self.shop()
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        for product in ["monthly", "filter.amber", "film.roll", "pass.1week", "newsletter"] {
            _ = try await shop.buy(product, as: "ann")
        }
        #expect(try await Self.transactions(shop, of: "bob") == [])
    }

    @Test func `a family has at most six members and keeps its organizer`() async throws {
        let shop = try await Self.shop()
        let family = try await shop.store.families.make(organizer: "ann", members: ["b", "c", "d", "e", "f"])
        let errors: [(FamilyError.Code, @Sendable () async throws -> Void)] = [
            (.full, { _ = try await shop.store.families.add("g", to: family.id) }),
            (.alreadyMember, { _ = try await shop.store.families.make(organizer: "b", members: []) }),
            (.alreadyMember, { _ = try await shop.store.families.make(organizer: "x", members: ["c"]) }),
            (.notMember, { _ = try await shop.store.families.remove("ann", from: family.id) }),
        ]
        for (code, attempt) in errors {
            let error = await #expect(throws: FamilyError.self) { try await attempt() }
            #expect(error?.code == code)
        }
        #expect(try await shop.store.families.all() == [family])
        try await shop.store.families.dissolve(family.id)
        #expect(try await shop.store.families.all() == [])
        await #expect(throws: StoreError.self) { try await shop.store.families.family(family.id) }
    }

    @Test(arguments: Engine.allCases)
    func `concurrent purchases of two members are both shared`(engine: Engine) async throws {
        let shop = try await Self.shop(engine)
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for account in ["ann", "bob"] {
                group.addTask { _ = try await shop.buy("family.monthly", as: account) }
            }
            try await group.waitForAll()
        }
        for account in ["ann", "bob"] {
            let owned = try await Self.transactions(shop, of: account)
            #expect(Set(owned.map(\.ownership)) == [.purchased, .familyShared])
        }
    }
}
