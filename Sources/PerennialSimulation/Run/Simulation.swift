import Perennial
import PerennialStore

/// Runs plans against the store's own code.
package struct Simulation: Sendable {
    /// Steps between two looks at everything, at least.
    static let stepsBetweenAudits = 2_000
    /// The same for each customer there is by then: looking at all of them must not be most of the work.
    static let stepsBetweenAuditsEach = 10

    /// How far a run has got.
    package struct Progress: Sendable {
        package var done: Int
        package var total: Int
        package var entries: Int64
    }

    /// What came of a run.
    package struct Outcome: Sendable {
        package var steps = 0
        package var answers = 0
        package var refusals = 0
        package var entries: Int64 = 0
        package var transactions = 0
        package var end = World.opening
        /// SHA-256 of the journal as text, in hexadecimal.
        package var digest = ""
        package var failure: Failure?
    }

    /// A rule that was broken, and what led to it.
    package struct Failure: Sendable {
        package var violation: Violation
        /// The steps up to the one after which it was noticed.
        package var steps: [Step]
    }

    let signing: Signing
    let databases: SimulationDatabases
    let sabotage: Sabotage?

    /// - Parameters:
    ///   - sabotage: For tests of the simulator: a rule that is broken on purpose.
    package init(signing: Signing, databases: SimulationDatabases, sabotage: Sabotage? = nil) {
        self.signing = signing
        self.databases = databases
        self.sabotage = sabotage
    }

    /// Runs a plan to its end, or to the first broken rule.
    package func run(
        _ plan: SimulationPlan, progress: @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Outcome {
        let world = try await World(
            plan.setting, seed: plan.seed, databases: databases, signing: signing, sabotage: sabotage)
        do {
            let outcome = try await world.live(plan, progress)
            await world.close()
            return outcome
        } catch {
            await world.close()
            throw error
        }
    }
}

extension World {
    /// Does all steps, with a look at the world after each.
    func live(
        _ plan: SimulationPlan, _ progress: @Sendable (Simulation.Progress) -> Void
    ) async throws -> Simulation.Outcome {
        var auditor = Auditor(try await environment())
        var outcome = Simulation.Outcome()
        var audited = 0
        do {
            for step in plan.steps {
                outcome.steps += 1
                try await perform(step)
                try await auditor.check(after: step, in: self)
                let interval = max(
                    Simulation.stepsBetweenAudits, memory.customers.count * Simulation.stepsBetweenAuditsEach)
                if outcome.steps - audited >= interval {
                    try await auditor.checkEverything(in: self)
                    audited = outcome.steps
                }
                progress(
                    Simulation.Progress(
                        done: outcome.steps, total: plan.steps.count, entries: auditor.replay.digest.last))
            }
            try await auditor.checkEverything(in: self)
        } catch let violation as Violation {
            outcome.failure = Simulation.Failure(
                violation: violation, steps: Array(plan.steps.prefix(outcome.steps)))
        }
        outcome.answers = memory.answers
        outcome.refusals = memory.refusals
        outcome.entries = auditor.replay.digest.last
        outcome.transactions = auditor.replay.told.count
        outcome.digest = auditor.replay.digest.text
        outcome.end = try await now()
        return outcome
    }
}
