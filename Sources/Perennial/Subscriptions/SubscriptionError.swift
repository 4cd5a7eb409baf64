/// The reason why an event is refused. Nothing has been changed or charged.
package struct SubscriptionError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case otherGroup
        /// The product is active or scheduled already.
        case alreadySubscribed
        case offerNotAvailable
        /// The subscription's state doesn't allow the event.
        case wrongState
        /// Earlier due work must be processed first.
        case workOverdue
        case notDueYet
        /// The period was paid before, or is not the next one. Nothing is charged twice.
        case periodAlreadyPaid
        /// Auto-renew is off, consent is missing, or Sandbox's renewals are used up.
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
        /// A family member can't change the purchaser's subscription.
        case familyShared
        case notFamilyShared
        case notShareable
    }

    package let code: Code
    /// The original transaction ID.
    package let subscription: TransactionID?
    /// A message for people: the problem and its cure.
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
