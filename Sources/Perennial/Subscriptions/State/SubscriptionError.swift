/// Why an event can't happen to a subscription. Nothing was changed or charged.
package struct SubscriptionError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case otherGroup
        /// The product is running or chosen already.
        case alreadySubscribed
        case offerNotAvailable
        /// The subscription isn't in a state in which this can happen.
        case wrongState
        /// What was due before now must be worked off first.
        case workOverdue
        case notDueYet
        /// The renewal was charged before, or is another one: nothing is charged twice.
        case periodAlreadyPaid
        /// Auto-renew is off, consent is missing or sandbox's renewals are used up.
        case notRenewing
        case noPriceIncrease
        case notThisSubscription
        /// Server API 4000009.
        case invalidExtensionDays
        /// Server API 4030004.
        case extensionIneligible
        /// Server API 4030005.
        case maximumExtensions
        /// Server API 4030007.
        case familySharedExtensionIneligible
        /// A family member can't decide about what the purchaser pays for.
        case familyShared
        case notFamilyShared
        case notShareable
    }

    package let code: Code
    /// The original transaction ID.
    package let subscription: TransactionID?
    /// For a person: what was wrong, and what would be right.
    package let reason: String

    package init(_ code: Code, _ subscription: TransactionID?, _ reason: String) {
        self.code = code
        self.subscription = subscription
        self.reason = reason
    }

    package var description: String {
        "\(code.rawValue): \(subscription.map { "subscription \($0): " } ?? "")\(reason)"
    }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
