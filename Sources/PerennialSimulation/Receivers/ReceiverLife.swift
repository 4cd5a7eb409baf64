/// A subscription's life, as far as a receiver of notifications has to follow it.
package struct ReceiverLife: Sendable, Hashable {
    package enum Step: String, Sendable, CaseIterable {
        /// The first time, or again after the end.
        case buy
        case turnOff, turnOn
        case declineCard, acceptCard
        /// Time passes until something is told that happens by itself: a renewal, its failure, an end.
        case wait
        /// Time passes until the newest period, which is paid up to a day ahead, has begun.
        case begin
        /// The newest period's money is returned.
        case refund
        case requestRefund, declineRefund, reverseRefund
        case upgrade, downgrade
        /// An upgrade under the offer of a code.
        case redeem
        /// A family member has what was bought, and has it no more.
        case share, unshare
        /// The renewal date moves by some days.
        case extend
        /// The product becomes so much dearer that its customer has to agree.
        case raisePrice
        case agree
    }

    package var name: String
    package var steps: [Step]
    /// Whether access goes on for some days when a renewal can't be charged.
    package var hasGrace: Bool

    package init(_ name: String, _ steps: [Step], hasGrace: Bool = false) {
        self.name = name
        self.steps = steps
        self.hasGrace = hasGrace
    }

    /// Lives in which something depends on what is told, or on its order.
    package static let all = usual + withGrace + withRefunds + withOthers

    private static let usual = [
        ReceiverLife("renews", [.buy, .wait, .wait]),
        ReceiverLife("is cancelled and ends", [.buy, .wait, .turnOff, .wait]),
        ReceiverLife("is cancelled and taken up again", [.buy, .turnOff, .turnOn, .wait]),
        ReceiverLife("ends and is bought again", [.buy, .turnOff, .wait, .buy, .wait]),
        ReceiverLife("can't be charged for a while", [.buy, .declineCard, .wait, .acceptCard]),
        ReceiverLife("can't be charged", [.buy, .declineCard, .wait]),
        ReceiverLife("can't be charged, ever", [.buy, .declineCard, .wait, .wait]),
        ReceiverLife("is upgraded", [.buy, .upgrade]),
        ReceiverLife("is cancelled and upgraded", [.buy, .turnOff, .upgrade]),
        ReceiverLife("is upgraded by an offer", [.buy, .redeem]),
        ReceiverLife("is to be downgraded, and is", [.buy, .upgrade, .downgrade, .wait]),
    ]

    private static let withGrace = [
        ReceiverLife("can't be charged, and has a grace period", [.buy, .declineCard, .wait], hasGrace: true),
        ReceiverLife("is paid in its grace period", [.buy, .declineCard, .wait, .acceptCard], hasGrace: true),
        ReceiverLife("outlasts its grace period", [.buy, .declineCard, .wait, .wait], hasGrace: true),
        ReceiverLife(
            "is paid after its grace period", [.buy, .declineCard, .wait, .wait, .acceptCard], hasGrace: true),
        ReceiverLife("isn't paid, grace or not", [.buy, .declineCard, .wait, .wait, .wait], hasGrace: true),
        ReceiverLife("is cancelled in its grace period", [.buy, .declineCard, .wait, .turnOff], hasGrace: true),
    ]

    private static let withRefunds = [
        ReceiverLife("is refunded", [.buy, .refund]),
        ReceiverLife("is cancelled and refunded", [.buy, .turnOff, .refund]),
        ReceiverLife("is refunded a period that was to come", [.buy, .wait, .refund, .wait]),
        ReceiverLife("renews and is refunded", [.buy, .wait, .begin, .refund]),
        ReceiverLife("is refunded and bought again", [.buy, .refund, .buy]),
        ReceiverLife("is refunded, and the refund undone", [.buy, .refund, .reverseRefund]),
        ReceiverLife("is refunded in the app", [.buy, .requestRefund, .refund]),
        ReceiverLife("isn't refunded in the app", [.buy, .requestRefund, .declineRefund, .wait]),
    ]

    private static let withOthers = [
        ReceiverLife("is shared, and not any more", [.buy, .share, .unshare]),
        ReceiverLife("is shared, and refunded", [.buy, .share, .refund]),
        ReceiverLife("is shared and ends", [.buy, .share, .turnOff, .wait]),
        ReceiverLife("is extended", [.buy, .extend, .wait]),
        ReceiverLife("becomes dearer", [.buy, .raisePrice, .agree, .wait]),
        ReceiverLife("becomes too dear", [.buy, .raisePrice, .wait]),
    ]
}
