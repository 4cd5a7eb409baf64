import PerennialSimulation
import Testing

/// Rules broken on purpose. A simulator that finds nothing may be looking at nothing.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SabotageTests {
    /// How long it may take until a broken rule is noticed.
    private static let noticed: Duration = .seconds(10)

    /// What each broken rule is noticed by; any of these is right.
    static let cases: [(Sabotage, Set<Violation.Rule>)] = [
        (.forgottenRenewal, [.paidTwice, .due, .journalAndTables]),
        (.droppedPosting, [.unbalanced]),
        (.forgottenUpgrade, [.paidTwice, .severalActive]),
        (.lostPurchase, [.paidTwice, .lostAnswer, .journalOrder, .journalAndTables]),
        (.forgottenKey, [.soldTwice]),
        (.keptAfterRefund, [.journalAndTables, .paidWithoutAccess]),
        (.forgottenDue, [.due]),
        (.forgottenWish, [.journalAndTables, .due, .wrongCharge]),
    ]

    @Test func `every sabotage there is has its test`() {
        #expect(Set(Self.cases.map(\.0)) == Set(Sabotage.allCases))
    }

    @Test(arguments: cases)
    func `a broken rule is noticed in ten seconds, and its history shortened`(
        sabotage: Sabotage, rules: Set<Violation.Rule>
    ) async throws {
        try await Simulating.with(sabotage) { simulation in
            let clock = ContinuousClock()
            let start = clock.now
            let (plan, failure) = try await firstFailure(of: simulation, until: start + Self.noticed)
            #expect(clock.now - start < Self.noticed)
            #expect(rules.contains(failure.violation.rule), "\(failure.violation)")
            let shortest = try await simulation.shorten(failure, of: plan, runsMax: 30)
            #expect(shortest.steps.count <= max(failure.steps.count / 2, 5), "\(shortest.words)")
        }
    }

    /// Seed after seed, as in CI.
    private func firstFailure(
        of simulation: Simulation, until end: ContinuousClock.Instant
    ) async throws -> (SimulationPlan, Simulation.Failure) {
        for seed in UInt64(11)... {
            let plan = SimulationPlan(seed: seed, customers: 10, years: 1)
            if let failure = try await simulation.run(plan).failure { return (plan, failure) }
            guard ContinuousClock.now < end else { break }
        }
        throw Unnoticed()
    }

    private struct Unnoticed: Error {}
}
