/// The App Store's rules for subscriptions and their offers.
enum OfferValidation {
    static func problems(of subscription: Product.Subscription, _ product: Product) -> [ProductProblem] {
        var problems: [ProductProblem] = []
        if subscription.level < 1 {
            problems.append(.error(.levelTooLow, product, "the level \(subscription.level) is below 1, the highest"))
        }
        if !ProductValidation.offeredPeriods.contains(subscription.period) {
            let offered = ProductValidation.offeredPeriods.map(\.iso8601).joined(separator: ", ")
            let reason = "the period \(subscription.period) is none of the App Store's (\(offered))"
            problems.append(.warning(.periodNotOffered, product, reason))
        }
        let kinds = [subscription.promotionalOffers, subscription.codeOffers, subscription.winBackOffers]
        for offer in subscription.introductoryOffers + kinds.joined() {
            problems += self.problems(of: offer, product)
        }
        for offers in kinds { problems += duplicates(among: offers.compactMap(\.id), product) }
        return problems
    }

    /// Returns the problems of the offers of a product that doesn't renew.
    static func problems(ofCodeOffersOf product: Product) -> [ProductProblem] {
        guard !product.codeOffers.isEmpty else { return [] }
        guard !product.type.renews else {
            return [.error(.malformedOffer, product, "the offers of a subscription stand in its subscription")]
        }
        var problems: [ProductProblem] = []
        for offer in product.codeOffers {
            let prices = [offer.basePrice] + offer.prices.values
            if prices.contains(where: { $0.milliunits < 0 }) {
                problems.append(.error(.malformedOffer, product, "the offer \(offer.id) has a price below zero"))
            }
            if offer.basePrice.currency == product.basePrice.currency,
                offer.basePrice.milliunits > product.basePrice.milliunits
            {
                let reason =
                    "the offer \(offer.id) costs \(offer.basePrice), more than the product at \(product.basePrice)"
                problems.append(.warning(.offerDearerThanPrice, product, reason))
            }
        }
        return problems + duplicates(among: product.codeOffers.map(\.id), product)
    }

    private static func problems(of offer: Offer, _ product: Product) -> [ProductProblem] {
        let name = offer.id.map { "the offer \($0)" } ?? "the introductory offer"
        var problems: [ProductProblem] = []
        if !(1...ProductValidation.maximumOfferPeriodCount).contains(offer.periodCount) {
            let reason =
                "\(name) has \(offer.periodCount) periods, not 1 to \(ProductValidation.maximumOfferPeriodCount)"
            problems.append(.error(.malformedOffer, product, reason))
        }
        let prices = [offer.basePrice] + offer.prices.values
        if offer.paymentMode == .freeTrial, prices.contains(where: { $0.milliunits != 0 }) {
            problems.append(.error(.malformedOffer, product, "\(name) is a free trial and has a price"))
        }
        if prices.contains(where: { $0.milliunits < 0 }) {
            problems.append(.error(.malformedOffer, product, "\(name) has a price below zero"))
        }
        if offer.paymentMode == .payAsYouGo, offer.period == product.subscription?.period,
            offer.basePrice.currency == product.basePrice.currency,
            offer.basePrice.milliunits > product.basePrice.milliunits
        {
            let reason = "\(name) costs \(offer.basePrice), more than the subscription at \(product.basePrice)"
            problems.append(.warning(.offerDearerThanPrice, product, reason))
        }
        return problems
    }

    private static func duplicates(among ids: [String], _ product: Product) -> [ProductProblem] {
        var seen: Set<String> = []
        return ids.compactMap { id in
            guard !seen.insert(id).inserted else { return nil }
            return .error(.duplicateOfferID, product, "the offer ID \(id) names another offer as well")
        }
    }
}
