import Perennial
import PerennialStorage

/// Generates actions of customers by their traits, and faults.
struct Workload {
    /// Average actions of a customer in a year.
    private static let actionsPerYear = 18
    private static let yearMilliseconds: Int64 = .days(365)
    /// Range of gaps between two actions, as a power of two: from the same second to the next season.
    private static let gapOctaves = 14
    /// Maximum jump to a boundary, in average gaps. Jumps come on top of the years.
    private static let maximumJumpGaps: Int64 = 8

    struct Traits {
        var changesOften: Bool
        var hasBadCard: Bool
        var asksForMoneyBack: Bool
    }

    private let setting: SimulationPlan.Setting
    private let years: Int
    private let profile: WorkloadProfile
    let people: [Traits]
    var random: SeededRandom
    var key = 0

    init(_ setting: SimulationPlan.Setting, customers: Int, years: Int, random: SeededRandom) {
        var random = random
        self.setting = setting
        self.years = years
        people = (0..<max(customers, 1)).map { _ in
            Traits(
                changesOften: random.chance(30), hasBadCard: random.chance(20), asksForMoneyBack: random.chance(15))
        }
        profile = WorkloadProfile(&random)
        self.random = random
    }

    /// Makes all steps: actions, and gaps between them that add up to the years.
    mutating func steps() -> [SimulatedStep] {
        let count = people.count * years * Self.actionsPerYear
        let weights = (0..<count).map { _ in random.chance(35) ? 0 : Int64(1) << random.below(Self.gapOctaves) }
        let total = max(weights.reduce(0, +), 1)
        let span = Self.yearMilliseconds / setting.renewalRate * Int64(years)
        let jumps = Set((0..<years * 2).map { _ in random.below(count) })
        // A third of the time passes in jumps over months.
        let jump = jumps.isEmpty ? 0 : span / 3 / Int64(jumps.count)
        var steps: [SimulatedStep] = []
        for (index, weight) in weights.enumerated() {
            let gap =
                (span - jump * Int64(jumps.count)).fraction(weight, of: total) + (jumps.contains(index) ? jump : 0)
            if gap > 0 { steps.append(step(.advance(gap, works: setting.clock == .manual || random.chance(70)))) }
            if random.chance(profile.boundaryJumps) {
                steps.append(step(jumpToBoundary(within: span / Int64(count) * Self.maximumJumpGaps)))
            }
            steps.append(step(action()))
        }
        return steps
    }

    private mutating func action() -> SimulatedAction {
        let person = random.below(people.count)
        return action(profile.kind(&random), by: person)
    }

    private mutating func step(_ action: SimulatedAction) -> SimulatedStep {
        SimulatedStep(
            action, node: random.chance(profile.secondNode) ? 1 : 0,
            fault: random.chance(profile.faults) ? fault(during: action) : nil)
    }

    private mutating func fault(during action: SimulatedAction) -> Fault {
        let point: FaultPoint = random.chance(50) ? .beforeCommit : .afterCommit
        let commit = 1 + random.below(random.chance(30) ? 4 : 2)
        switch random.below(10) {
        case 0..<5: return Fault(.error, point, commit: commit)
        case 5..<7: return Fault(.crash, point, commit: commit)
        default:
            let other: SimulatedAction = random.chance(60) ? .workOff : self.action()
            // Waiting for the lock takes time, so this is rare.
            return Fault(.interleave(other), random.chance(10) ? .beforeCommit : .afterCommit, commit: commit)
        }
    }

    /// Makes a jump to an instant at which a rule changes its answer, or beside it.
    private mutating func jumpToBoundary(within limit: Int64) -> SimulatedAction {
        let offset: Int64 = random.pick([0, 0, 1, -1, 999, -999, 1000, -1000, 1001, 60_000, -60_000])
        return .advanceTo(random.chance(60) ? .due : .end, random.below(1000), offset: offset, within: max(limit, 1))
    }
}

extension Int64 {
    /// Returns `self * part / whole` without overflow, for `0 <= part <= whole`.
    fileprivate func fraction(_ part: Int64, of whole: Int64) -> Int64 {
        whole.dividingFullWidth(multipliedFullWidth(by: part)).quotient
    }
}
