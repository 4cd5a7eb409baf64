/// What people do most in one plan, and how much goes wrong: every seed exaggerates something else and leaves out something
/// else, for what hides behind what is frequent (Groce et al., “Swarm Testing”).
struct Fashion: Sendable {
    /// What a customer, the seller or an operator may do.
    enum Kind: CaseIterable {
        case subscribe, buy, autoRenew, change, pay, payFor, refund, reverseRefund, finish, restore, sendAgain, signIn
        case uninstall, foundFamily, joinFamily, leaveFamily, ask, answer
        case expire, renew, move, restrict, setForSale, workOff, restart

        /// How often it happens where nothing is exaggerated; the sum is near a hundred.
        var weight: Int {
            switch self {
            case .subscribe: 22
            case .buy: 14
            case .finish: 11
            case .autoRenew, .change: 8
            case .refund: 6
            case .pay: 5
            case .payFor, .sendAgain: 4
            case .signIn: 3
            case .restore, .uninstall, .ask, .answer, .workOff, .joinFamily: 2
            case .reverseRefund, .foundFamily, .leaveFamily, .expire, .renew, .move, .restrict, .setForSale, .restart: 1
            }
        }
    }

    /// Times that a kind is more frequent than usual; none leaves it out.
    private static let factors = [0, 1, 1, 1, 1, 5]

    /// Kinds, each with the sum of the weights up to it.
    private let kinds: [(kind: Kind, upTo: Int)]
    /// In a hundred steps.
    let faults: Int
    let hops: Int
    let secondNode: Int

    init(_ random: inout SeededRandom) {
        let isPlain = random.chance(30)
        var sum = 0
        var kinds: [(Kind, Int)] = []
        for kind in Kind.allCases {
            let factor = random.pick(Self.factors)
            // Without purchases there is nothing to do anything with.
            sum += kind.weight * (isPlain ? 1 : kind == .subscribe ? max(factor, 1) : factor)
            kinds.append((kind, sum))
        }
        self.kinds = kinds
        faults = random.pick([0, 5, 14, 14, 40])
        hops = random.pick([3, 12, 12, 40])
        secondNode = random.pick([0, 20, 20, 50])
    }

    func kind(_ random: inout SeededRandom) -> Kind {
        let number = random.below(kinds.last?.upTo ?? 0)
        return kinds.first { number < $0.upTo }?.kind ?? .subscribe
    }
}
