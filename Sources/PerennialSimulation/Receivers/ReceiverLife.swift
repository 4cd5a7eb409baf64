/// A subscription's life, as far as a receiver of notifications has to follow it.
package struct ReceiverLife: Sendable, Hashable {
    package enum Step: String, Sendable, CaseIterable {
        /// The first time, or again after the end.
        case buy
        case turnOff, turnOn
        case declineCard, acceptCard
        /// Time passes until something is told that happens by itself: a renewal, its failure, an end.
        case wait
        /// The newest period's money is returned.
        case refund
        case upgrade, downgrade
    }

    package var name: String
    package var steps: [Step]

    package init(_ name: String, _ steps: [Step]) {
        self.name = name
        self.steps = steps
    }

    /// Lives in which something depends on the order of what is told.
    package static let all: [ReceiverLife] = [
        ReceiverLife("renews", [.buy, .wait, .wait]),
        ReceiverLife("is cancelled and ends", [.buy, .wait, .turnOff, .wait]),
        ReceiverLife("is cancelled and taken up again", [.buy, .turnOff, .turnOn, .wait]),
        ReceiverLife("ends and is bought again", [.buy, .turnOff, .wait, .buy, .wait]),
        ReceiverLife("can't be charged for a while", [.buy, .declineCard, .wait, .acceptCard]),
        ReceiverLife("can't be charged", [.buy, .declineCard, .wait]),
        ReceiverLife("can't be charged, ever", [.buy, .declineCard, .wait, .wait]),
        ReceiverLife("is refunded", [.buy, .refund]),
        ReceiverLife("is refunded a period that was to come", [.buy, .wait, .refund, .wait]),
        ReceiverLife("is refunded and bought again", [.buy, .refund, .buy]),
        ReceiverLife("is upgraded", [.buy, .upgrade]),
        ReceiverLife("is to be downgraded, and is", [.buy, .upgrade, .downgrade, .wait]),
    ]
}
