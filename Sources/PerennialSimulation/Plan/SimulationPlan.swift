import Perennial
import PerennialStore

/// A setting and the steps that a simulation performs in it: a function of seed, customers and years.
package struct SimulationPlan: Sendable {
    /// Limit of ours, since plans are held in memory.
    package static let customersAllowed = 1...100_000
    package static let yearsAllowed = 1...100

    /// Lags of the second node's clock in milliseconds. Clocks that are set over the network differ by no more.
    private static let lags: [Int64] = [1, 300, 1_500, 20_000]

    package let seed: UInt64
    package let setting: Setting
    package var steps: [SimulatedStep]

    /// The environment, clocks and limits of a simulation.
    package struct Setting: Hashable, Sendable, CustomStringConvertible {
        package var kind: StoreEnvironment.Kind
        package var clock: StoreEnvironment.Clock
        package var overlap: NonRenewingPolicy.Overlap
        /// Milliseconds by which the second node's clock is behind the first one's; for real clocks only.
        package var lag: Int64
        /// Days of the billing grace period; 0 for none.
        package var graceDays: Int64
        /// Limits on the work of one transaction. Low ones split batches, and make transactions run out of IDs.
        package var limits: WorkLimits
        /// True if one subscription has a row that can't be read.
        package var hasUnreadableRow: Bool

        package init(
            kind: StoreEnvironment.Kind = .production, clock: StoreEnvironment.Clock = .manual,
            overlap: NonRenewingPolicy.Overlap = .refuse, lag: Int64 = 0, graceDays: Int64 = 0,
            limits: WorkLimits = WorkLimits(), hasUnreadableRow: Bool = false
        ) {
            self.kind = kind
            self.clock = clock
            self.overlap = overlap
            self.lag = lag
            self.graceDays = graceDays
            self.limits = limits
            self.hasUnreadableRow = hasUnreadableRow
        }

        package var description: String {
            "\(kind.rawValue), \(clock.rawValue) clock"
                + (clock == .real && lag > 0 ? ", \(lag) ms behind on the second node" : "")
                + (graceDays > 0 ? ", \(graceDays) days of grace" : "")
                + (limits == WorkLimits() ? "" : ", \(limits.words)")
                + (hasUnreadableRow ? ", one unreadable row" : "")
        }

        /// Factor by which subscriptions renew faster than in production: a month of the sandbox is five minutes.
        var renewalRate: Int64 { kind == .production ? 1 : 8640 }
    }

    package init(seed: UInt64, customers: Int, years: Int) {
        var random = SeededRandom(seed: seed)
        var setting = Setting(
            kind: random.chance(75) ? .production : .sandbox, clock: random.chance(70) ? .manual : .real,
            overlap: random.chance(50) ? .refuse : .extend, lag: random.chance(50) ? 0 : random.pick(Self.lags),
            graceDays: random.chance(50) ? 0 : random.pick(BillingSettings.gracePeriodDays))
        var workload = Workload(setting, customers: customers, years: years, random: random)
        var seller = SellerSteps(seed: seed, customers: customers)
        var steps = seller.inserted(into: workload.steps())
        let extras = Extras(seed: seed)
        setting.limits = extras.limits
        setting.hasUnreadableRow = extras.hasUnreadableRow
        if let years = extras.farAdvance {
            steps.append(SimulatedStep(.advance(.days(365 * years) / setting.renewalRate, works: true)))
        }
        var finances = FinanceSteps(seed: seed)
        steps = finances.inserted(into: steps)
        self.init(seed: seed, setting, steps: steps)
    }

    package init(seed: UInt64 = 0, _ setting: Setting = Setting(), steps: [SimulatedStep]) {
        self.seed = seed
        self.setting = setting
        self.steps = steps
    }

    /// Makes a plan in which the seller edits the catalog, and few customers buy.
    package static func edits(seed: UInt64, count: Int) -> SimulationPlan {
        var seller = SellerSteps(seed: seed, customers: 3)
        return SimulationPlan(seed: seed, steps: seller.alone(count))
    }

    /// Returns a plan with other steps in the same setting.
    func keeping(_ steps: [SimulatedStep]) -> SimulationPlan {
        SimulationPlan(seed: seed, setting, steps: steps)
    }
}

/// Choices that have random numbers of their own, so that the other steps of a seed don't depend on them.
private struct Extras {
    private static let salt: UInt64 = 0x123_4567
    /// IDs in a block: so few that blocks run out within batches. A block that doubles seven times is enough for the usual batch.
    private static let idBlockSizes: [Int64] = [16, 64]
    private static let batchSizes = [1, 2, 3, 8]
    private static let stepCounts = [1, 2, 5, 12]
    private static let rollUpBatches = [1, 7, 50]
    /// Years of an advance with many renewals.
    private static let farAdvances: [Int64] = [3, 10]

    var limits = WorkLimits()
    var hasUnreadableRow: Bool
    /// Years that the plan advances at its end; `nil` for none.
    var farAdvance: Int64?

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed ^ Self.salt)
        if random.chance(50) { limits.idBlockSize = random.pick(Self.idBlockSizes) }
        if random.chance(50) {
            limits.renewalBatch = random.pick(Self.batchSizes)
            limits.stepsInTransaction = random.pick(Self.stepCounts)
        }
        hasUnreadableRow = random.chance(25)
        farAdvance = random.chance(12) ? random.pick(Self.farAdvances) : nil
        if random.chance(50) { limits.rollUpBatch = random.pick(Self.rollUpBatches) }
    }
}

extension WorkLimits {
    /// The limits as a report names them.
    fileprivate var words: String {
        "\(idBlockSize) IDs in a block, \(renewalBatch) subscriptions and \(stepsInTransaction) steps in a transaction, "
            + "\(rollUpBatch) entries in a batch of roll-ups"
    }
}
