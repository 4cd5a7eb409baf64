/// An offer as one customer takes it: its price in the customer's storefront, and for how long.
package struct OfferTerms: Hashable, Sendable, Codable {
    package let kind: AppliedOffer.Kind
    /// `nil` for an introductory offer.
    package let id: String?
    package let paymentMode: Offer.PaymentMode
    package let period: Period
    package let periodCount: Int
    /// For each period (pay as you go) or for all of them (pay up front); zero for a free trial.
    package let price: Money

    package init(
        _ kind: AppliedOffer.Kind, id: String? = nil, _ paymentMode: Offer.PaymentMode, period: Period,
        periodCount: Int = 1, price: Money
    ) {
        self.kind = kind
        self.id = id
        self.paymentMode = paymentMode
        self.period = period
        self.periodCount = max(periodCount, 1)
        self.price = paymentMode == .freeTrial ? .zero(price.currency) : price
    }

    /// `nil` where the storefront is unknown.
    package init?(_ offer: Offer, _ kind: AppliedOffer.Kind, in storefront: Storefront) {
        guard let price = offer.price(in: storefront) else { return nil }
        self.init(
            kind, id: kind == .introductory ? nil : offer.id, offer.paymentMode, period: offer.period,
            periodCount: offer.periodCount, price: price)
    }

    /// What one transaction under the offer covers: a period for pay as you go, otherwise all of it at once.
    package var span: Period { paymentMode == .payAsYouGo ? period : period.times(periodCount) }

    /// How many transactions are made under it.
    package var transactionCount: Int { paymentMode == .payAsYouGo ? periodCount : 1 }

    /// What the transactions say of it.
    package var applied: AppliedOffer {
        AppliedOffer(kind: kind, id: id, paymentMode: .init(paymentMode), period: span)
    }
}

/// An offer under way: the period it was last used for, and how many follow.
///
/// A value that never changes: the periods sold under it share it.
package final class OfferInForce: Sendable {
    package let terms: OfferTerms
    /// Periods after this one that are sold under the offer as well.
    package let periodsLeft: Int

    init(terms: OfferTerms, periodsLeft: Int) {
        self.terms = terms
        self.periodsLeft = periodsLeft
    }

    /// The first period of an offer.
    convenience init(_ terms: OfferTerms) {
        self.init(terms: terms, periodsLeft: terms.transactionCount - 1)
    }
}

extension OfferInForce: Hashable {
    package static func == (one: OfferInForce, other: OfferInForce) -> Bool {
        one === other || one.terms == other.terms && one.periodsLeft == other.periodsLeft
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(terms)
        hasher.combine(periodsLeft)
    }
}

/// That an offer was redeemed in a group.
package struct OfferUse: Hashable, Sendable, Codable {
    package let kind: AppliedOffer.Kind
    package let id: String?
    package let lastUsed: Instant
}

extension Offer {
    /// The price in a storefront: its own, else the base price's number in the storefront's currency.
    package func price(in storefront: Storefront) -> Money? {
        guard let currency = storefront.currency else { return nil }
        if paymentMode == .freeTrial { return .zero(currency) }
        return prices[storefront] ?? Money(milliunits: basePrice.milliunits, currency)
    }
}
