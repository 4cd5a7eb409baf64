import Perennial
import PerennialDelivery
import TestSupport
import Testing

struct SessionTests {
    @Test(arguments: GrantTests.engines)
    func `a new name is registered with its first password`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        func open(_ name: String, _ password: String) async throws -> String {
            try await fixture.delivery.openSession(
                customer: name, password: password, bundleID: DeliveryFixture.magazine)
        }
        let first = try await open("ann", "one")
        #expect(try await open("ann", "one") != first)
        await #expect(throws: DeliveryError(.unauthorized, "", "")) { try await open("ann", "two") }
        _ = try await open("Ann", "two")
    }

    @Test func `a session lasts thirty days`() async throws {
        let fixture = try DeliveryFixture()
        let token = try await fixture.customer("ann")
        fixture.now.value = fixture.now.value + (.days(30) - 1)
        _ = try await fixture.delivery.terms(customerToken: token)
        fixture.now.value = fixture.now.value + 1
        await #expect(throws: DeliveryError(.unauthorized, "", "")) {
            try await fixture.delivery.terms(customerToken: token)
        }
    }

    @Test func `a grant is no session`() async throws {
        let fixture = try DeliveryFixture()
        fixture.store.tell("r", [])
        let grant = try await fixture.grant("r")
        for token in [grant.token, "", "a.b", "AA.Lw"] {
            await #expect(throws: DeliveryError(.unauthorized, "", "")) {
                try await fixture.delivery.terms(customerToken: token)
            }
        }
    }

    @Test(arguments: ["", String(repeating: "n", count: 256), "a\0b"])
    func `names that are empty, too long or with a NUL are refused`(name: String) async throws {
        let fixture = try DeliveryFixture()
        await #expect(throws: DeliveryError(.malformedRequest, "", "")) { try await fixture.customer(name) }
    }

    @Test func `of two concurrent registrations of a name one succeeds`() async throws {
        let fixture = try DeliveryFixture()
        let admitted = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let token = try? await fixture.delivery.openSession(
                        customer: "ann", password: "password \(number)", bundleID: DeliveryFixture.magazine)
                    return token != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(admitted == 1)
    }
}
