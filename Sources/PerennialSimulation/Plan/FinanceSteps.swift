import Perennial
import PerennialStorage

/// Generates the steps of the finances: exchange rates, closings and adjustments.
///
/// It has random numbers of its own, so that the other steps of a seed don't depend on it.
struct FinanceSteps {
    private static let salt: UInt64 = 0xF15C_A100
    /// Steps of the finances in a hundred; 0 for a seed that closes no month.
    private static let rates = [0, 0, 1, 2]
    /// Months that a step closes at most: one, a few, or all of a long downtime.
    private static let limits = [1, 3, 30]

    private let rate: Int
    private var random: SeededRandom
    private var key = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed ^ Self.salt)
        rate = random.pick(Self.rates)
    }

    /// Returns the steps with those of the finances in between, and closings at the end.
    mutating func inserted(into steps: [SimulatedStep]) -> [SimulatedStep] {
        guard rate > 0 else { return steps }
        var all: [SimulatedStep] = []
        for step in steps {
            all.append(step)
            if random.chance(rate) { all.append(self.step()) }
        }
        return all + [
            SimulatedStep(.finance(.loadRates(random.below(100)))), SimulatedStep(.finance(.close(atMost: 30))),
        ]
    }

    private mutating func step() -> SimulatedStep {
        let action = SimulatedAction.finance(finance())
        var fault: Fault?
        if random.chance(20) {
            let kind: Fault.Kind =
                switch random.below(4) {
                case 0: .crash
                case 1: .interleave(.workOff)
                case 2: .interleave(.finance(.close(atMost: 3)))
                default: .error
                }
            fault = Fault(kind, random.chance(50) ? .beforeCommit : .afterCommit, commit: 1 + random.below(3))
        }
        return SimulatedStep(action, node: random.chance(30) ? 1 : 0, fault: fault)
    }

    private mutating func finance() -> FinanceStep {
        switch random.below(10) {
        case 0..<3: return .loadRates(random.below(100))
        case 3..<8: return .close(atMost: random.pick(Self.limits))
        default:
            key += 1
            return .adjust(key: key)
        }
    }
}
