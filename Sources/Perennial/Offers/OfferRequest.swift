/// The offer requested for a purchase.
package enum OfferRequest: Hashable, Sendable {
    /// The introductory offer if the customer is eligible.
    /// - Parameter allowIntroductory: The seller's decision on eligibility, from a signed token; `nil` for the
    ///   store's rule.
    case automatic(allowIntroductory: Bool? = nil)
    /// A promotional offer whose signature was verified.
    case promotional(id: String)
    /// The offer of a redeemable code.
    case code(offerID: String)
    /// A win-back offer, whose own rules decide about eligibility.
    case winBack(id: String)

    /// Returns the offers of the sale: the one that applies first, then the one that follows it.
    ///
    /// - Parameter subscriptions: The customer's subscriptions in the product's group.
    /// - Throws: ``OfferError``.
    package func terms(
        for product: Product, in storefront: Storefront, _ subscriptions: GroupSubscriptions, at now: Instant,
        _ timing: SubscriptionTiming
    ) throws -> [OfferTerms] {
        let subscription = subscriptions.own
        guard let offers = product.subscription else {
            if case .automatic = self { return [] }
            throw OfferError(.unknownOffer, product.id.rawValue, "only subscriptions that renew have offers")
        }
        switch self {
        case .automatic(let allowed):
            let isAllowed = allowed ?? OfferEligibility.introductory(subscriptions)
            guard isAllowed, let offer = offers.introductoryOffer(in: storefront, at: now) else { return [] }
            return [OfferTerms(offer, .introductory, in: storefront)].compactMap(\.self)
        case .promotional(let id):
            let terms = try Self.find(id, among: offers.promotionalOffers, .promotional, storefront, now)
            guard OfferEligibility.promotional(subscription) else {
                throw OfferError(.notEligible, id, "promotional offers are for those who subscribe or have subscribed")
            }
            if terms.paymentMode == .payAsYouGo, let price = product.price(in: storefront),
                terms.price.milliunits > price.milliunits
            {
                throw OfferError(.priceTooHigh, id, "the offer costs more in this store than the product without it")
            }
            return [terms]
        case .code(let id):
            return try Self.code(id, offers, storefront, subscriptions, now)
        case .winBack(let id):
            let terms = try Self.find(id, among: offers.winBackOffers, .winBack, storefront, now)
            guard
                OfferEligibility.winBack(product, subscription, at: now, timing).contains(where: { $0.id == id })
            else {
                throw OfferError(.notEligible, id, "this win-back offer is for others who left")
            }
            return [terms]
        }
    }

    private static func code(
        _ id: String, _ offers: Product.Subscription, _ storefront: Storefront, _ subscriptions: GroupSubscriptions,
        _ now: Instant
    ) throws -> [OfferTerms] {
        let subscription = subscriptions.own
        let terms = try find(id, among: offers.codeOffers, .code, storefront, now)
        let offer = offers.codeOffers.first { $0.id == id }
        guard OfferEligibility.code(offer?.eligibility ?? [], subscription) else {
            throw OfferError(.notEligible, id, "this code's offer is for other customers")
        }
        guard !OfferEligibility.isUsed(.code, id, subscription) else {
            throw OfferError(.alreadyUsed, id, "a code's offer is redeemed once")
        }
        if offer?.isStackable == true, OfferEligibility.introductory(subscriptions),
            let introductory = offers.introductoryOffer(in: storefront, at: now).flatMap({
                OfferTerms($0, .introductory, in: storefront)
            })
        {
            return [introductory, terms]
        }
        return [terms]
    }

    private static func find(
        _ id: String, among offers: [Offer], _ kind: AppliedOffer.Kind, _ storefront: Storefront, _ now: Instant
    ) throws -> OfferTerms {
        guard let offer = offers.first(where: { $0.id == id }), offer.isAvailable(in: storefront, at: now),
            let terms = OfferTerms(offer, kind, in: storefront)
        else {
            throw OfferError(.unknownOffer, id, "the product has no such offer in this store now")
        }
        return terms
    }
}

/// The reason why an offer is refused. Nothing was charged.
package struct OfferError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case unknownOffer
        case notEligible
        case alreadyUsed
        case signatureInvalid
        case signatureExpired
        case wrongSubject
        case priceTooHigh
        case unknownCode
        case codeExpired
        case codeExhausted
    }

    package let code: Code
    /// The ID of the offer, or the offer code.
    package let offer: String
    /// A message for people: the problem and its cure.
    package let reason: String

    package init(_ code: Code, _ offer: String, _ reason: String) {
        self.code = code
        self.offer = offer
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(offer): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
