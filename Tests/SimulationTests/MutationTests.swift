import Foundation
import Perennial
import PerennialSimulation
import PerennialStore
import Testing

/// Defects introduced on purpose, which the simulator has to detect.
///
/// The time limit counts from the start of all tests, so it is generous.
@Suite(.timeLimit(.minutes(30)))
struct MutationTests {
    /// Seeds within which a mutation is detected: on an idle machine all of them take less than ten seconds.
    private static let seeds = UInt64(11)...20

    /// Mutations with shortened histories: all of them in `make test-long`.
    private static let shortened: Set<Mutation> =
        ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil
        ? [.droppedPosting] : Set(Mutation.allCases)

    /// Rules that detect each mutation; any of these is right.
    static let cases: [(Mutation, Set<Violation.Rule>)] = [
        (.forgottenRenewal, [.paidTwice, .due, .journalAndTables]),
        (.droppedPosting, [.unbalanced]),
        (.forgottenUpgrade, [.paidTwice, .severalActive]),
        (.lostPurchase, [.paidTwice, .lostAnswer, .journalOrder, .journalAndTables]),
        (.forgottenKey, [.soldTwice]),
        (.keptAfterRefund, [.journalAndTables, .paidWithoutAccess]),
        (.keptRepeat, [.accessWithoutReason]),
        (.otherCommission, [.wrongRefund]),
        (.forgottenDue, [.due]),
        (.ignoredAutoRenewOff, [.journalAndTables, .due, .wrongCharge, .wrongReceipt]),
        (.keptAfterLeaving, [.accessWithoutReason, .paidWithoutAccess, .journalAndTables]),
        (.forgottenShare, [.accessWithoutReason, .paidWithoutAccess]),
        (.openRefundedPeriod, [.wrongReceipt]),
        (.forgottenFamilyTrial, [.offerAgain, .wrongCharge]),
        (.reopenedApproval, [.soldTwice]),
        (.orderedByID, [.wrongReceipt]),
        (.sharedIDBlock, [.unexpectedError]),
        (.singleIDBlock, [.unexpectedError]),
        (.droppedAfterBatch, [.due]),
        (.droppedAtTarget, [.due]),
        (.unreadableRowStops, [.unexpectedError]),
        (.endlessClockLease, [.stepLimitExceeded]),
        (.clockAheadOfWork, [.clock, .due, .unexpectedError]),
        (.skippedInRollUp, [.wrongRollUp]),
        (.repeatedInRollUp, [.wrongRollUp]),
        (.wrongClosing, [.wrongClosing]),
        (.staleCatalog, [.wrongCatalog]),
        (.lostEdit, [.wrongCatalog, .wrongCharge, .soldUnavailable, .unexpectedError]),
        (.unrecordedEdit, [.wrongCatalog]),
    ]

    /// Histories for mutations of rare events, which few seeds meet, and for those that random histories meet beside other
    /// events: their steps leave one rule to find them.
    private static let histories: [Mutation: SimulationPlan] = [
        .forgottenFamilyTrial: plan([
            .foundFamily(0), .joinFamily(1, 0), .buy(0, Product.ID(rawValue: "gold.month"), key: 1),
            .advance(.days(3), works: true), .buy(1, Product.ID(rawValue: "gold.month"), key: 2),
        ]),
        .reopenedApproval: plan([
            .signIn(0, device: 0), .ask(0, Product.ID(rawValue: "film"), key: nil), .answer(0, approved: true),
            .answer(0, approved: true),
        ]),
        // The second purchase is a free repeat of the first.
        .keptRepeat: plan([
            .buy(0, Product.ID(rawValue: "filter"), key: 1), .buy(0, Product.ID(rawValue: "filter"), key: 2),
            .refund(0, 0, .full),
        ]),
        .wrongClosing: plan([
            .buy(0, Product.ID(rawValue: "film"), key: 1), .buy(1, Product.ID(rawValue: "film"), key: 2),
            .advance(.days(40), works: true), .finance(.loadRates(1)), .finance(.close(atMost: 3)),
        ]),
        // The catalog is audited on the nodes in turn, so the third edit is the first that a node sees after another.
        .staleCatalog: plan(
            (1...3).map {
                .edit(
                    .price(
                        Product.ID(rawValue: "film"), point: $0, Storefront(rawValue: "USA"), days: 0,
                        preserves: false))
            }),
        // Twelve renewals in a batch take 24 IDs.
        .singleIDBlock: plan(
            (0..<12).map { SimulatedAction.buy($0, Product.ID(rawValue: "bronze.week"), key: $0) } + [
                SimulatedAction.advance(.days(30), works: true)
            ],
            idBlockSize: 16),
    ]

    private static func plan(_ actions: [SimulatedAction], idBlockSize: Int64? = nil) -> SimulationPlan {
        var setting = SimulationPlan.Setting()
        if let idBlockSize { setting.limits.idBlockSize = idBlockSize }
        return SimulationPlan(setting, steps: actions.map { SimulatedStep($0) })
    }

    private static func plans(for mutation: Mutation) -> [SimulationPlan] {
        if let history = histories[mutation] { return [history] }
        return seeds.map { SimulationPlan(seed: $0, customers: 10, years: 1) }
    }

    @Test func `a history without a mutation breaks no rule`() async throws {
        for plan in Self.histories.values {
            let outcome = try await Simulating.with { try await $0.run(plan) }
            #expect(outcome.failure == nil, "\(outcome.failure?.words ?? "")")
        }
    }

    @Test func `every mutation has a test`() {
        #expect(Set(Self.cases.map(\.0)) == Set(Mutation.allCases))
    }

    @Test(arguments: cases)
    func `a mutation is detected within ten seeds`(
        mutation: Mutation, rules: Set<Violation.Rule>
    ) async throws {
        try await Simulating.with(mutation) { simulation in
            let (plan, failure) = try await firstFailure(of: simulation, mutation)
            #expect(rules.contains(failure.violation.rule), "\(failure.violation)")
            guard Self.shortened.contains(mutation) else { return }
            let shortest = try await simulation.shorten(failure, of: plan, runsMax: 30)
            #expect(shortest.steps.count <= max(failure.steps.count / 2, 5), "\(shortest.words)")
        }
    }

    /// Runs seed after seed, as in CI.
    private func firstFailure(
        of simulation: Simulation, _ mutation: Mutation
    ) async throws -> (SimulationPlan, Simulation.Failure) {
        for plan in Self.plans(for: mutation) {
            if let failure = try await simulation.run(plan).failure { return (plan, failure) }
        }
        throw NotDetected()
    }

    private struct NotDetected: Error {}
}
