/// An offer for one purchase of a product that doesn't renew. A customer takes it by redeeming an offer code.
package struct OneTimeOffer: Hashable, Sendable, Codable {
    /// The eligible groups, by the customer's spending in the app (App Store Connect help, "Create offer codes for
    /// In-App Purchases").
    package enum Eligibility: String, Sendable, Codable, CaseIterable {
        /// Has paid for nothing.
        case nonSpender
        /// Has paid in the last 30 days.
        case activeSpender
        /// Has paid, but more than 30 days ago.
        case churnedSpender
    }

    /// The time after a payment during which a customer is an active spender.
    package static let activeTime: Int64 = .days(30)

    package var id: String
    package var referenceName: String
    /// The price in storefronts without one in `prices`; zero for a gift.
    package var basePrice: Money
    package var prices: [Storefront: Money]
    /// The eligible groups; empty for all customers.
    package var eligibility: Set<Eligibility>
    /// The storefronts; `nil` for all.
    package var availability: OfferAvailability?

    package init(
        id: String, referenceName: String = "", basePrice: Money, prices: [Storefront: Money] = [:],
        eligibility: Set<Eligibility> = [], availability: OfferAvailability? = nil
    ) {
        self.id = id
        self.referenceName = referenceName
        self.basePrice = basePrice
        self.prices = prices
        self.eligibility = eligibility
        self.availability = availability
    }

    /// The offer as its transactions record it.
    package var applied: AppliedOffer { AppliedOffer(kind: .code, id: id, paymentMode: .oneTime, period: nil) }

    /// Checks that the customer is eligible and has not redeemed the offer before.
    func expectEligible(_ spending: CustomerSpending, at now: Instant) throws {
        guard eligibility.isEmpty || eligibility.contains(spending.eligibility(at: now)) else {
            throw OfferError(.notEligible, id, "this code's offer is for other customers")
        }
        guard !spending.redeemedOffers.contains(id) else {
            throw OfferError(.alreadyUsed, id, "a code's offer is redeemed once")
        }
    }
}

/// A customer's spending in an app, as far as one-time offers depend on it.
package struct CustomerSpending: Hashable, Sendable {
    /// The date of the last payment in the app; `nil` for none.
    package var lastPaid: Instant?
    /// The one-time offers that the customer has redeemed for the product.
    package var redeemedOffers: Set<String>

    package init(lastPaid: Instant? = nil, redeemedOffers: Set<String> = []) {
        self.lastPaid = lastPaid
        self.redeemedOffers = redeemedOffers
    }

    package func eligibility(at now: Instant) -> OneTimeOffer.Eligibility {
        guard let lastPaid else { return .nonSpender }
        return now <= lastPaid + OneTimeOffer.activeTime ? .activeSpender : .churnedSpender
    }
}

extension OfferRequest {
    /// Returns the offer of a sale of a product that doesn't renew; `nil` if none is requested.
    ///
    /// - Throws: ``OfferError``: these products have offers for codes only.
    func oneTimeOffer(
        for product: Product, in storefront: Storefront, _ spending: CustomerSpending, at now: Instant
    ) throws -> OneTimeOffer? {
        switch self {
        case .automatic: return nil
        case .code(let id):
            guard let offer = product.codeOffers.first(where: { $0.id == id }),
                offer.isAvailable(in: storefront, at: now)
            else {
                throw OfferError(.unknownOffer, id, "the product has no such offer in this store now")
            }
            try offer.expectEligible(spending, at: now)
            return offer
        case .promotional(let id), .winBack(let id):
            throw OfferError(.unknownOffer, id, "a product that doesn't renew has offers for codes only")
        }
    }
}

extension Product {
    /// Returns the reference name of one of the product's code offers, which may be empty; `nil` for an unknown ID.
    package func referenceName(ofCodeOffer id: String) -> String? {
        subscription?.codeOffers.first { $0.id == id }?.referenceName
            ?? codeOffers.first { $0.id == id }?.referenceName
    }
}
