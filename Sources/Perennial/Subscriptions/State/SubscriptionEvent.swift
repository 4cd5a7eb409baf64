/// Something that happens to a subscription.
package enum SubscriptionEvent: Hashable, Sendable {
    /// The customer buys a product of the group: the same one, another one, or any after the subscription ended.
    /// - Parameter offers: The offer to be applied first, and one that follows it (an offer code on top of an
    /// introductory
    ///   offer); as ``OfferRequest`` finds them.
    indirect case purchase(SubscriptionPlan, offers: [OfferTerms] = [])
    /// The customer chooses another product in the list of subscriptions.
    /// - Parameter offers: As of a purchase.
    indirect case change(SubscriptionPlan, offers: [OfferTerms] = [])
    case setAutoRenew(Bool)
    /// The renewal into the period of this number was charged.
    case charged(period: Int)
    case chargeDeclined(period: Int)
    /// The renewal is due, and its product isn't sold any more.
    case productUnavailable
    /// The paid period is over, and there is no renewal.
    case periodEnded
    case graceEnded
    case retryEnded
    /// The customer mended the payment method: the charge is tried at once.
    case paymentMethodUpdated
    /// The regular price of the product that will renew becomes another one at the next renewal.
    case priceChanged(Money, needsConsent: Bool)
    case priceAnswered(accepted: Bool)
    /// The customer asked for a refund in the app.
    case refundRequested(TransactionID)
    case refundDeclined(TransactionID)
    indirect case refunded(Transaction, Refund)
    /// - Parameters:
    ///   - [Posting]: What the refund moved.
    ///   - of: The transaction's product, as it is in the catalog now; `nil` if it isn't any more.
    indirect case refundReversed(Transaction, [Posting], of: SubscriptionPlan?)
    /// A family member loses what the purchaser shared.
    case accessRevoked
    case extended(RenewalExtension)
    /// An operator ends the subscription now.
    case expireNow

    /// The events' names, as diagrams show them.
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
