/// A win-back offer as a seller asks for it.
package struct WinBackProposal: Hashable, Sendable {
    package var offerID: String
    package var referenceName: String
    package var terms: OfferProposal
    package var rules: WinBackRules
    package var starts: PacificDay
    /// The day on which it has ended; `nil` for an offer without an end.
    package var ends: PacificDay?
    package var listing: OfferListing.WinBack

    package init(
        offerID: String, referenceName: String, terms: OfferProposal, rules: WinBackRules, starts: PacificDay,
        ends: PacificDay? = nil, listing: OfferListing.WinBack = OfferListing.WinBack()
    ) {
        self.offerID = offerID
        self.referenceName = referenceName
        self.terms = terms
        self.rules = rules
        self.starts = starts
        self.ends = ends
        self.listing = listing
    }
}

/// Changes of a win-back offer; `nil` leaves a property as it is.
package struct WinBackChange: Hashable, Sendable {
    package var rules: WinBackRules?
    package var starts: PacificDay?
    /// The outer `nil` leaves the end as it is, the inner one removes it.
    package var ends: PacificDay??
    package var priority: OfferListing.WinBack.Priority?
    package var promotionIntent: OfferListing.WinBack.PromotionIntent?

    package init() {}
}

extension CatalogProduct {
    private static let longestWait = 60

    /// Adds a win-back offer and returns its ID in the App Store Connect API.
    ///
    /// - Parameter today: The day by the store's clock.
    /// - Throws: ``CatalogEditError``.
    package mutating func addWinBackOffer(_ proposal: WinBackProposal, today: PacificDay) throws -> String {
        let subscription = try renewingSubscription("subscription")
        guard product.state == .approved else {
            throw CatalogEditError(
                .state, at: .relationship("subscription"), "Only approved subscriptions have win-back offers")
        }
        try OfferTermsRules.check(proposal.terms, of: subscription.period, count: "periodCount")
        try OfferTermsRules.check(
            proposal.terms.prices, mode: proposal.terms.paymentMode, point: "subscriptionPricePoint")
        try Self.check(proposal.rules)
        try expectUnused(
            offerID: proposal.offerID, field: "offerId", name: proposal.referenceName, nameField: "referenceName")
        guard proposal.starts >= today else {
            throw CatalogEditError(.invalid, at: .attribute("startDate"), "The start date is today, \(today), or later")
        }
        try Self.check(end: proposal.ends, after: proposal.starts)
        var offer = proposal.terms.offer(
            id: proposal.offerID, name: proposal.referenceName, currency: product.basePrice.currency)
        offer.winBackRules = proposal.rules
        offer.availability = offer.availability ?? OfferAvailability()
        offer.availability?.starts = proposal.starts.start
        offer.availability?.ends = proposal.ends?.start
        listing.offers.winBack[proposal.offerID] = proposal.listing
        product.subscription?.winBackOffers.append(offer)
        orderWinBackOffers()
        return connectID(of: .winBack, proposal.offerID)
    }

    /// Changes a win-back offer. Once it has started, only its priority changes.
    ///
    /// - Throws: ``CatalogEditError``.
    package mutating func changeWinBackOffer(_ offerID: String, _ change: WinBackChange, today: PacificDay) throws {
        guard let index = product.subscription?.winBackOffers.firstIndex(where: { $0.id == offerID }),
            var offer = product.subscription?.winBackOffers[index]
        else { throw Self.unknownOffer(offerID) }
        var listed = listing.offers.winBack[offerID] ?? OfferListing.WinBack()
        let before = (offer, listed.promotionIntent)
        // An offer of a file without rules has the standard ones, which are no change.
        if let rules = change.rules, rules != offer.winBackRules ?? WinBackRules() { offer.winBackRules = rules }
        if change.starts != nil || change.ends != nil {
            var availability = offer.availability ?? OfferAvailability()
            if let starts = change.starts { availability.starts = starts.start }
            if let ends = change.ends { availability.ends = ends?.start }
            offer.availability = availability
        }
        listed.promotionIntent = change.promotionIntent ?? listed.promotionIntent
        if before.0 != offer || before.1 != listed.promotionIntent {
            guard let starts = before.0.availability?.starts, starts > today.start else {
                throw CatalogEditError(
                    .stateInvalid, "The offer has started: only its priority can be changed")
            }
            if let starts = change.starts, starts < today {
                throw CatalogEditError(
                    .invalid, at: .attribute("startDate"), "The start date is today, \(today), or later")
            }
            try Self.check(offer.winBackRules ?? WinBackRules())
            if let start = offer.availability?.starts {
                try Self.check(end: offer.availability?.ends.map { PacificDay($0) }, after: PacificDay(start))
            }
        }
        listed.priority = change.priority ?? listed.priority
        listing.offers.winBack[offerID] = listed
        product.subscription?.winBackOffers[index] = offer
        orderWinBackOffers()
    }

    /// Deletes a win-back offer. Customers who have it keep it; its ID and name stay used.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package mutating func removeWinBackOffer(_ offerID: String) throws {
        guard let offer = product.subscription?.winBackOffers.first(where: { $0.id == offerID }) else {
            throw Self.unknownOffer(offerID)
        }
        product.subscription?.winBackOffers.removeAll { $0.id == offerID }
        listing.offers.winBack[offerID] = nil
        retire(offerID, offer.referenceName)
    }

    // MARK: - Rules

    /// Puts offers of high priority first: customers are shown the first one that they are eligible for.
    private mutating func orderWinBackOffers() {
        let priorities = listing.offers.winBack
        func isHigh(_ offer: Offer) -> Bool { offer.id.flatMap { priorities[$0]?.priority } == .high }
        guard let offers = product.subscription?.winBackOffers else { return }
        product.subscription?.winBackOffers = offers.filter(isHigh) + offers.filter { !isHigh($0) }
    }

    private static func check(_ rules: WinBackRules) throws {
        func expect(_ isValid: Bool, _ field: String, _ detail: String) throws {
            guard !isValid else { return }
            throw CatalogEditError(.invalid, at: .attribute(field), detail)
        }
        let months = "1 to \(longestWait) months"
        try expect(
            (1...longestWait).contains(rules.paidMonths), "customerEligibilityPaidSubscriptionDurationInMonths",
            "The customer has paid for \(months)")
        let range = "customerEligibilityTimeSinceLastSubscribedInMonths"
        try expect((1...longestWait).contains(rules.monthsSinceEnd), range, "The minimum is \(months)")
        if let maximum = rules.maximumMonthsSinceEnd {
            try expect(
                (rules.monthsSinceEnd...max(longestWait, rules.monthsSinceEnd)).contains(maximum), range,
                "The maximum is not less than the minimum, and \(longestWait) months at most")
        }
        if let wait = rules.monthsBetweenOffers {
            try expect(
                (2...24).contains(wait), "customerEligibilityWaitBetweenOffersInMonths", "The wait is 2 to 24 months")
        }
    }

    private static func check(end: PacificDay?, after start: PacificDay) throws {
        guard let end, end <= start else { return }
        throw CatalogEditError(.invalid, at: .attribute("endDate"), "The end date is after \(start)")
    }
}
