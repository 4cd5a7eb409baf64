import Perennial
import PerennialDelivery
import TestSupport
import Testing

/// Stores with another clock than this machine's.
struct StoreTimeTests {
    private static let ahead = Instant(seconds: 1_803_859_200)  // 2027-03-01

    /// Makes a content server of 2026-01-01 with a store of 2027-03-01, after the publication of issue 2.
    private func fixture(_ source: StoreTime.Source) throws -> DeliveryFixture {
        try DeliveryFixture(storeTime: source)
    }

    private static let purchases = [bought("monthly", 1, on: "2026-02-01", expires: "2026-03-01")]

    @Test func `periods follow the date of the store's answer`() async throws {
        let fixture = try fixture(.answers)
        fixture.store.tell("r", Self.purchases, at: Self.ahead)
        let grant = try await fixture.grant("r")
        #expect(grant.contents.map(\.content.id.rawValue) == ["issue-2"])
        // The grant itself lives by this machine's clock.
        #expect(grant.expires == fixture.now.value + .hours(1))
        _ = try await fixture.delivery.authorize(grant.contents[0].content.id, grant: grant.token)
    }

    @Test func `Apple's store follows this machine's clock, not its answers`() async throws {
        let fixture = try fixture(.wallClock)
        fixture.store.tell("r", Self.purchases, at: Self.ahead)
        #expect(try await fixture.grant("r").contents.isEmpty)
    }

    @Test func `a store in this process is asked for each environment's time`() async throws {
        let fixture = try fixture(.asking { $0 == .sandbox ? Self.ahead : nil })
        fixture.store.tell("r", Self.purchases)
        fixture.store.tell("p", Self.purchases, environment: .production)
        #expect(try await fixture.grant("r").contents.map(\.content.id.rawValue) == ["issue-2"])
        #expect(try await fixture.grant("p").contents.isEmpty)
    }

    @Test func `terms and reminders follow the store's last known time`() async throws {
        let fixture = try fixture(.answers)
        let token = try await fixture.customer("ann")
        fixture.store.tell("r", [bought("pass.1month", 2, on: "2027-02-20")], at: Self.ahead)
        _ = try await fixture.grant("r", token)
        fixture.now.value = fixture.now.value + .hours(1)
        let terms = try await fixture.delivery.terms(customerToken: token)
        #expect(terms.terms.map { $0.isActive(at: terms.decided) } == [true])
        #expect(terms.contents.contains { $0.content.id.rawValue == "archive" })
        #expect(terms.decided == Self.ahead + .hours(1))
        let expiring = try await fixture.delivery.expiringTerms(within: .days(30), DeliveryFixture.sandbox)
        #expect(expiring.map(\.customer) == ["ann"])
    }
}
