/// A price of its own for one purchase of a product that doesn't renew. A customer takes it by redeeming an offer code.
package struct OneTimeOffer: Hashable, Sendable, Codable {
    /// Whom it is for, by what the customer has paid for in the app (App Store Connect help, "Create offer codes for In-App
    /// Purchases").
    package enum Eligibility: String, Sendable, Codable, CaseIterable {
        /// Nothing.
        case nonSpender
        /// Something in the last 30 days.
        case activeSpender
        /// Something, but more than 30 days ago.
        case churnedSpender
    }

    /// For how long after a purchase a customer is an active spender.
    package static let activeTime: Int64 = .days(30)

    package var id: String
    package var referenceName: String
    /// The price where `prices` says nothing; zero for a gift.
    package var basePrice: Money
    package var prices: [Storefront: Money]
    /// Empty for everybody.
    package var eligibility: Set<Eligibility>

    package init(
        id: String, referenceName: String = "", basePrice: Money, prices: [Storefront: Money] = [:],
        eligibility: Set<Eligibility> = []
    ) {
        self.id = id
        self.referenceName = referenceName
        self.basePrice = basePrice
        self.prices = prices
        self.eligibility = eligibility
    }

    /// What a transaction says that was made under it.
    package var applied: AppliedOffer { AppliedOffer(kind: .code, id: id, paymentMode: .oneTime, period: nil) }

    /// Whether a customer may have it: for whom it is, and once.
    ///
    /// - Throws: ``OfferError`` `.notEligible`, `.alreadyUsed`.
    func admit(_ spending: CustomerSpending, at now: Instant) throws {
        guard eligibility.isEmpty || eligibility.contains(spending.standing(at: now)) else {
            throw OfferError(.notEligible, id, "this code's offer is for other customers")
        }
        guard !spending.redeemedOffers.contains(id) else {
            throw OfferError(.alreadyUsed, id, "a code's offer is redeemed once")
        }
    }
}

/// What a customer bought in an app, as far as one-time offers depend on it.
package struct CustomerSpending: Hashable, Sendable {
    /// When the customer last paid for anything in the app; `nil` for never.
    package var lastPaid: Instant?
    /// The one-time offers that the customer has redeemed for the product.
    package var redeemedOffers: Set<String>

    package init(lastPaid: Instant? = nil, redeemedOffers: Set<String> = []) {
        self.lastPaid = lastPaid
        self.redeemedOffers = redeemedOffers
    }

    package func standing(at now: Instant) -> OneTimeOffer.Eligibility {
        guard let lastPaid else { return .nonSpender }
        return now <= lastPaid + OneTimeOffer.activeTime ? .activeSpender : .churnedSpender
    }
}

extension OfferRequest {
    /// The offer to sell a product under that doesn't renew; `nil` where none is asked for.
    ///
    /// - Throws: ``OfferError``: such products have offers for codes only.
    func oneTimeOffer(for product: Product, _ spending: CustomerSpending, at now: Instant) throws -> OneTimeOffer? {
        switch self {
        case .automatic: return nil
        case .code(let id):
            guard let offer = product.codeOffers.first(where: { $0.id == id }) else {
                throw OfferError(.unknownOffer, id, "the product has no such offer")
            }
            try offer.admit(spending, at: now)
            return offer
        case .promotional(let id), .winBack(let id):
            throw OfferError(.unknownOffer, id, "a product that doesn't renew has offers for codes only")
        }
    }
}

extension Product {
    /// The reference name of one of the product's offers for codes, which may be empty; `nil` where none has the ID.
    package func referenceName(ofCodeOffer id: String) -> String? {
        subscription?.codeOffers.first { $0.id == id }?.referenceName
            ?? codeOffers.first { $0.id == id }?.referenceName
    }
}
