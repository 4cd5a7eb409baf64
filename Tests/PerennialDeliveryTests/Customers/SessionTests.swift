import Perennial
import PerennialDelivery
import TestSupport
import Testing

struct SessionTests {
    @Test(arguments: GrantTests.engines)
    func `a name is registered with its first password, which it needs from then on`(engine: Engine) async throws {
        let world = try DeliveryWorld(engine)
        func open(_ name: String, _ password: String) async throws -> String {
            try await world.delivery.openSession(customer: name, password: password, bundleID: DeliveryWorld.magazine)
        }
        let first = try await open("ann", "one")
        #expect(try await open("ann", "one") != first)
        await #expect(throws: DeliveryError(.unauthorized, "", "")) { try await open("ann", "two") }
        _ = try await open("Ann", "two")
    }

    @Test func `a session lasts thirty days`() async throws {
        let world = try DeliveryWorld()
        let token = try await world.customer("ann")
        world.now.value = world.now.value + (.days(30) - 1)
        _ = try await world.delivery.terms(customerToken: token)
        world.now.value = world.now.value + 1
        await #expect(throws: DeliveryError(.unauthorized, "", "")) {
            try await world.delivery.terms(customerToken: token)
        }
    }

    @Test func `a grant is no session`() async throws {
        let world = try DeliveryWorld()
        world.store.tell("r", [])
        let grant = try await world.grant("r")
        for token in [grant.token, "", "a.b", "AA.Lw"] {
            await #expect(throws: DeliveryError(.unauthorized, "", "")) {
                try await world.delivery.terms(customerToken: token)
            }
        }
    }

    @Test(arguments: ["", String(repeating: "n", count: 256), "a\0b"])
    func `a name has a length and no NUL`(name: String) async throws {
        let world = try DeliveryWorld()
        await #expect(throws: DeliveryError(.malformedRequest, "", "")) { try await world.customer(name) }
    }

    @Test func `two who register a name at once don't share it`() async throws {
        let world = try DeliveryWorld()
        let admitted = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let token = try? await world.delivery.openSession(
                        customer: "ann", password: "password \(number)", bundleID: DeliveryWorld.magazine)
                    return token != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(admitted == 1)
    }
}
