import Perennial
import PerennialSimulation
import PerennialStorage
import Synchronization
import Testing

/// Shortening a history that broke a rule.
@Suite(.timeLimit(.minutes(10)))
struct ShrinkingTests {
    @Test func `the shortest history breaks the same rule and needs each of its steps`() async throws {
        try await Simulating.with(.forgottenKey) { simulation in
            let plan = SimulationPlan(seed: 3, customers: 6, years: 1)
            let failure = try #require(try await simulation.run(plan).failure)
            let shortest = try await simulation.shorten(failure, of: plan)
            #expect(shortest.violation.rule == failure.violation.rule)
            #expect(shortest.steps.count < failure.steps.count)
            let again = SimulationPlan(seed: plan.seed, plan.setting, steps: shortest.steps)
            #expect(try await simulation.run(again).failure?.violation == shortest.violation)
            for index in shortest.steps.indices {
                var fewer = again
                fewer.steps.remove(at: index)
                let rule = try await simulation.run(fewer).failure?.violation.rule
                #expect(rule != shortest.violation.rule, "\(shortest.steps[index]) can be left out")
            }
        }
    }

    @Test func `faults that don't matter are removed`() async throws {
        let film = Product.ID(rawValue: "film")
        let steps = [
            SimulatedStep(.buy(0, film, key: 1), node: 1, fault: Fault(.crash, .afterCommit)),
            SimulatedStep(.advance(.days(3), works: true), fault: Fault(.error, .beforeCommit)),
            SimulatedStep(.buy(1, film, key: 2), fault: Fault(.error, .afterCommit)),
        ]
        try await Simulating.with(.droppedPosting) { simulation in
            // The mutation drops the commission of every seventh entry: enough purchases, each with a fault that changes nothing.
            // Customer 1 pays in euros. In yen the film costs one coin, which leaves no commission.
            let many = (0..<7).map {
                SimulatedStep(.buy(1, film, key: 10 + $0), node: 1, fault: Fault(.crash, .afterCommit))
            }
            let plan = SimulationPlan(steps: steps + many)
            let failure = try #require(try await simulation.run(plan).failure)
            let shortest = try await simulation.shorten(failure, of: plan, runsMax: 80)
            #expect(shortest.violation.rule == .unbalanced)
            #expect(shortest.steps.allSatisfy { $0.fault == nil && $0.node == 0 }, "\(shortest.words)")
        }
    }

    @Test func `customers that don't matter are left out first`() async throws {
        let (film, frame) = (Product.ID(rawValue: "film"), Product.ID(rawValue: "frame"))
        // Thirty customers, of whom two are a family.
        let others = (0..<90).map { SimulatedStep(.buy($0 % 30, film, key: $0)) }
        let family: [SimulatedAction] = [.foundFamily(0), .joinFamily(1, 0), .buy(0, frame, key: 100), .leaveFamily(1)]
        try await Simulating.with(.keptAfterLeaving) { simulation in
            let plan = SimulationPlan(steps: others + family.map { SimulatedStep($0) })
            let failure = try #require(try await simulation.run(plan).failure)
            let shortest = try await simulation.shorten(failure, of: plan, runsMax: 12)
            #expect(Set(shortest.steps.compactMap(\.action.person)) == [0, 1], "\(shortest.words)")
        }
    }

    @Test func `a search that is ended returns the shortest history so far`() async throws {
        try await Simulating.with(.forgottenKey) { simulation in
            let plan = SimulationPlan(seed: 3, customers: 6, years: 1)
            let failure = try #require(try await simulation.run(plan).failure)
            let asked = Atomic(0)
            let same = try await simulation.shorten(failure, of: plan, shouldContinue: { false })
            #expect(same.steps.count == failure.steps.count)
            let shorter = try await simulation.shorten(
                failure, of: plan, shouldContinue: { asked.add(1, ordering: .relaxed).newValue < 6 })
            #expect(asked.load(ordering: .relaxed) == 6)
            #expect(shorter.violation.rule == failure.violation.rule)
            #expect(shorter.steps.count < failure.steps.count)
        }
    }

    @Test func `a plan that breaks no rule runs to its end`() async throws {
        let plan = SimulationPlan(seed: 5, customers: 3, years: 1)
        let outcome = try await Simulating.with { try await $0.run(plan) }
        #expect(outcome.failure == nil)
        #expect(outcome.steps == plan.steps.count)
    }
}
