import PerennialSimulation
import Testing

/// Rules broken on purpose. A simulator that finds nothing may be looking at nothing.
@Suite(.timeLimit(.minutes(2)))
struct SabotageTests {
    /// What each broken rule is noticed by; any of these is right.
    static let cases: [(Sabotage, Set<Violation.Rule>)] = [
        (.forgottenRenewal, [.paidTwice, .due]),
        (.droppedPosting, [.unbalanced]),
        (.forgottenUpgrade, [.paidTwice, .severalActive]),
        (.lostPurchase, [.paidTwice, .lostAnswer, .journalOrder, .journalAndTables]),
        (.forgottenKey, [.soldTwice]),
        (.keptAfterRefund, [.journalAndTables, .paidWithoutAccess]),
        (.forgottenDue, [.due]),
    ]

    @Test(arguments: cases)
    func `a broken rule is noticed, and its history is short`(
        sabotage: Sabotage, rules: Set<Violation.Rule>
    ) async throws {
        try await Simulating.with(sabotage) { simulation in
            let plan = SimulationPlan(seed: 11, customers: 10, years: 1)
            let failure = try #require(try await simulation.run(plan).failure, "\(sabotage) went unnoticed")
            #expect(rules.contains(failure.violation.rule), "\(failure.violation)")
            let shortest = try await simulation.shorten(failure, of: plan, runsMax: 60)
            #expect(shortest.steps.count <= 12, "\(shortest.words)")
        }
    }
}
