/// An introductory offer as App Store Connect lists it: in one storefront, or in all.
package struct ListedIntroductoryOffer: Hashable, Sendable {
    package var id: String
    /// `nil` for a free trial in all storefronts.
    package var storefront: Storefront?
    package var offer: Offer

    /// The price in the storefront; `nil` for a free trial.
    package var price: Money? {
        offer.paymentMode == .freeTrial ? nil : storefront.flatMap { offer.price(in: $0) }
    }
    package var starts: PacificDay? { offer.availability?.starts.map { PacificDay($0) } }
    /// The day on which it has ended.
    package var ends: PacificDay? { offer.availability?.ends.map { PacificDay($0) } }
}

extension CatalogProduct {
    /// The product's introductory offers. A paid one of all storefronts is listed for each, as App Store Connect has it.
    package var listedIntroductoryOffers: [ListedIntroductoryOffer] {
        guard let subscription = product.subscription else { return [] }
        return subscription.introductoryOffers.flatMap { offer in
            storefronts(of: offer).map { storefront in
                ListedIntroductoryOffer(
                    id: introductoryOfferID(storefront, offer.availability?.starts), storefront: storefront,
                    offer: offer)
            }
        }
    }

    /// The introductory offers in groups of the same terms and days, which differ in storefronts and prices only.
    package var introductoryOfferGroups: [[ListedIntroductoryOffer]] {
        struct Terms: Hashable {
            var mode: Offer.PaymentMode
            var period: Period
            var count: Int
            var starts: Instant?
            var ends: Instant?
        }
        var order: [Terms] = []
        var groups: [Terms: [ListedIntroductoryOffer]] = [:]
        for listed in listedIntroductoryOffers {
            let offer = listed.offer
            let terms = Terms(
                mode: offer.paymentMode, period: offer.period, count: offer.periodCount,
                starts: offer.availability?.starts, ends: offer.availability?.ends)
            if groups[terms] == nil { order.append(terms) }
            groups[terms, default: []].append(listed)
        }
        return order.compactMap { groups[$0] }
    }

    /// Adds an introductory offer and returns its ID.
    ///
    /// - Parameters:
    ///   - proposal: One price at most. Without one the offer is a free trial.
    ///   - starts: The first day; `nil` for at once.
    ///   - ends: The day on which it has ended; `nil` for an offer without an end.
    ///   - today: The day by the store's clock.
    /// - Throws: ``CatalogEditError``.
    package mutating func addIntroductoryOffer(
        _ proposal: OfferProposal, in storefront: Storefront?, from starts: PacificDay?, until ends: PacificDay?,
        today: PacificDay
    ) throws -> String {
        let subscription = try renewingSubscription("subscription")
        try OfferTermsRules.check(proposal, of: subscription.period, count: "numberOfPeriods")
        try Self.check(price: proposal.prices.first?.price, of: proposal.paymentMode)
        if let storefront, storefront.currency == nil {
            throw CatalogEditError(
                .relationshipInvalid, at: .relationship("territory"), "\(storefront) is no territory of the App Store")
        }
        if let starts, starts < today {
            throw CatalogEditError(.invalid, at: .attribute("startDate"), "The start date is today, \(today), or later")
        }
        try Self.check(end: ends, after: max(starts ?? today, today))
        var availability = OfferAvailability(
            storefronts: storefront.map { [$0] }, starts: starts?.start, ends: ends?.start)
        let others = listedIntroductoryOffers.filter {
            $0.storefront == nil || storefront == nil || $0.storefront == storefront
        }
        // An offer without a start begins today where another one was before.
        if starts == nil, others.contains(where: { $0.offer.availability?.starts == nil }) {
            availability.starts = today.start
        }
        try Self.expectNoOverlap(availability, with: others, at: "startDate")
        var offer = proposal.offer(id: nil, name: "", currency: product.basePrice.currency)
        add(&offer, availability)
        return introductoryOfferID(storefront, availability.starts)
    }

    /// Changes the end of an introductory offer.
    ///
    /// - Throws: ``CatalogEditError``.
    package mutating func setEnd(
        ofIntroductoryOffer id: String, to ends: PacificDay?, today: PacificDay
    ) throws {
        try splitIntroductoryOffer(whichHas: id)
        let listed = listedIntroductoryOffers
        guard let found = listed.first(where: { $0.id == id }) else { throw Self.unknownOffer(id) }
        try Self.check(end: ends, after: max(found.starts ?? today, today))
        var availability = found.offer.availability ?? OfferAvailability()
        availability.ends = ends?.start
        let others = listed.filter { other in
            other.id != id
                && (other.storefront == nil || found.storefront == nil || other.storefront == found.storefront)
        }
        try Self.expectNoOverlap(availability, with: others, at: "endDate")
        removeOffer(found)
        var offer = found.offer
        add(&offer, availability)
    }

    /// Changes the end of introductory offers.
    ///
    /// - Parameter isMeant: Called for each offer in each storefront.
    /// - Throws: ``CatalogEditError``, also if none is meant.
    package mutating func setEnd(
        ofIntroductoryOffersWhere isMeant: (ListedIntroductoryOffer) -> Bool, to ends: PacificDay?, today: PacificDay
    ) throws {
        let listed = listedIntroductoryOffers
        let meant = listed.filter(isMeant)
        guard !meant.isEmpty else {
            throw CatalogEditError(.notFound, "The product has no such introductory offer.")
        }
        // Most offers end in all of their storefronts at once, which needs no split.
        let whole = Dictionary(grouping: listed, by: \.offer).filter { $0.value.allSatisfy(isMeant) }
        for part in meant {
            guard let parts = whole[part.offer] else {
                try setEnd(ofIntroductoryOffer: part.id, to: ends, today: today)
                continue
            }
            guard part == parts.first else { continue }
            try Self.check(end: ends, after: max(part.starts ?? today, today))
            var availability = part.offer.availability ?? OfferAvailability()
            availability.ends = ends?.start
            let places = Set(parts.map(\.storefront))
            let others = listed.filter { other in
                other.offer != part.offer
                    && (other.storefront == nil || places.contains(nil) || places.contains(other.storefront))
            }
            try Self.expectNoOverlap(availability, with: others, at: "endDate")
            removeOffer(part)
            var offer = part.offer
            add(&offer, availability)
        }
    }

    private mutating func add(_ offer: inout Offer, _ availability: OfferAvailability) {
        if availability == OfferAvailability() {
            offer.availability = nil
            product.subscription?.introductoryOffer = offer
        } else {
            offer.availability = availability
            product.subscription?.limitedIntroductoryOffers.append(offer)
        }
    }

    /// Deletes an introductory offer. Customers who have it keep it.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package mutating func removeIntroductoryOffer(_ id: String) throws {
        try splitIntroductoryOffer(whichHas: id)
        guard let found = listedIntroductoryOffers.first(where: { $0.id == id }) else { throw Self.unknownOffer(id) }
        removeOffer(found)
    }

    /// Deletes introductory offers. Customers who have them keep them.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound` if none is meant.
    package mutating func removeIntroductoryOffers(where isMeant: (ListedIntroductoryOffer) -> Bool) throws {
        let listed = listedIntroductoryOffers
        guard listed.contains(where: isMeant) else {
            throw CatalogEditError(.notFound, "The product has no such introductory offer.")
        }
        // Most offers are removed in all of their storefronts, which needs no split.
        let whole = Set(Dictionary(grouping: listed, by: \.offer).filter { $0.value.allSatisfy(isMeant) }.keys)
        if let offer = product.subscription?.introductoryOffer, whole.contains(offer) {
            product.subscription?.introductoryOffer = nil
        }
        product.subscription?.limitedIntroductoryOffers.removeAll { whole.contains($0) }
        for offer in listed where isMeant(offer) && !whole.contains(offer.offer) {
            try removeIntroductoryOffer(offer.id)
        }
    }

    // MARK: - Parts

    private func introductoryOfferID(_ storefront: Storefront?, _ starts: Instant?) -> String {
        let day = starts.map { PacificDay($0).description } ?? ""
        return OfferNumber.make(
            product: appleID, kind: .introductory, key: "\(storefront?.rawValue ?? "*") \(day)")
    }

    /// The storefronts in which an offer is listed; `nil` stands for all of them.
    private func storefronts(of offer: Offer) -> [Storefront?] {
        if let storefronts = offer.availability?.storefronts {
            return storefronts.sorted { $0.rawValue < $1.rawValue }
        }
        return offer.paymentMode == .freeTrial ? [nil] : offer.storefrontPrices(of: product).map(\.storefront)
    }

    /// Replaces an offer of several storefronts by one for each, so that one of them can be changed.
    private mutating func splitIntroductoryOffer(whichHas id: String) throws {
        guard let found = listedIntroductoryOffers.first(where: { $0.id == id }) else { throw Self.unknownOffer(id) }
        let storefronts = storefronts(of: found.offer).compactMap(\.self)
        guard storefronts.count > 1 else { return }
        removeOffer(found)
        product.subscription?.limitedIntroductoryOffers += storefronts.map { storefront in
            var part = found.offer
            part.prices = part.prices.filter { $0.key == storefront }
            if let price = found.offer.price(in: storefront) { part.basePrice = price }
            part.availability = found.offer.availability ?? OfferAvailability()
            part.availability?.storefronts = [storefront]
            return part
        }
    }

    private mutating func removeOffer(_ listed: ListedIntroductoryOffer) {
        if product.subscription?.introductoryOffer == listed.offer { product.subscription?.introductoryOffer = nil }
        product.subscription?.limitedIntroductoryOffers.removeAll { $0 == listed.offer }
    }

    private static func check(price: Money?, of mode: Offer.PaymentMode) throws {
        switch (mode, price) {
        case (.freeTrial, .some):
            throw CatalogEditError(
                .relationshipInvalid, at: .relationship("subscriptionPricePoint"), "A free trial has no price")
        case (.payAsYouGo, nil), (.payUpFront, nil):
            throw CatalogEditError(
                .relationshipRequired, at: .relationship("subscriptionPricePoint"),
                "You must provide a value for the relationship 'subscriptionPricePoint' with this request")
        default: break
        }
    }

    private static func check(end: PacificDay?, after start: PacificDay) throws {
        guard let end, end <= start else { return }
        throw CatalogEditError(.invalid, at: .attribute("endDate"), "The end date is after \(start)")
    }

    private static func expectNoOverlap(
        _ availability: OfferAvailability, with others: [ListedIntroductoryOffer], at field: String
    ) throws {
        func span(_ availability: OfferAvailability?) -> Range<Int64> {
            let start = availability?.starts?.milliseconds ?? .min
            return start..<max(start, availability?.ends?.milliseconds ?? .max)
        }
        let new = span(availability)
        guard let other = others.first(where: { span($0.offer.availability).overlaps(new) }) else { return }
        let days = "\(other.starts?.description ?? "now") to \(other.ends?.description ?? "no end")"
        throw CatalogEditError(
            .invalidInterval, at: .attribute(field),
            "Another introductory offer is available in \(other.storefront?.rawValue ?? "all territories") from \(days)"
        )
    }
}
