/// An event in the life of a subscription: an action of the customer, the seller or the store, or due work.
package enum SubscriptionEvent: Hashable, Sendable {
    /// The customer buys a product of the group: the same one, another one, or any after the end.
    /// - Parameter offers: The offer to apply first, then one that follows it (an offer code on top of an
    ///   introductory offer); found by ``OfferRequest``.
    indirect case purchase(SubscriptionPlan, offers: [OfferTerms] = [])
    /// The customer changes the plan in the list of subscriptions.
    /// - Parameter offers: The offers, as for a purchase.
    indirect case change(SubscriptionPlan, offers: [OfferTerms] = [])
    case setAutoRenew(Bool)
    /// The renewal into the period of this number was charged.
    case charged(period: Int)
    case chargeDeclined(period: Int)
    /// The renewal is due, but its product is no longer sold.
    case productUnavailable
    /// The paid period has ended without a renewal.
    case periodEnded
    case graceEnded
    case retryEnded
    /// The customer updated the payment method. The charge is retried at once.
    case paymentMethodUpdated
    /// The seller changed the price of the product that renews, from the next renewal on.
    case priceChanged(Money, needsConsent: Bool)
    case priceAnswered(accepted: Bool)
    /// The customer asked for a refund in the app.
    case refundRequested(TransactionID)
    case refundDeclined(TransactionID)
    indirect case refunded(Transaction, Refund)
    /// - Parameters:
    ///   - [Posting]: The refund's postings.
    ///   - of: The transaction's plan in today's catalog; `nil` if it is gone.
    indirect case refundReversed(Transaction, [Posting], of: SubscriptionPlan?)
    /// A family member loses the shared subscription.
    case accessRevoked
    case extended(RenewalExtension)
    /// An operator ends the subscription now.
    case expireNow

    /// The names of the events, as diagrams show them.
    package enum Name: String, Sendable, CaseIterable, Comparable {
        case purchase, change, autoRenewOn, autoRenewOff, charged, chargeDeclined, productUnavailable, periodEnded
        case graceEnded, retryEnded, paymentMethodUpdated, priceChanged, priceAnswered, refundRequested, refundDeclined
        case refunded, refundReversed, accessRevoked, extended, expireNow

        package static func < (one: Name, other: Name) -> Bool { one.rawValue < other.rawValue }
    }

    package var name: Name {
        switch self {
        case .purchase: .purchase
        case .change: .change
        case .setAutoRenew(let isOn): isOn ? .autoRenewOn : .autoRenewOff
        case .charged: .charged
        case .chargeDeclined: .chargeDeclined
        case .productUnavailable: .productUnavailable
        case .periodEnded: .periodEnded
        case .graceEnded: .graceEnded
        case .retryEnded: .retryEnded
        case .paymentMethodUpdated: .paymentMethodUpdated
        case .priceChanged: .priceChanged
        case .priceAnswered: .priceAnswered
        case .refundRequested: .refundRequested
        case .refundDeclined: .refundDeclined
        case .refunded: .refunded
        case .refundReversed: .refundReversed
        case .accessRevoked: .accessRevoked
        case .extended: .extended
        case .expireNow: .expireNow
        }
    }
}
