import Perennial
import PerennialStorage

/// Invents what customers do, each by a temperament of their own, and what goes wrong.
struct Workload {
    /// What a customer does in a year, on average.
    private static let actionsPerYear = 18
    private static let yearMilliseconds: Int64 = .days(365)
    /// Gaps between two actions differ by up to this power of two: from the same second to the next season.
    private static let gapOctaves = 14
    /// How many average gaps a hop to the next turning point may be: hops come on top of the years.
    private static let hopGaps: Int64 = 8

    struct Temperament {
        var isFickle: Bool
        var hasBadCard: Bool
        var asksForMoneyBack: Bool
    }

    private let setting: SimulationPlan.Setting
    private let years: Int
    private let fashion: Fashion
    let people: [Temperament]
    var random: SeededRandom
    var key = 0

    init(_ setting: SimulationPlan.Setting, customers: Int, years: Int, random: SeededRandom) {
        var random = random
        self.setting = setting
        self.years = years
        people = (0..<max(customers, 1)).map { _ in
            Temperament(
                isFickle: random.chance(30), hasBadCard: random.chance(20), asksForMoneyBack: random.chance(15))
        }
        fashion = Fashion(&random)
        self.random = random
    }

    /// The whole plan: actions, and between them time, which adds up to the years.
    mutating func steps() -> [Step] {
        let count = people.count * years * Self.actionsPerYear
        let weights = (0..<count).map { _ in random.chance(35) ? 0 : Int64(1) << random.below(Self.gapOctaves) }
        let total = max(weights.reduce(0, +), 1)
        let span = Self.yearMilliseconds / setting.pace * Int64(years)
        let jumps = Set((0..<years * 2).map { _ in random.below(count) })
        // A third of the time passes in jumps over months.
        let jump = jumps.isEmpty ? 0 : span / 3 / Int64(jumps.count)
        var steps: [Step] = []
        for (index, weight) in weights.enumerated() {
            let gap =
                (span - jump * Int64(jumps.count)).fraction(weight, of: total) + (jumps.contains(index) ? jump : 0)
            if gap > 0 { steps.append(step(.advance(gap, works: setting.clock == .manual || random.chance(70)))) }
            if random.chance(fashion.hops) { steps.append(step(hop(within: span / Int64(count) * Self.hopGaps))) }
            steps.append(step(action()))
        }
        return steps
    }

    private mutating func action() -> Action {
        let person = random.below(people.count)
        return action(fashion.kind(&random), by: person)
    }

    private mutating func step(_ action: Action) -> Step {
        Step(
            action, node: random.chance(fashion.secondNode) ? 1 : 0,
            fault: random.chance(fashion.faults) ? fault(during: action) : nil)
    }

    private mutating func fault(during action: Action) -> Fault {
        let point: FaultPoint = random.chance(50) ? .beforeCommit : .afterCommit
        let commit = 1 + random.below(random.chance(30) ? 4 : 2)
        switch random.below(10) {
        case 0..<5: return Fault(.error, point, commit: commit)
        case 5..<7: return Fault(.crash, point, commit: commit)
        default:
            let rival: Action = random.chance(60) ? .workOff : self.action()
            // What waits for the lock costs time: seldom.
            return Fault(.rival(rival), random.chance(10) ? .beforeCommit : .afterCommit, commit: commit)
        }
    }

    /// To the very instants at which rules change their minds.
    private mutating func hop(within limit: Int64) -> Action {
        let offset: Int64 = random.pick([0, 0, 1, -1, 999, -999, 1000, -1000, 1001, 60_000, -60_000])
        return .advanceTo(random.chance(60) ? .due : .end, random.below(1000), offset: offset, within: max(limit, 1))
    }
}

extension Int64 {
    /// `self * part / whole` without overflow, for `0 <= part <= whole`.
    fileprivate func fraction(_ part: Int64, of whole: Int64) -> Int64 {
        whole.dividingFullWidth(multipliedFullWidth(by: part)).quotient
    }
}
