/// The offer with which a customer wants to buy.
package enum OfferRequest: Hashable, Sendable {
    /// The introductory offer, if the customer may have it.
    /// - Parameter allowIntroductory: The seller's own word on eligibility, from a signed token; `nil` for the store's
    /// rule.
    case automatic(allowIntroductory: Bool? = nil)
    /// A promotional offer whose signature was verified.
    case promotional(id: String)
    /// The offer of a code that may be redeemed.
    case code(offerID: String)
    /// A win-back offer, for whom its own rules admit.
    case winBack(id: String)

    /// The offers to sell under: what applies first, then what follows it.
    ///
    /// - Parameter subscriptions: The customer's, in the product's group.
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
            guard isAllowed, let offer = offers.introductoryOffer else { return [] }
            return [OfferTerms(offer, .introductory, in: storefront)].compactMap(\.self)
        case .promotional(let id):
            let terms = try Self.find(id, among: offers.promotionalOffers, .promotional, storefront)
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
            return try Self.code(id, offers, storefront, subscriptions)
        case .winBack(let id):
            let terms = try Self.find(id, among: offers.winBackOffers, .winBack, storefront)
            guard
                OfferEligibility.winBack(product, subscription, at: now, timing).contains(where: { $0.id == id })
            else {
                throw OfferError(.notEligible, id, "this win-back offer is for others who left")
            }
            return [terms]
        }
    }

    private static func code(
        _ id: String, _ offers: Product.Subscription, _ storefront: Storefront, _ subscriptions: GroupSubscriptions
    ) throws -> [OfferTerms] {
        let subscription = subscriptions.own
        let terms = try find(id, among: offers.codeOffers, .code, storefront)
        let offer = offers.codeOffers.first { $0.id == id }
        guard OfferEligibility.code(offer?.eligibility ?? [], subscription) else {
            throw OfferError(.notEligible, id, "this code's offer is for other customers")
        }
        guard !OfferEligibility.isUsed(.code, id, subscription) else {
            throw OfferError(.alreadyUsed, id, "a code's offer is redeemed once")
        }
        if offer?.isStackable == true, OfferEligibility.introductory(subscriptions),
            let introductory = offers.introductoryOffer.flatMap({ OfferTerms($0, .introductory, in: storefront) })
        {
            return [introductory, terms]
        }
        return [terms]
    }

    private static func find(
        _ id: String, among offers: [Offer], _ kind: AppliedOffer.Kind, _ storefront: Storefront
    ) throws -> OfferTerms {
        guard let offer = offers.first(where: { $0.id == id }), let terms = OfferTerms(offer, kind, in: storefront)
        else {
            throw OfferError(.unknownOffer, id, "the product has no such offer in this store")
        }
        return terms
    }
}

/// Who may have which offer.
package enum OfferEligibility {
    /// Once in a group: who had an introductory offer of any of its products has had it, also through the family. What an
    /// app is told of a product and what a purchase costs are both this.
    ///
    /// Source: receipts, where a trial or introductory period among the customer's own transactions, shared ones too, means
    /// that there is no other in the group.
    package static func introductory(_ subscriptions: GroupSubscriptions) -> Bool {
        !subscriptions.all.contains(where: \.wasIntroduced)
    }

    /// Whoever subscribes or once did; the seller decides about the rest by signing.
    package static func promotional(_ subscription: Subscription?) -> Bool {
        subscription != nil
    }

    /// The win-back offers of a product that a customer may have now, in the seller's order: best first.
    package static func winBack(
        _ product: Product, _ subscription: Subscription?, at now: Instant, _ timing: SubscriptionTiming
    ) -> [Offer] {
        product.subscription?.winBackOffers.filter { offer in
            let rules = offer.winBackRules ?? WinBackRules()
            return offer.id.map { rules.admits(subscription, offer: $0, at: now, timing) } ?? false
        } ?? []
    }

    /// - Parameter groups: For whom the code is; empty for everybody.
    package static func code(_ groups: Set<Offer.Eligibility>, _ subscription: Subscription?) -> Bool {
        groups.isEmpty || groups.contains(standing(of: subscription))
    }

    static func isUsed(_ kind: AppliedOffer.Kind, _ id: String, _ subscription: Subscription?) -> Bool {
        subscription?.offersUsed.contains { $0.kind == kind && $0.id == id } ?? false
    }

    /// What a customer is to offer codes: never subscribed, subscribed, or gone.
    static func standing(of subscription: Subscription?) -> Offer.Eligibility {
        switch subscription?.state {
        case nil: .new
        case .active, .gracePeriod, .billingRetry: .existing
        case .expired, .revoked: .expired
        }
    }
}
