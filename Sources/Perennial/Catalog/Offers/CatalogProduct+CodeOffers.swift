extension CatalogProduct {
    /// Adds an offer for codes to a subscription and returns its ID in the App Store Connect API.
    ///
    /// The name is the offer's ID in transactions, as with Apple.
    /// - Throws: ``CatalogEditError``.
    package mutating func addCodeOffer(
        _ name: String, for eligibility: Set<Offer.Eligibility>, isStackable: Bool, _ proposal: OfferProposal
    ) throws -> String {
        let subscription = try renewingSubscription("subscription")
        try OfferTermsRules.check(proposal, of: subscription.period, count: "numberOfPeriods")
        try OfferTermsRules.check(proposal.prices, mode: proposal.paymentMode, point: "subscriptionPricePoint")
        try Self.expectSome(eligibility)
        try expectUnused(offerID: name, field: "name", name: name, nameField: "name")
        var offer = proposal.offer(id: name, name: name, currency: product.basePrice.currency)
        offer.eligibility = eligibility
        offer.isStackable = isStackable
        product.subscription?.codeOffers.append(offer)
        return connectID(of: .code, name)
    }

    /// Adds an offer for codes to a product that doesn't renew and returns its ID in the App Store Connect API.
    ///
    /// - Parameter prices: A storefront without a price has the product for free.
    /// - Throws: ``CatalogEditError``.
    package mutating func addCodeOffer(
        _ name: String, for eligibility: Set<OneTimeOffer.Eligibility>, prices: [OfferPrice]
    ) throws -> String {
        guard !product.type.renews else {
            throw CatalogEditError(
                .relationshipInvalid, at: .relationship("inAppPurchase"), "A subscription has offers of its own")
        }
        try Self.expectSome(eligibility)
        let complete = prices.map { price in
            OfferPrice(
                storefront: price.storefront, price: price.price ?? price.storefront.currency.map { .zero($0) })
        }
        try OfferTermsRules.check(complete, mode: .payUpFront, point: "pricePoint")
        try expectUnused(offerID: name, field: "name", name: name, nameField: "name")
        let proposal = OfferProposal(paymentMode: .payUpFront, period: .month, periodCount: 1, prices: complete)
        product.codeOffers.append(
            OneTimeOffer(
                id: name, referenceName: name, basePrice: proposal.basePrice(in: product.basePrice.currency),
                prices: proposal.priceByStorefront, eligibility: eligibility, availability: proposal.availability))
        return connectID(of: .code, name)
    }

    /// Ends an offer for codes for good: none of its codes can be redeemed any more.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`, or `.stateInvalid` for an offer that has ended and shall begin again.
    package mutating func setCodeOffer(_ offerID: String, active: Bool) throws {
        func change(_ availability: inout OfferAvailability?) throws {
            if active, availability?.isActive == false {
                throw CatalogEditError(
                    .stateInvalid, at: .attribute("active"), "An offer that was deactivated can't be activated again")
            }
            guard !active else { return }
            availability = availability ?? OfferAvailability()
            availability?.isActive = false
        }
        if let index = product.subscription?.codeOffers.firstIndex(where: { $0.id == offerID }) {
            var offer = product.subscription?.codeOffers[index].availability
            try change(&offer)
            product.subscription?.codeOffers[index].availability = offer
        } else if let index = product.codeOffers.firstIndex(where: { $0.id == offerID }) {
            var offer = product.codeOffers[index].availability
            try change(&offer)
            product.codeOffers[index].availability = offer
        } else {
            throw Self.unknownOffer(offerID)
        }
    }

    /// True if an offer for codes exists and has not been ended; `nil` for an unknown one.
    package func isCodeOfferActive(_ offerID: String) -> Bool? {
        if let offer = product.subscription?.codeOffers.first(where: { $0.id == offerID }) {
            return offer.availability?.isActive ?? true
        }
        return product.codeOffers.first { $0.id == offerID }.map { $0.availability?.isActive ?? true }
    }

    private static func expectSome<Eligibility>(_ eligibility: Set<Eligibility>) throws {
        guard eligibility.isEmpty else { return }
        throw CatalogEditError(
            .invalid, at: .attribute("customerEligibilities"), "The offer is for at least one kind of customers")
    }
}
