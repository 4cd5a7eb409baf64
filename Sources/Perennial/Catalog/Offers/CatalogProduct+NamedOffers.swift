extension CatalogProduct {
    /// The most promotional offers of a subscription at a time (App Store Connect help, "Set up promotional offers").
    package static let maximumPromotionalOffers = 10
    package static let maximumOfferNameLength = 64

    /// The ID of an offer in the App Store Connect API.
    package func connectID(of kind: CatalogOfferKind, _ offerID: String) -> String {
        OfferNumber.make(product: appleID, kind: kind, key: offerID)
    }

    /// Adds a promotional offer and returns its ID in the App Store Connect API.
    ///
    /// - Parameter offerID: The ID that the seller's server signs.
    /// - Throws: ``CatalogEditError``.
    package mutating func addPromotionalOffer(
        _ offerID: String, name: String, _ proposal: OfferProposal
    ) throws -> String {
        let subscription = try renewingSubscription("subscription")
        try OfferTermsRules.check(proposal, of: subscription.period, count: "numberOfPeriods")
        try OfferTermsRules.check(proposal.prices, mode: proposal.paymentMode, point: "subscriptionPricePoint")
        try expectUnused(offerID: offerID, field: "offerCode", name: name, nameField: "name")
        guard subscription.promotionalOffers.count < Self.maximumPromotionalOffers else {
            throw CatalogEditError(
                .limit, at: .relationship("subscription"),
                "A subscription has \(Self.maximumPromotionalOffers) promotional offers at most: delete another one")
        }
        product.subscription?.promotionalOffers.append(
            proposal.offer(id: offerID, name: name, currency: product.basePrice.currency))
        return connectID(of: .promotional, offerID)
    }

    /// Replaces the prices of a promotional offer, and its storefronts by theirs.
    ///
    /// - Throws: ``CatalogEditError``.
    package mutating func setPrices(ofPromotionalOffer offerID: String, to prices: [OfferPrice]) throws {
        guard let index = product.subscription?.promotionalOffers.firstIndex(where: { $0.id == offerID }),
            let offer = product.subscription?.promotionalOffers[index]
        else { throw Self.unknownOffer(offerID) }
        try OfferTermsRules.check(prices, mode: offer.paymentMode, point: "subscriptionPricePoint")
        let proposal = OfferProposal(
            paymentMode: offer.paymentMode, period: offer.period, periodCount: offer.periodCount, prices: prices)
        product.subscription?.promotionalOffers[index] = proposal.offer(
            id: offerID, name: offer.referenceName, currency: product.basePrice.currency)
    }

    /// Deletes a promotional offer. Customers who have it keep it; its ID and name stay used.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package mutating func removePromotionalOffer(_ offerID: String) throws {
        guard let offer = product.subscription?.promotionalOffers.first(where: { $0.id == offerID }) else {
            throw Self.unknownOffer(offerID)
        }
        product.subscription?.promotionalOffers.removeAll { $0.id == offerID }
        retire(offerID, offer.referenceName)
    }

    // MARK: - Names

    /// Returns the subscription of the product.
    ///
    /// - Throws: ``CatalogEditError`` for a product of another type.
    func renewingSubscription(_ relationship: String) throws -> Product.Subscription {
        guard let subscription = product.subscription, product.type == .autoRenewable else {
            throw CatalogEditError(
                .relationshipInvalid, at: .relationship(relationship),
                "Only auto-renewable subscriptions have such offers")
        }
        return subscription
    }

    /// Checks that an offer's ID and name are well formed and were never used for an offer of the product.
    func expectUnused(offerID: String, field: String, name: String, nameField: String) throws {
        guard !name.isEmpty, name.count <= Self.maximumOfferNameLength, !name.contains(where: \.isNewline) else {
            throw CatalogEditError(
                .invalid, at: .attribute(nameField), "The name has 1 to \(Self.maximumOfferNameLength) characters")
        }
        try ListingLimits.check(directionOf: name, nameField)
        if field != nameField, !ProductValidation.isWellFormed(identifier: offerID) {
            throw CatalogEditError(
                .invalid, at: .attribute(field), "The offer's ID has \(ProductValidation.identifierRule)")
        }
        let offers = namedOffers
        if offers.contains(where: { $0.id == offerID }) || listing.offers.retiredNames.contains(offerID) {
            throw CatalogEditError(
                .duplicate, at: .attribute(field), "The offer ID '\(offerID)' has already been used.")
        }
        if offers.contains(where: { $0.name == name }) || listing.offers.retiredNames.contains(name) {
            throw CatalogEditError(
                .duplicate, at: .attribute(nameField), "The offer name '\(name)' has already been used.")
        }
    }

    mutating func retire(_ offerID: String, _ name: String) {
        listing.offers.retiredNames.formUnion([offerID, name].filter { !$0.isEmpty })
    }

    private var namedOffers: [(id: String, name: String)] {
        let kinds = [
            product.subscription?.promotionalOffers, product.subscription?.codeOffers,
            product.subscription?.winBackOffers,
        ]
        return kinds.compactMap(\.self).joined().map { ($0.id ?? "", $0.referenceName) }
            + product.codeOffers.map { ($0.id, $0.referenceName) }
    }

    static func unknownOffer(_ id: String) -> CatalogEditError {
        CatalogEditError(.notFound, "The product has no such offer: \(id)")
    }
}
