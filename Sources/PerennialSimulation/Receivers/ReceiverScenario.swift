/// Events of a subscription that a receiver of notifications has to follow.
package struct ReceiverScenario: Sendable, Hashable {
    package enum Step: String, Sendable, CaseIterable {
        /// Buys for the first time, or again after the end.
        case buy
        case turnOff, turnOn
        case declineCard, acceptCard
        /// Passes time up to the next notification of an event without an action: a renewal, its failure, an end.
        case wait
        /// Passes time up to the start of the newest period, which is charged up to a day ahead.
        case begin
        /// Refunds the newest period.
        case refund
        case requestRefund, declineRefund, reverseRefund
        case upgrade, downgrade
        /// Upgrades with an offer code.
        case redeem
        /// Adds a family member, and removes them.
        case share, unshare
        /// Extends the renewal date by some days.
        case extend
        /// Raises the price so far that the customer has to consent.
        case raisePrice
        case agree
    }

    package var name: String
    package var steps: [Step]
    /// True if the app has a billing grace period.
    package var hasGrace: Bool

    package init(_ name: String, _ steps: [Step], hasGrace: Bool = false) {
        self.name = name
        self.steps = steps
        self.hasGrace = hasGrace
    }

    /// Scenarios that depend on the notifications or on their order.
    package static let all = usual + withGrace + withRefunds + withOthers

    private static let usual = [
        ReceiverScenario("renews", [.buy, .wait, .wait]),
        ReceiverScenario("is cancelled and ends", [.buy, .wait, .turnOff, .wait]),
        ReceiverScenario("is cancelled and taken up again", [.buy, .turnOff, .turnOn, .wait]),
        ReceiverScenario("ends and is bought again", [.buy, .turnOff, .wait, .buy, .wait]),
        ReceiverScenario("can't be charged for a while", [.buy, .declineCard, .wait, .acceptCard]),
        ReceiverScenario("can't be charged", [.buy, .declineCard, .wait]),
        ReceiverScenario("can't be charged, ever", [.buy, .declineCard, .wait, .wait]),
        ReceiverScenario("is upgraded", [.buy, .upgrade]),
        ReceiverScenario("is cancelled and upgraded", [.buy, .turnOff, .upgrade]),
        ReceiverScenario("is upgraded by an offer", [.buy, .redeem]),
        ReceiverScenario("is to be downgraded, and is", [.buy, .upgrade, .downgrade, .wait]),
    ]

    private static let withGrace = [
        ReceiverScenario("can't be charged, and has a grace period", [.buy, .declineCard, .wait], hasGrace: true),
        ReceiverScenario("is paid in its grace period", [.buy, .declineCard, .wait, .acceptCard], hasGrace: true),
        ReceiverScenario("outlasts its grace period", [.buy, .declineCard, .wait, .wait], hasGrace: true),
        ReceiverScenario(
            "is paid after its grace period", [.buy, .declineCard, .wait, .wait, .acceptCard], hasGrace: true),
        ReceiverScenario("isn't paid, grace or not", [.buy, .declineCard, .wait, .wait, .wait], hasGrace: true),
        ReceiverScenario("is cancelled in its grace period", [.buy, .declineCard, .wait, .turnOff], hasGrace: true),
    ]

    private static let withRefunds = [
        ReceiverScenario("is refunded", [.buy, .refund]),
        ReceiverScenario("is cancelled and refunded", [.buy, .turnOff, .refund]),
        ReceiverScenario("is refunded a period that was to come", [.buy, .wait, .refund, .wait]),
        ReceiverScenario("renews and is refunded", [.buy, .wait, .begin, .refund]),
        ReceiverScenario("is refunded and bought again", [.buy, .refund, .buy]),
        ReceiverScenario("is refunded, and the refund undone", [.buy, .refund, .reverseRefund]),
        ReceiverScenario("is refunded in the app", [.buy, .requestRefund, .refund]),
        ReceiverScenario("isn't refunded in the app", [.buy, .requestRefund, .declineRefund, .wait]),
    ]

    private static let withOthers = [
        ReceiverScenario("is shared, and not any more", [.buy, .share, .unshare]),
        ReceiverScenario("is shared, and refunded", [.buy, .share, .refund]),
        ReceiverScenario("is shared and ends", [.buy, .share, .turnOff, .wait]),
        ReceiverScenario("is extended", [.buy, .extend, .wait]),
        ReceiverScenario("becomes dearer", [.buy, .raisePrice, .agree, .wait]),
        ReceiverScenario("becomes too dear", [.buy, .raisePrice, .wait]),
    ]
}
