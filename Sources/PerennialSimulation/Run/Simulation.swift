import Perennial
import PerennialStore

/// Runs plans against the store's own code.
package struct Simulation: Sendable {
    /// Minimum steps between two audits of all customers.
    static let stepsBetweenAudits = 2_000
    /// Minimum steps between two audits of all customers, for each customer: audits must not be most of the work.
    static let stepsBetweenAuditsEach = 10

    /// Progress of a run.
    package struct Progress: Sendable {
        package var done: Int
        package var total: Int
        package var entries: Int64
    }

    /// Result of a run.
    package struct Outcome: Sendable {
        package var steps = 0
        package var answers = 0
        package var refusals = 0
        package var entries: Int64 = 0
        package var transactions = 0
        package var end = Deployment.startTime
        /// SHA-256 of the journal as text, in hexadecimal.
        package var digest = ""
        package var failure: Failure?
    }

    /// A broken rule, with the steps that led to it.
    package struct Failure: Sendable {
        package var violation: Violation
        /// Steps up to the one after which it was detected.
        package var steps: [SimulatedStep]
    }

    let signing: Signing
    let databases: SimulationDatabases
    let mutation: Mutation?

    /// - Parameters:
    ///   - mutation: A defect introduced on purpose, for tests of the simulator.
    package init(signing: Signing, databases: SimulationDatabases, mutation: Mutation? = nil) {
        self.signing = signing
        self.databases = databases
        self.mutation = mutation
    }

    /// Runs a plan to its end, or to the first broken rule.
    package func run(
        _ plan: SimulationPlan, progress: @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Outcome {
        let deployment = try await Deployment(
            plan.setting, seed: plan.seed, databases: databases, signing: signing, mutation: mutation)
        do {
            let outcome = try await deployment.run(plan, progress)
            await deployment.close()
            return outcome
        } catch {
            await deployment.close()
            throw error
        }
    }
}

extension Deployment {
    /// Performs all steps, with an audit after each.
    func run(
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
                    Simulation.stepsBetweenAudits, clients.customers.count * Simulation.stepsBetweenAuditsEach)
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
        outcome.answers = clients.answers
        outcome.refusals = clients.refusals
        outcome.entries = auditor.replay.digest.last
        outcome.transactions = auditor.replay.sales.count
        outcome.digest = auditor.replay.digest.text
        outcome.end = try await now()
        return outcome
    }
}
