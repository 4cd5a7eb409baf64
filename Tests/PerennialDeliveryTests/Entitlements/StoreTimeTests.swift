import Perennial
import PerennialDelivery
import TestSupport
import Testing

/// A store whose clock is not this machine's: what it sold is judged by its time.
struct StoreTimeTests {
    private static let ahead = Instant(seconds: 1_803_859_200)  // 2027-03-01

    /// A world of 2026-01-01 with a store of 2027-03-01, where issue 2 was published long ago.
    private func world(_ source: StoreTime.Source) throws -> DeliveryWorld { try DeliveryWorld(storeTime: source) }

    private static let purchases = [bought("monthly", 1, on: "2026-02-01", expires: "2026-03-01")]

    @Test func `a store's answer says when it was given, and its subscribers get what they paid for`() async throws {
        let world = try world(.answers)
        world.store.tell("r", Self.purchases, at: Self.ahead)
        let grant = try await world.grant("r")
        #expect(grant.contents.map(\.content.id.rawValue) == ["issue-2"])
        // The grant itself lives by this machine's clock.
        #expect(grant.expires == world.now.value + .hours(1))
        _ = try await world.delivery.authorize(grant.contents[0].content.id, grant: grant.token)
    }

    @Test func `Apple's store is in the world's time, whatever an answer says`() async throws {
        let world = try world(.world)
        world.store.tell("r", Self.purchases, at: Self.ahead)
        #expect(try await world.grant("r").contents.isEmpty)
    }

    @Test func `a store in this process is asked itself, for each environment`() async throws {
        let world = try world(.asking { $0 == .sandbox ? Self.ahead : nil })
        world.store.tell("r", Self.purchases)
        world.store.tell("p", Self.purchases, environment: .production)
        #expect(try await world.grant("r").contents.map(\.content.id.rawValue) == ["issue-2"])
        #expect(try await world.grant("p").contents.isEmpty)
    }

    @Test func `terms and reminders go by the store's time as it was last heard`() async throws {
        let world = try world(.answers)
        let token = try await world.customer("ann")
        world.store.tell("r", [bought("pass.1month", 2, on: "2027-02-20")], at: Self.ahead)
        _ = try await world.grant("r", token)
        world.now.value = world.now.value + .hours(1)
        let terms = try await world.delivery.terms(customerToken: token)
        #expect(terms.terms.map { $0.isActive(at: terms.decided) } == [true])
        #expect(terms.contents.contains { $0.content.id.rawValue == "archive" })
        #expect(terms.decided == Self.ahead + .hours(1))
        let expiring = try await world.delivery.expiringTerms(within: .days(30), DeliveryWorld.sandbox)
        #expect(expiring.map(\.customer) == ["ann"])
    }
}
