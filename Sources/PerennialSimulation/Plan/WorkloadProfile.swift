/// Frequencies of actions and faults in one plan. Each seed makes some actions frequent and omits others, to find defects that
/// frequent actions hide (Groce et al., “Swarm Testing”).
struct WorkloadProfile: Sendable {
    /// Kinds of actions.
    enum Kind: CaseIterable {
        case subscribe, buy, autoRenew, change, pay, payFor, refund, reverseRefund, finish, restore, sendAgain, signIn
        case uninstall, foundFamily, joinFamily, leaveFamily, ask, answer
        case expire, renew, move, restrict, setForSale, workOff, restart

        /// Weight in a plain profile; the sum is near a hundred.
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

    /// Factors on the weights; 0 omits a kind.
    private static let factors = [0, 1, 1, 1, 1, 5]

    /// Kinds with cumulated weights.
    private let kinds: [(kind: Kind, upTo: Int)]
    /// Faults in a hundred steps.
    let faults: Int
    let boundaryJumps: Int
    let secondNode: Int

    init(_ random: inout SeededRandom) {
        let isPlain = random.chance(30)
        var sum = 0
        var kinds: [(Kind, Int)] = []
        for kind in Kind.allCases {
            let factor = random.pick(Self.factors)
            // All other actions need purchases.
            sum += kind.weight * (isPlain ? 1 : kind == .subscribe ? max(factor, 1) : factor)
            kinds.append((kind, sum))
        }
        self.kinds = kinds
        faults = random.pick([0, 5, 14, 14, 40])
        boundaryJumps = random.pick([3, 12, 12, 40])
        secondNode = random.pick([0, 20, 20, 50])
    }

    func kind(_ random: inout SeededRandom) -> Kind {
        let number = random.below(kinds.last?.upTo ?? 0)
        return kinds.first { number < $0.upTo }?.kind ?? .subscribe
    }
}
