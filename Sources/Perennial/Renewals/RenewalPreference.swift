/// The customer's choice for the end of the period: renew or not, with which product and price.
package struct RenewalPreference: Hashable, Sendable {
    package enum PriceIncrease: String, Sendable, Codable, CaseIterable {
        case awaitingConsent
        /// The customer declined, and may still change the answer.
        case declined
        case accepted
        /// The customer was notified; no consent is needed.
        case announced

        /// True if consent is or was required.
        package var asksForConsent: Bool { self != .announced }

        /// The server API's `priceIncreaseStatus`: 0 while an answer is awaited.
        package var status: Int64 {
            switch self {
            case .awaitingConsent, .declined: 0
            case .accepted, .announced: 1
            }
        }
    }

    /// True if auto-renew is on.
    package internal(set) var isOn: Bool
    /// The product that renews.
    package internal(set) var productID: Product.ID
    /// The regular price of the renewal.
    package internal(set) var price: Money
    /// An offer redeemed for the next renewal.
    @Boxed package internal(set) var offer: OfferTerms?
    package internal(set) var priceIncrease: PriceIncrease?

    package init(isOn: Bool, productID: Product.ID, price: Money, offer: OfferTerms? = nil) {
        self.isOn = isOn
        self.productID = productID
        self.price = price
        self.offer = offer
    }
}

extension Subscription {
    /// The offer of the next period: the remaining periods of the running one, then a redeemed one. Remaining periods
    /// don't move to another product.
    @inline(__always)
    package var nextOffer: ActiveOffer? {
        // Usually there is none, and nothing else is read.
        current.offer == nil && renewal.offer == nil ? nil : offerAhead
    }

    private var offerAhead: ActiveOffer? {
        guard let running = current.offer, continuesOffer else { return renewal.offer.map(ActiveOffer.init) }
        return ActiveOffer(terms: running.terms, periodsLeft: running.periodsLeft - 1)
    }

    /// True if the next period continues the running offer.
    var continuesOffer: Bool {
        renewal.productID == product.id && (current.offer?.periodsLeft ?? 0) > 0
    }

    /// The price of the next period.
    package var nextPrice: Money { nextOffer?.terms.price ?? renewal.price }

    /// True if the next renewal waits for the customer's consent to its price. A period under an offer doesn't charge
    /// that price.
    var needsConsent: Bool {
        switch renewal.priceIncrease {
        case .awaitingConsent, .declined: nextOffer == nil
        case .accepted, .announced, nil: false
        }
    }
}
