import Foundation
import PerennialSimulation
import Testing

/// Rules broken on purpose. A simulator that finds nothing may be looking at nothing.
///
/// The limit is generous: the clock of each test runs from the start of all of them.
@Suite(.timeLimit(.minutes(30)))
struct SabotageTests {
    /// In how many seeds a broken rule is noticed: on an idle machine all of them take less than ten seconds.
    private static let seeds = UInt64(11)...20

    /// Whose histories are shortened too: all of them where there is time, `make test-long`.
    private static let shortened: Set<Sabotage> =
        ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil
        ? [.droppedPosting, .keptAfterRefund] : Set(Sabotage.allCases)

    /// What each broken rule is noticed by; any of these is right.
    static let cases: [(Sabotage, Set<Violation.Rule>)] = [
        (.forgottenRenewal, [.paidTwice, .due, .journalAndTables]),
        (.droppedPosting, [.unbalanced]),
        (.forgottenUpgrade, [.paidTwice, .severalActive]),
        (.lostPurchase, [.paidTwice, .lostAnswer, .journalOrder, .journalAndTables]),
        (.forgottenKey, [.soldTwice]),
        (.keptAfterRefund, [.journalAndTables, .paidWithoutAccess]),
        (.keptRepeat, [.accessWithoutReason, .journalAndTables, .wrongReceipt]),
        (.otherCommission, [.wrongRefund]),
        (.forgottenDue, [.due]),
        (.forgottenWish, [.journalAndTables, .due, .wrongCharge, .wrongReceipt]),
        (.keptAfterLeaving, [.accessWithoutReason, .paidWithoutAccess, .journalAndTables]),
        (.forgottenShare, [.accessWithoutReason, .paidWithoutAccess]),
        (.orderedByID, [.wrongReceipt]),
        (.sharedIDBlock, [.unexpectedError]),
    ]

    @Test func `every sabotage there is has its test`() {
        #expect(Set(Self.cases.map(\.0)) == Set(Sabotage.allCases))
    }

    @Test(arguments: cases)
    func `a broken rule is noticed within ten seeds, and its history shortened`(
        sabotage: Sabotage, rules: Set<Violation.Rule>
    ) async throws {
        try await Simulating.with(sabotage) { simulation in
            let (plan, failure) = try await firstFailure(of: simulation)
            #expect(rules.contains(failure.violation.rule), "\(failure.violation)")
            guard Self.shortened.contains(sabotage) else { return }
            let shortest = try await simulation.shorten(failure, of: plan, runsMax: 30)
            #expect(shortest.steps.count <= max(failure.steps.count / 2, 5), "\(shortest.words)")
        }
    }

    /// Seed after seed, as in CI.
    private func firstFailure(
        of simulation: Simulation
    ) async throws -> (SimulationPlan, Simulation.Failure) {
        for seed in Self.seeds {
            let plan = SimulationPlan(seed: seed, customers: 10, years: 1)
            if let failure = try await simulation.run(plan).failure { return (plan, failure) }
        }
        throw Unnoticed()
    }

    private struct Unnoticed: Error {}
}
