import Perennial
import PerennialDelivery
import PerennialStorage
import TestSupport
import Testing

struct CustomerTermsTests {
    @Test(arguments: GrantTests.engines)
    func `a term is the customer's on all devices`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        fixture.store.tell("phone", [bought("pass.1month", 1)])
        fixture.store.tell("tablet", [])
        fixture.now.value = Instant(seconds: 1_768_867_200)  // 2026-01-20
        let first = try await fixture.grant("phone", fixture.customer("ann"))
        #expect(first.terms.map(\.end) == [Instant(rfc3339: "2026-02-01T00:00:00Z")])
        #expect(first.contents.map(\.content.id.rawValue) == ["issue-1", "archive"])
        #expect(first.refused.isEmpty)

        let elsewhere = try await fixture.grant("tablet", fixture.customer("ann"))
        #expect(elsewhere.terms == first.terms)
        let terms = try await fixture.delivery.terms(customerToken: fixture.customer("ann"))
        #expect(terms.terms == first.terms)
        #expect(terms.contents.map(\.content.id.rawValue) == ["issue-1", "archive"])
        let archive = try await fixture.delivery.authorize(Content.ID(rawValue: "archive"), grant: terms.token)
        #expect(archive.customer == "ann")
        let stranger = try await fixture.delivery.terms(customerToken: fixture.customer("bob"))
        #expect(stranger.terms.isEmpty && stranger.contents.isEmpty)
    }

    @Test func `a non-renewing purchase without a customer is refused`() async throws {
        let fixture = try DeliveryFixture()
        fixture.store.tell("r", [bought("pass.1month", 1), bought("filter", 2)])
        let grant = try await fixture.grant("r")
        #expect(grant.refused.map(\.code) == [.customerNeeded])
        #expect(grant.contents.map(\.content.id.rawValue) == ["filter"])
        #expect(grant.terms.isEmpty)
    }

    @Test(arguments: GrantTests.engines)
    func `a transaction belongs to the customer who brought it first`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        fixture.store.tell("r", [bought("pass.1month", 1)])
        _ = try await fixture.grant("r", fixture.customer("ann"))
        let grant = try await fixture.grant("r", fixture.customer("bob"))
        #expect(grant.refused.map(\.code) == [.belongsToAnother])
        #expect(grant.terms.isEmpty && grant.contents.isEmpty)
        #expect(try await fixture.grant("r", fixture.customer("ann")).terms.count == 1)
    }

    @Test func `one transaction ID in two environments is two purchases`() async throws {
        let fixture = try DeliveryFixture()
        fixture.store.tell("sandbox", [bought("pass.1month", 1)])
        fixture.store.tell("production", [bought("pass.1month", 1, on: "2026-03-01")], environment: .production)
        #expect(try await fixture.grant("sandbox", fixture.customer("ann")).terms.count == 1)
        #expect(try await fixture.grant("production", fixture.customer("bob")).terms.count == 1)
        #expect(try await fixture.delivery.terms(customerToken: fixture.customer("ann")).terms.count == 1)
    }

    @Test func `a purchase without a term counts once its term is configured`() async throws {
        let fixture = try DeliveryFixture()
        fixture.store.tell("r", [bought("pass.gold", 1)])
        let refused = try await fixture.grant("r", fixture.customer("ann"))
        #expect(refused.refused.map(\.code) == [.termUnknown])
        #expect(refused.refused.first?.reason.contains("pass.gold") == true)
        #expect(refused.contents.isEmpty)
        fixture.policy.value.terms = TermRules(configured: [Product.ID(rawValue: "pass.gold"): .year])
        let terms = try await fixture.delivery.terms(customerToken: fixture.customer("ann"))
        #expect(terms.terms.map(\.end) == [Instant(rfc3339: "2027-01-01T00:00:00Z")])
        #expect(terms.contents.map(\.content.id.rawValue) == ["archive"])
    }

    @Test func `the seller chooses between refusing an overlap and queueing it`() async throws {
        let fixture = try DeliveryFixture()
        fixture.store.tell("r", [bought("pass.1month", 1), bought("pass.1month", 2, on: "2026-01-10")])
        let extended = try await fixture.grant("r", fixture.customer("ann"))
        #expect(extended.terms.map(\.start.milliseconds) == [1_767_225_600_000, 1_769_904_000_000])
        fixture.policy.value.overlap = .refuse
        let refused = try await fixture.grant("r", fixture.customer("ann"))
        #expect(refused.terms.count == 1)
        #expect(refused.refused.map(\.code) == [.overlaps])
    }

    @Test(arguments: GrantTests.engines)
    func `a refund ends the term, from a receipt or a notification`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        fixture.store.tell("r", [bought("pass.1month", 1)])
        _ = try await fixture.grant("r", fixture.customer("ann"))
        fixture.store.tell("r", [bought("pass.1month", 1, cancelled: "2026-01-05")])
        #expect(try await fixture.grant("r").refused.map(\.code) == [.customerNeeded])
        let terms = try await fixture.delivery.terms(customerToken: fixture.customer("ann"))
        #expect(terms.terms.isEmpty && terms.contents.isEmpty)
        #expect(terms.refused.map(\.code) == [.revoked])
        // An older copy of the receipt doesn't bring the term back.
        fixture.store.tell("r", [bought("pass.1month", 1)])
        #expect(try await fixture.grant("r", fixture.customer("ann")).terms.isEmpty)
    }

    @Test(arguments: GrantTests.engines)
    func `after a reversal a later term follows the restored one`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        fixture.policy.value.overlap = .refuse
        let ann = try await fixture.customer("ann")
        fixture.store.tell("first", [bought("pass.1month", 1)])
        _ = try await fixture.grant("first", ann)
        fixture.store.tell("refunded", [bought("pass.1month", 1, cancelled: "2026-01-05")])
        _ = try await fixture.grant("refunded", ann)
        let second = bought("pass.1month", 2, on: "2026-01-10")
        fixture.store.tell("second", [bought("pass.1month", 1, cancelled: "2026-01-05"), second])
        #expect(try await fixture.grant("second", ann).terms.map(\.transactionID.rawValue) == [2])
        // The refund is undone, which a receipt tells that is newer than it.
        var again = bought("pass.1month", 1)
        again.reportedDate = Instant(rfc3339: "2026-01-12T00:00:00Z")
        fixture.store.tell("newer", [again, second])
        let grant = try await fixture.grant("newer", ann)
        #expect(grant.refused.isEmpty)
        #expect(grant.terms.map { String($0.end.rfc3339().prefix(10)) } == ["2026-02-01", "2026-03-01"])
        #expect(try await fixture.delivery.terms(customerToken: ann).terms == grant.terms)
        // One that is bought since overlaps, as before.
        fixture.store.tell("third", [again, second, bought("pass.1month", 3, on: "2026-02-20")])
        #expect(try await fixture.grant("third", ann).refused.map(\.code) == [.overlaps])
    }

    @Test(arguments: GrantTests.engines)
    func `terms that end soon are found`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        for (index, (name, date)) in [("ann", "2026-01-05"), ("bob", "2026-01-01"), ("cid", "2026-01-20")].enumerated()
        {
            fixture.store.tell(name, [bought("pass.1month", Int64(index), on: date)])
            _ = try await fixture.grant(name, fixture.customer(name))
        }
        fixture.now.value = Instant(seconds: 1_769_731_200)  // 2026-01-30
        let expiring = try await fixture.delivery.expiringTerms(within: .days(7), DeliveryFixture.sandbox)
        #expect(expiring.map(\.customer) == ["bob", "ann"])
        fixture.now.value = Instant(seconds: 1_769_904_000)  // 2026-02-01: bob's has ended
        #expect(
            try await fixture.delivery.expiringTerms(within: .days(7), DeliveryFixture.sandbox).map(\.customer) == [
                "ann"
            ])
    }
}
