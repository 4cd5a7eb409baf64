import Perennial

/// A world and everything that will be done to it: a function of seed, customers and years.
package struct SimulationPlan: Sendable {
    /// What may be asked for. Limits of ours: plans are held in memory.
    package static let customersAllowed = 1...100_000
    package static let yearsAllowed = 1...100

    /// Milliseconds: clocks that are set over the network differ by no more.
    private static let lags: [Int64] = [1, 300, 1_500, 20_000]

    package let seed: UInt64
    package let setting: Setting
    package var steps: [Step]

    /// The kind of world in which a plan takes place.
    package struct Setting: Hashable, Sendable, CustomStringConvertible {
        package var kind: StoreEnvironment.Kind
        package var clock: StoreEnvironment.Clock
        package var overlap: NonRenewingPolicy.Overlap
        /// Milliseconds by which the second node's clock is behind the first one's; clocks that run by themselves only.
        package var lag: Int64
        /// Days for which access goes on while a renewal can't be charged; 0 for none.
        package var graceDays: Int64

        package init(
            kind: StoreEnvironment.Kind = .production, clock: StoreEnvironment.Clock = .manual,
            overlap: NonRenewingPolicy.Overlap = .refuse, lag: Int64 = 0, graceDays: Int64 = 0
        ) {
            self.kind = kind
            self.clock = clock
            self.overlap = overlap
            self.lag = lag
            self.graceDays = graceDays
        }

        package var description: String {
            "\(kind.rawValue), \(clock.rawValue) clock"
                + (clock == .real && lag > 0 ? ", \(lag) ms behind on the second node" : "")
                + (graceDays > 0 ? ", \(graceDays) days of grace" : "")
        }

        /// A month of production is five minutes of sandbox.
        var pace: Int64 { kind == .production ? 1 : 8640 }
    }

    package init(seed: UInt64, customers: Int, years: Int) {
        var random = SeededRandom(seed: seed)
        let setting = Setting(
            kind: random.chance(75) ? .production : .sandbox, clock: random.chance(70) ? .manual : .real,
            overlap: random.chance(50) ? .refuse : .extend, lag: random.chance(50) ? 0 : random.pick(Self.lags),
            graceDays: random.chance(50) ? 0 : random.pick(BillingSettings.gracePeriodDays))
        var workload = Workload(setting, customers: customers, years: years, random: random)
        self.init(seed: seed, setting, steps: workload.steps())
    }

    package init(seed: UInt64 = 0, _ setting: Setting = Setting(), steps: [Step]) {
        self.seed = seed
        self.setting = setting
        self.steps = steps
    }

    /// A part of the plan, in the same world.
    func keeping(_ steps: [Step]) -> SimulationPlan {
        SimulationPlan(seed: seed, setting, steps: steps)
    }
}
