import Perennial

/// Actions of each kind.
extension Workload {
    mutating func action(_ kind: WorkloadProfile.Kind, by person: SimulatedAction.Person) -> SimulatedAction {
        let traits = people[person]
        switch kind {
        case .subscribe: return purchase(person, of: SimulatedCatalog.subscriptions)
        case .buy: return purchase(person, of: SimulatedCatalog.others)
        case .autoRenew: return .setAutoRenew(person, random.below(100), random.chance(traits.changesOften ? 50 : 70))
        case .change: return .change(person, random.below(100), random.pick(SimulatedCatalog.subscriptions))
        case .pay: return .pay(person, method(traits))
        case .payFor: return .payFor(person, random.below(100), method(traits))
        case .refund: return refund(person, traits)
        case .reverseRefund: return .reverseRefund(person, random.below(1000))
        case .finish: return .finish(person, random.below(1000))
        case .restore: return .restore(person)
        case .sendAgain: return .repeatRequest(person, random.below(1000))
        case .signIn: return .signIn(person, device: random.below(3))
        case .uninstall: return .uninstall(person, device: random.below(3))
        case .foundFamily: return .foundFamily(person)
        case .joinFamily: return .joinFamily(person, random.below(100))
        case .leaveFamily: return .leaveFamily(person)
        case .ask: return ask(person)
        case .answer: return .answer(random.below(100), approved: random.chance(70))
        case .expire: return .expire(person, random.below(100))
        case .renew: return .renew(person, random.below(100))
        case .move: return .move(person, random.pick(SimulatedCatalog.storefronts))
        case .restrict: return .restrict(person, random.chance(80))
        case .setForSale: return .edit(.setForSale(random.pick(SimulatedCatalog.subscriptions), random.chance(70)))
        case .workOff: return .workOff
        case .restart: return .restart
        }
    }

    private mutating func purchase(_ person: Int, of products: [Product.ID]) -> SimulatedAction {
        key += 1
        let product = random.pick(products)
        let offer = random.chance(15) ? random.pick(SimulatedCatalog.offers) : nil
        return .buy(person, product, quantity: random.chance(10) ? 1 + random.below(11) : 1, offer: offer, key: key)
    }

    private mutating func ask(_ person: Int) -> SimulatedAction {
        key += 1
        return .ask(
            person, random.pick(SimulatedCatalog.subscriptions + SimulatedCatalog.others),
            key: key.isMultiple(of: 2) ? key : nil)
    }

    private mutating func refund(_ person: Int, _ traits: Traits) -> SimulatedAction {
        guard traits.asksForMoneyBack || random.chance(40) else { return .finish(person, random.below(1000)) }
        // Most refunds are of the newest purchase.
        let pick = random.chance(50) ? -1 : random.below(1000)
        switch random.below(4) {
        case 0: return .refund(person, pick, .prorated)
        case 1: return .refund(person, pick, .percentage(milliunits: Int64(1 + random.below(100_000))))
        default: return .refund(person, pick, .full)
        }
    }

    private mutating func method(_ traits: Traits) -> Account.PaymentMethod {
        random.chance(traits.hasBadCard ? 60 : 25) ? .declined : .valid
    }
}
