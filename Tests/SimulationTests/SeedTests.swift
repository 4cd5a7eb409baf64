import Foundation
import PerennialSimulation
import Testing

/// Simulations from a few seeds. `SEED=42 CUSTOMERS=100 YEARS=1 swift test --filter SeedTests` replays another, and with
/// `COUNT=100` those that follow it. `make simulate` runs 24 seeds of more customers and years.
struct SeedTests {
    static let seeds: [UInt64] =
        number("SEED").map { Array($0..<$0 + (number("COUNT") ?? 1)) } ?? (isLong ? [1, 2, 3, 4, 5, 6] : [1, 2])
    private static let isLong = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] != nil
    static let customers = Int(number("CUSTOMERS") ?? 8)
    static let years = Int(number("YEARS") ?? 1)

    @Test(arguments: seeds)
    func `every rule holds`(seed: UInt64) async throws {
        let plan = SimulationPlan(seed: seed, customers: Self.customers, years: Self.years)
        try await Simulating.with { try await Self.expectRulesHold(plan, in: $0) }
    }

    @Test(arguments: seeds.prefix(isLong ? 3 : 1))
    func `every rule holds on PostgreSQL`(seed: UInt64) async throws {
        let plan = SimulationPlan(seed: seed, customers: Self.customers, years: Self.years)
        try await Simulating.withPostgreSQL { try await Self.expectRulesHold(plan, in: $0) }
    }

    private static func expectRulesHold(_ plan: SimulationPlan, in simulation: Simulation) async throws {
        let outcome = try await simulation.run(plan)
        guard let failure = outcome.failure else { return #expect(outcome.entries > 0) }
        let shortest = try await simulation.shorten(failure, of: plan)
        Issue.record("seed \(plan.seed), \(plan.setting): \(shortest.words)")
    }

    @Test func `the same seed makes the same journal`() async throws {
        let plan = SimulationPlan(seed: 7, customers: 6, years: 1)
        let digests = try await Simulating.with { simulation in
            [try await simulation.run(plan).digest, try await simulation.run(plan).digest]
        }
        #expect(digests[0] == digests[1])
        let other = try await Simulating.with {
            try await $0.run(SimulationPlan(seed: 8, customers: 6, years: 1)).digest
        }
        #expect(other != digests[0])
    }
}
