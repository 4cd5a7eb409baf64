import Perennial
import PerennialSimulation
import PerennialStore
import Testing

/// Advances with thousands of renewals: more IDs than a block has, more steps than a transaction has.
struct LongAdvanceTests {
    private static let customers = 12
    private static let weeks = 365

    /// Limits that every batch exceeds.
    private static var low: WorkLimits {
        var limits = WorkLimits()
        limits.idBlockSize = 8
        limits.renewalBatch = 5
        limits.stepsInTransaction = 7
        return limits
    }

    @Test(arguments: [WorkLimits(), low])
    func `one advance renews 4,380 times with any limits of a transaction`(limits: WorkLimits) async throws {
        let weekly = Product.ID(rawValue: "bronze.week")
        let steps = (0..<Self.customers).map { SimulatedStep(.buy($0, weekly, key: $0)) }
        let advance = SimulatedStep(.advance(.days(Int64(7 * Self.weeks)), works: true))
        let plan = SimulationPlan(.init(limits: limits, hasUnreadableRow: true), steps: steps + [advance])
        let outcome = try await Simulating.with { try await $0.run(plan) }
        #expect(outcome.failure == nil, "\(outcome.failure?.words ?? "")")
        // Each customer's first period and its renewals, and the purchase of the unreadable subscription.
        #expect(outcome.transactions >= Self.customers * (1 + Self.weeks) + 1)
    }
}
