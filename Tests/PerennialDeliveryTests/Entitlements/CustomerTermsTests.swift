import Perennial
import PerennialDelivery
import PerennialStorage
import TestSupport
import Testing

struct CustomerTermsTests {
    @Test(arguments: GrantTests.engines)
    func `a term is the customer's on all devices`(engine: Engine) async throws {
        let world = try DeliveryWorld(engine)
        world.store.tell("phone", [bought("pass.1month", 1)])
        world.store.tell("tablet", [])
        world.now.value = Instant(seconds: 1_768_867_200)  // 2026-01-20
        let first = try await world.grant("phone", world.customer("ann"))
        #expect(first.terms.map(\.end) == [Instant(rfc3339: "2026-02-01T00:00:00Z")])
        #expect(first.contents.map(\.content.id.rawValue) == ["issue-1", "archive"])
        #expect(first.refused.isEmpty)

        let elsewhere = try await world.grant("tablet", world.customer("ann"))
        #expect(elsewhere.terms == first.terms)
        let terms = try await world.delivery.terms(customerToken: world.customer("ann"))
        #expect(terms.terms == first.terms)
        #expect(terms.contents.map(\.content.id.rawValue) == ["issue-1", "archive"])
        let archive = try await world.delivery.authorize(Content.ID(rawValue: "archive"), grant: terms.token)
        #expect(archive.customer == "ann")
        let stranger = try await world.delivery.terms(customerToken: world.customer("bob"))
        #expect(stranger.terms.isEmpty && stranger.contents.isEmpty)
    }

    @Test func `without a customer a non-renewing purchase is refused by name`() async throws {
        let world = try DeliveryWorld()
        world.store.tell("r", [bought("pass.1month", 1), bought("filter", 2)])
        let grant = try await world.grant("r")
        #expect(grant.refused.map(\.code) == [.customerNeeded])
        #expect(grant.contents.map(\.content.id.rawValue) == ["filter"])
        #expect(grant.terms.isEmpty)
    }

    @Test(arguments: GrantTests.engines)
    func `a transaction belongs to the customer who brought it first`(engine: Engine) async throws {
        let world = try DeliveryWorld(engine)
        world.store.tell("r", [bought("pass.1month", 1)])
        _ = try await world.grant("r", world.customer("ann"))
        let grant = try await world.grant("r", world.customer("bob"))
        #expect(grant.refused.map(\.code) == [.belongsToAnother])
        #expect(grant.terms.isEmpty && grant.contents.isEmpty)
        #expect(try await world.grant("r", world.customer("ann")).terms.count == 1)
    }

    @Test func `the same transaction in production and sandbox are two`() async throws {
        let world = try DeliveryWorld()
        world.store.tell("sandbox", [bought("pass.1month", 1)])
        world.store.tell("production", [bought("pass.1month", 1, on: "2026-03-01")], environment: .production)
        #expect(try await world.grant("sandbox", world.customer("ann")).terms.count == 1)
        #expect(try await world.grant("production", world.customer("bob")).terms.count == 1)
        #expect(try await world.delivery.terms(customerToken: world.customer("ann")).terms.count == 1)
    }

    @Test func `a product without a term is kept, and counts once the configuration gives one`() async throws {
        let world = try DeliveryWorld()
        world.store.tell("r", [bought("pass.gold", 1)])
        let refused = try await world.grant("r", world.customer("ann"))
        #expect(refused.refused.map(\.code) == [.termUnknown])
        #expect(refused.refused.first?.reason.contains("pass.gold") == true)
        #expect(refused.contents.isEmpty)
        world.policy.value.terms = TermRules(configured: [Product.ID(rawValue: "pass.gold"): .year])
        let terms = try await world.delivery.terms(customerToken: world.customer("ann"))
        #expect(terms.terms.map(\.end) == [Instant(rfc3339: "2027-01-01T00:00:00Z")])
        #expect(terms.contents.map(\.content.id.rawValue) == ["archive"])
    }

    @Test func `the seller chooses between refusing an overlap and queueing it`() async throws {
        let world = try DeliveryWorld()
        world.store.tell("r", [bought("pass.1month", 1), bought("pass.1month", 2, on: "2026-01-10")])
        let extended = try await world.grant("r", world.customer("ann"))
        #expect(extended.terms.map(\.start.milliseconds) == [1_767_225_600_000, 1_769_904_000_000])
        world.policy.value.overlap = .refuse
        let refused = try await world.grant("r", world.customer("ann"))
        #expect(refused.terms.count == 1)
        #expect(refused.refused.map(\.code) == [.overlaps])
    }

    @Test(arguments: GrantTests.engines)
    func `a refund takes the term away, whoever brings the news`(engine: Engine) async throws {
        let world = try DeliveryWorld(engine)
        world.store.tell("r", [bought("pass.1month", 1)])
        _ = try await world.grant("r", world.customer("ann"))
        world.store.tell("r", [bought("pass.1month", 1, cancelled: "2026-01-05")])
        #expect(try await world.grant("r").refused.map(\.code) == [.customerNeeded])
        let terms = try await world.delivery.terms(customerToken: world.customer("ann"))
        #expect(terms.terms.isEmpty && terms.contents.isEmpty)
        #expect(terms.refused.map(\.code) == [.revoked])
        // An older copy of the receipt doesn't bring the term back.
        world.store.tell("r", [bought("pass.1month", 1)])
        #expect(try await world.grant("r", world.customer("ann")).terms.isEmpty)
    }

    @Test(arguments: GrantTests.engines)
    func `a term bought while the one before was refunded follows it when that is undone`(engine: Engine) async throws {
        let world = try DeliveryWorld(engine)
        world.policy.value.overlap = .refuse
        let ann = try await world.customer("ann")
        world.store.tell("first", [bought("pass.1month", 1)])
        _ = try await world.grant("first", ann)
        world.store.tell("refunded", [bought("pass.1month", 1, cancelled: "2026-01-05")])
        _ = try await world.grant("refunded", ann)
        let second = bought("pass.1month", 2, on: "2026-01-10")
        world.store.tell("second", [bought("pass.1month", 1, cancelled: "2026-01-05"), second])
        #expect(try await world.grant("second", ann).terms.map(\.transactionID.rawValue) == [2])
        // The refund is undone, which a receipt tells that is newer than it.
        var again = bought("pass.1month", 1)
        again.reportedDate = Instant(rfc3339: "2026-01-12T00:00:00Z")
        world.store.tell("newer", [again, second])
        let grant = try await world.grant("newer", ann)
        #expect(grant.refused.isEmpty)
        #expect(grant.terms.map { String($0.end.rfc3339().prefix(10)) } == ["2026-02-01", "2026-03-01"])
        #expect(try await world.delivery.terms(customerToken: ann).terms == grant.terms)
        // One that is bought since overlaps, as before.
        world.store.tell("third", [again, second, bought("pass.1month", 3, on: "2026-02-20")])
        #expect(try await world.grant("third", ann).refused.map(\.code) == [.overlaps])
    }

    @Test(arguments: GrantTests.engines)
    func `terms that end soon are found for a reminder`(engine: Engine) async throws {
        let world = try DeliveryWorld(engine)
        for (index, (name, date)) in [("ann", "2026-01-05"), ("bob", "2026-01-01"), ("cid", "2026-01-20")].enumerated()
        {
            world.store.tell(name, [bought("pass.1month", Int64(index), on: date)])
            _ = try await world.grant(name, world.customer(name))
        }
        world.now.value = Instant(seconds: 1_769_731_200)  // 2026-01-30
        let expiring = try await world.delivery.expiringTerms(within: .days(7), DeliveryWorld.sandbox)
        #expect(expiring.map(\.customer) == ["bob", "ann"])
        world.now.value = Instant(seconds: 1_769_904_000)  // 2026-02-01: bob's has ended
        #expect(
            try await world.delivery.expiringTerms(within: .days(7), DeliveryWorld.sandbox).map(\.customer) == ["ann"])
    }
}
