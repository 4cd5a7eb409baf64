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

    private struct Temperament {
        var isFickle: Bool
        var hasBadCard: Bool
        var asksForMoneyBack: Bool
    }

    private let setting: SimulationPlan.Setting
    private let years: Int
    private let people: [Temperament]
    private var random: SeededRandom
    private var key = 0

    init(_ setting: SimulationPlan.Setting, customers: Int, years: Int, random: SeededRandom) {
        var random = random
        self.setting = setting
        self.years = years
        people = (0..<max(customers, 1)).map { _ in
            Temperament(
                isFickle: random.chance(30), hasBadCard: random.chance(20), asksForMoneyBack: random.chance(15))
        }
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
            if random.chance(12) { steps.append(step(hop(within: span / Int64(count) * Self.hopGaps))) }
            steps.append(step(action()))
        }
        return steps
    }

    private mutating func step(_ action: Action) -> Step {
        Step(action, node: random.chance(20) ? 1 : 0, fault: random.chance(14) ? fault(during: action) : nil)
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

    private mutating func action() -> Action {
        let person = random.below(people.count)
        let temperament = people[person]
        switch random.below(100) {
        case 0..<22: return purchase(person, of: SimulatedCatalog.subscriptions)
        case 22..<36: return purchase(person, of: SimulatedCatalog.others)
        case 36..<44: return .setAutoRenew(person, random.below(100), random.chance(temperament.isFickle ? 50 : 70))
        case 44..<52: return .change(person, random.below(100), random.pick(SimulatedCatalog.subscriptions))
        case 52..<57: return .pay(person, method(temperament))
        case 57..<61: return .payFor(person, random.below(100), method(temperament))
        case 61..<67: return refund(person, temperament)
        case 67..<78: return .finish(person, random.below(1000))
        case 78..<80: return .restore(person)
        case 80..<84: return .repeatRequest(person, random.below(1000))
        case 84..<87: return .signIn(person, device: random.below(3))
        case 87..<89: return .uninstall(person, device: random.below(3))
        case 89..<91: return ask(person)
        case 91..<93: return .answer(random.below(100), approved: random.chance(70))
        case 93: return .expire(person, random.below(100))
        case 94: return .renew(person, random.below(100))
        case 95: return .move(person, random.pick(SimulatedCatalog.storefronts))
        case 96: return .restrict(person, random.chance(80))
        case 97: return .setForSale(random.pick(SimulatedCatalog.subscriptions), random.chance(70))
        case 98: return .workOff
        default: return random.chance(30) ? .restart : .workOff
        }
    }

    private mutating func purchase(_ person: Int, of products: [Product.ID]) -> Action {
        key += 1
        let product = random.pick(products)
        let offer = random.chance(15) ? random.pick(SimulatedCatalog.offers) : nil
        return .buy(person, product, quantity: random.chance(10) ? 1 + random.below(11) : 1, offer: offer, key: key)
    }

    private mutating func ask(_ person: Int) -> Action {
        key += 1
        return .ask(person, random.pick(SimulatedCatalog.subscriptions + SimulatedCatalog.others), key: key)
    }

    private mutating func refund(_ person: Int, _ temperament: Temperament) -> Action {
        guard temperament.asksForMoneyBack || random.chance(40) else { return .finish(person, random.below(1000)) }
        // The newest is what people want back most.
        let pick = random.chance(50) ? -1 : random.below(1000)
        switch random.below(4) {
        case 0: return .refund(person, pick, .prorated)
        case 1: return .refund(person, pick, .percentage(milliunits: Int64(1 + random.below(100_000))))
        default: return .refund(person, pick, .full)
        }
    }

    private mutating func method(_ temperament: Temperament) -> Account.PaymentMethod {
        random.chance(temperament.hasBadCard ? 60 : 25) ? .declined : .valid
    }
}

extension Int64 {
    /// `self * part / whole` without overflow, for `0 <= part <= whole`.
    fileprivate func fraction(_ part: Int64, of whole: Int64) -> Int64 {
        whole.dividingFullWidth(multipliedFullWidth(by: part)).quotient
    }
}
