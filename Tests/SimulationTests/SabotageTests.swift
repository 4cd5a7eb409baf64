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
    func `a broken rule is noticed in ten seconds, and its history is short`(
        sabotage: Sabotage, rules: Set<Violation.Rule>
    ) async throws {
        try await Simulating.with(sabotage) { simulation in
            let plan = SimulationPlan(seed: 11, customers: 10, years: 1)
            let clock = ContinuousClock()
            let start = clock.now
            let failure = try #require(try await simulation.run(plan).failure, "\(sabotage) went unnoticed")
            #expect(clock.now - start < Self.noticed)
            #expect(rules.contains(failure.violation.rule), "\(failure.violation)")
            let shortest = try await simulation.shorten(failure, of: plan, runsMax: 60)
            #expect(shortest.steps.count <= 12, "\(shortest.words)")
        }
    }
}
