/// What becomes of a subscription at the end of its period.
package struct RenewalPreference: Hashable, Sendable {
    package enum PriceIncrease: String, Sendable, Codable, CaseIterable {
        case awaitingConsent
        /// The customer said no, and may still change their mind.
        case declined
        case accepted
        /// The customer was merely notified: no consent is needed.
        case announced

        /// Whether the customer must agree, or had to.
        package var asksForConsent: Bool { self != .announced }

        /// The server API's `priceIncreaseStatus`: 0 while an answer is awaited.
        package var status: Int64 {
            switch self {
            case .awaitingConsent, .declined: 0
            case .accepted, .announced: 1
            }
        }
    }

    /// Whether auto-renew is on.
    package internal(set) var isOn: Bool
    /// The product that will renew.
    package internal(set) var productID: Product.ID
    /// The regular price at which it will renew.
    package internal(set) var price: Money
    /// An offer redeemed for the next renewal.
    @Aside package internal(set) var offer: OfferTerms?
    package internal(set) var priceIncrease: PriceIncrease?

    package init(isOn: Bool, productID: Product.ID, price: Money, offer: OfferTerms? = nil) {
        self.isOn = isOn
        self.productID = productID
        self.price = price
        self.offer = offer
    }
}

extension Subscription {
    /// The offer under which the next period will be sold: what is left of the one running, then one redeemed
    /// meanwhile. An offer is a product's: what is left of it doesn't go over to another.
    @inline(__always)
    package var nextOffer: OfferInForce? {
        // Most often there is none, and nothing else is looked at.
        current.offer == nil && renewal.offer == nil ? nil : offerAhead
    }

    private var offerAhead: OfferInForce? {
        guard let running = current.offer, continuesOffer else { return renewal.offer.map(OfferInForce.init) }
        return OfferInForce(terms: running.terms, periodsLeft: running.periodsLeft - 1)
    }

    /// Whether the next period is one more of the offer that is running.
    var continuesOffer: Bool {
        renewal.productID == product.id && (current.offer?.periodsLeft ?? 0) > 0
    }

    /// What the next period will cost.
    package var nextPrice: Money { nextOffer?.terms.price ?? renewal.price }

    /// Whether the next renewal waits for the customer's consent to its price. A period under an offer doesn't have it.
    var needsConsent: Bool {
        switch renewal.priceIncrease {
        case .awaitingConsent, .declined: nextOffer == nil
        case .accepted, .announced, nil: false
        }
    }
}
