import Perennial
import PerennialStorage

/// Generates the seller's edits of the catalog, and what customers do about them.
///
/// It has random numbers of its own, so that the other steps of a seed don't depend on it.
struct SellerSteps {
    private static let salt: UInt64 = 0xCA7A_106
    /// Edits in a hundred steps; 0 for a seller who edits nothing.
    private static let rates = [0, 0, 2, 6, 20]
    /// Days until a price applies: soon, or after several periods.
    private static let days: [Int64] = [1, 1, 2, 7, 40]
    /// The price points of a simulation, lowest first: each about a dollar more than the one before.
    static let points = 12

    private let customers: Int
    private let rate: Int
    private var random: SeededRandom
    /// Keys apart from those of the other steps.
    private var key = 1_000_000

    init(seed: UInt64, customers: Int) {
        random = SeededRandom(seed: seed ^ Self.salt)
        rate = random.pick(Self.rates)
        self.customers = max(customers, 1)
    }

    /// Returns the steps with the seller's in between.
    mutating func inserted(into steps: [SimulatedStep]) -> [SimulatedStep] {
        guard rate > 0 else { return steps }
        var all: [SimulatedStep] = []
        for step in steps {
            all.append(step)
            if random.chance(rate) { all.append(self.step()) }
        }
        return all
    }

    /// Returns steps of the seller alone, with up to a month between them.
    mutating func alone(_ count: Int) -> [SimulatedStep] {
        (0..<count).flatMap { _ in
            [step(), SimulatedStep(.advance(.days(1) / 4 * Int64(random.below(120)), works: true))]
        }
    }

    private mutating func step() -> SimulatedStep {
        let action = action()
        var fault: Fault?
        if random.chance(15) {
            let kind: Fault.Kind = random.chance(40) ? .crash : .error
            fault = Fault(kind, random.chance(50) ? .beforeCommit : .afterCommit)
        }
        return SimulatedStep(action, node: random.chance(30) ? 1 : 0, fault: fault)
    }

    private mutating func action() -> SimulatedAction {
        switch random.below(10) {
        case 0..<4: .edit(price())
        case 4: .edit(.withdrawPrice(random.pick(SimulatedCatalog.subscriptions), storefront()))
        case 5: .edit(.availability(random.pick(SimulatedCatalog.subscriptions + paid), storefronts()))
        case 6: .edit(.publish(addition()))
        case 7: random.chance(30) ? .edit(.delete(addition())) : .edit(.publish(addition()))
        case 8: buyAddition()
        default: .consent(random.below(customers), random.below(100), random.chance(60))
        }
    }

    private mutating func price() -> CatalogEdit {
        let product = random.pick(random.chance(50) ? SimulatedCatalog.subscriptions : paid)
        let days = SimulatedCatalog.isSubscription(product) || random.chance(50) ? random.pick(Self.days) : 0
        return .price(
            product, point: random.below(Self.points), storefront(), days: days, preserves: random.chance(40))
    }

    private mutating func buyAddition() -> SimulatedAction {
        key += 1
        return .buy(random.below(customers), addition(), key: key)
    }

    private mutating func addition() -> Product.ID { random.pick(SimulatedCatalog.additions) }

    private mutating func storefront() -> Storefront { random.pick(SimulatedCatalog.storefronts) }

    /// Mostly all, seldom none.
    private mutating func storefronts() -> [Storefront] {
        random.chance(40)
            ? SimulatedCatalog.storefronts : SimulatedCatalog.storefronts.filter { _ in random.chance(60) }
    }

    /// Products with a price that don't renew.
    private var paid: [Product.ID] { SimulatedCatalog.others.filter { $0 != SimulatedCatalog.free } }
}
