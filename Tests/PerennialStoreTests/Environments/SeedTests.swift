import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Seeded environments.
struct SeedTests {
    private static func lab(_ engine: Engine, seed: Int64?, before: Int = 0) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine)
        for number in 0..<before {
            _ = try await shop.registry.makeEnvironment("other-\(number)", kind: .sandbox, clock: .real, now: nil)
        }
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: .sandbox, clock: .manual, now: RenewalTests.start, seed: seed)
        return try await shop.environment("lab")
    }

    private static func history(_ lab: TestStore) async throws -> [String] {
        let (token, _) = try await lab.signIn("ann")
        let bought = try await lab.buy("monthly", as: "ann")
        _ = try await lab.store.clock.advance(to: RenewalTests.start + .minutes(20))
        return [token] + (try await RenewalTests.periods(lab, of: "ann").map(\.id.description)) + [
            bought.id.description
        ]
    }

    @Test(arguments: Engine.allCases)
    func `the same seed and calls give the same IDs and tokens`(engine: Engine) async throws {
        let one = try await Self.history(try await Self.lab(engine, seed: 42))
        let other = try await Self.history(try await Self.lab(engine, seed: 42, before: 3))
        #expect(one == other)
        #expect(one != (try await Self.history(try await Self.lab(engine, seed: 43))))
    }

    @Test func `seeded IDs look like unseeded ones`() async throws {
        let history = try await Self.history(try await Self.lab(.sqliteInMemory, seed: -1))
        #expect(history.dropFirst().allSatisfy { $0.count == 16 && $0.hasPrefix("2") })
    }

    @Test(arguments: Engine.allCases)
    func `no token is repeated after a restart`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        _ = try await shop.registry.makeEnvironment("lab", kind: .sandbox, clock: .real, now: nil, seed: 7)
        var tokens = [try await shop.environment("lab").signIn("ann", device: .phone).token]
        // A known customer's sign-in allocates no ID.
        for device in [TestDevice.tablet, .watch] {
            tokens.append(try await TestStore.open(shop.database, "lab").signIn("ann", device: device).token)
        }
        #expect(Set(tokens).count == 3)
    }

    @Test(arguments: Engine.allCases)
    func `concurrent openings of a seeded environment share IDs`(engine: Engine) async throws {
        let alone = try await Self.history(try await Self.lab(engine, seed: 42))
        let shop = try await TestStore.make(on: engine)
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: .sandbox, clock: .manual, now: RenewalTests.start, seed: 42)
        let labs = try await withThrowingTaskGroup(of: TestStore.self) { group in
            for _ in 0..<8 { group.addTask { try await shop.environment("lab") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(try await Self.history(labs[0]) == alone)
    }

    @Test(arguments: Engine.lasting)
    func `IDs allocated in a failed transaction are not skipped`(engine: Engine) async throws {
        let fault = TestFault()
        let shop = try await TestStore.make(on: engine, faults: { try fault.reach($0) })
        _ = try await shop.registry.makeEnvironment("lab", kind: .sandbox, clock: .real, now: nil, seed: 7)
        fault.inject(at: .beforeCommit)
        await #expect(throws: TestFault.InjectedError.self) { try await shop.environment("lab") }
        let one = try await shop.environment("lab").signIn("ann", device: .phone).token
        let other = try await TestStore.open(shop.database, "lab").signIn("ann", device: .tablet).token
        #expect(one != other)
    }
}
