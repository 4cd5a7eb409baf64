/// An offer as one customer takes it: with its price in the customer's storefront, and its length.
package struct OfferTerms: Hashable, Sendable, Codable {
    package let kind: AppliedOffer.Kind
    /// The offer's ID; `nil` for an introductory offer.
    package let id: String?
    package let paymentMode: Offer.PaymentMode
    package let period: Period
    package let periodCount: Int
    /// The price of each period (pay as you go) or of all (pay up front); zero for a free trial.
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

    /// Creates the terms of an offer in a storefront; `nil` if the storefront is unknown.
    package init?(_ offer: Offer, _ kind: AppliedOffer.Kind, in storefront: Storefront) {
        guard let price = offer.price(in: storefront) else { return nil }
        self.init(
            kind, id: kind == .introductory ? nil : offer.id, offer.paymentMode, period: offer.period,
            periodCount: offer.periodCount, price: price)
    }

    /// The length of one transaction under the offer: a period for pay as you go, otherwise the whole offer.
    package var span: Period { paymentMode == .payAsYouGo ? period : period.times(periodCount) }

    /// The number of transactions under the offer.
    package var transactionCount: Int { paymentMode == .payAsYouGo ? periodCount : 1 }

    /// The offer as its transactions record it.
    package var applied: AppliedOffer {
        AppliedOffer(kind: kind, id: id, paymentMode: .init(paymentMode), period: span)
    }
}

/// An offer in use, with the number of its remaining periods.
///
/// Immutable, so the periods sold under it share it.
package final class ActiveOffer: Sendable {
    package let terms: OfferTerms
    /// The number of later periods under the offer.
    package let periodsLeft: Int

    init(terms: OfferTerms, periodsLeft: Int) {
        self.terms = terms
        self.periodsLeft = periodsLeft
    }

    /// Starts an offer with its first period.
    convenience init(_ terms: OfferTerms) {
        self.init(terms: terms, periodsLeft: terms.transactionCount - 1)
    }
}

extension ActiveOffer: Hashable {
    package static func == (one: ActiveOffer, other: ActiveOffer) -> Bool {
        one === other || one.terms == other.terms && one.periodsLeft == other.periodsLeft
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(terms)
        hasher.combine(periodsLeft)
    }
}

/// The use of an offer in a group.
package struct OfferUse: Hashable, Sendable, Codable {
    package let kind: AppliedOffer.Kind
    package let id: String?
    package let lastUsed: Instant
}

extension Offer {
    /// Returns the price in a storefront: its own, otherwise the base price's number in the storefront's currency.
    package func price(in storefront: Storefront) -> Money? {
        guard let currency = storefront.currency else { return nil }
        if paymentMode == .freeTrial { return .zero(currency) }
        return prices[storefront] ?? Money(milliunits: basePrice.milliunits, currency)
    }
}
