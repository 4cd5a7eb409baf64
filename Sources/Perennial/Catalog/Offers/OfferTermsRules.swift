/// The terms of an offer as a seller asks for them.
package struct OfferProposal: Hashable, Sendable {
    package var paymentMode: Offer.PaymentMode
    package var period: Period
    package var periodCount: Int
    /// The storefronts with their prices, in the order of the request.
    package var prices: [OfferPrice]

    package init(paymentMode: Offer.PaymentMode, period: Period, periodCount: Int, prices: [OfferPrice] = []) {
        self.paymentMode = paymentMode
        self.period = period
        self.periodCount = periodCount
        self.prices = prices
    }
}

/// An offer's price in a storefront.
package struct OfferPrice: Hashable, Sendable {
    package var storefront: Storefront
    /// `nil` for an offer that is free there.
    package var price: Money?

    package init(storefront: Storefront, price: Money? = nil) {
        self.storefront = storefront
        self.price = price
    }
}

/// App Store Connect's rules for the terms of offers (App Store Connect help, "Set up introductory offers" and "Set up
/// promotional offers").
package enum OfferTermsRules {
    /// The durations of free trials. Payments up front have those of a month and more.
    package static let durations: [Period] = [
        Period(3, .day), .week, Period(2, .week), .month, Period(2, .month), Period(3, .month), Period(6, .month),
        .year,
    ]

    /// Checks mode, duration and number of periods for a subscription of a period.
    ///
    /// - Parameter count: The name of the attribute that has the number of periods.
    /// - Throws: ``CatalogEditError`` `.invalid`.
    package static func check(_ proposal: OfferProposal, of subscription: Period, count: String) throws {
        switch proposal.paymentMode {
        case .freeTrial, .payUpFront:
            let isTrial = proposal.paymentMode == .freeTrial
            let allowed = isTrial ? durations : durations.filter { $0.unit == .month || $0.unit == .year }
            guard allowed.contains(where: { $0 == proposal.period }) else {
                let names = allowed.map(\.iso8601).joined(separator: ", ")
                throw CatalogEditError(
                    .invalid, at: .attribute("duration"),
                    "\(isTrial ? "A free trial" : "An offer paid up front") lasts one of \(names)")
            }
            guard proposal.periodCount == 1 else {
                throw CatalogEditError(.invalid, at: .attribute(count), "The offer has 1 period")
            }
        case .payAsYouGo:
            guard proposal.period == subscription else {
                throw CatalogEditError(
                    .invalid, at: .attribute("duration"),
                    "An offer paid as you go has the subscription's duration, \(subscription)")
            }
            let most = maximumPeriods(of: subscription)
            guard (1...most).contains(proposal.periodCount) else {
                throw CatalogEditError(.invalid, at: .attribute(count), "The offer has 1 to \(most) periods")
            }
        }
    }

    /// The most periods of an offer paid as you go: a year, or 12 weeks.
    private static func maximumPeriods(of period: Period) -> Int {
        switch period.unit {
        case .day, .week: 12
        case .month: max(1, 12 / max(1, period.count))
        case .year: 1
        }
    }

    /// Checks the prices: one for each storefront, in its currency, and none for a free trial.
    ///
    /// - Parameter point: The name of the relationship to the price point.
    /// - Throws: ``CatalogEditError``.
    package static func check(_ prices: [OfferPrice], mode: Offer.PaymentMode, point: String) throws {
        var seen: Set<Storefront> = []
        for (index, price) in prices.enumerated() {
            guard let currency = price.storefront.currency else {
                throw CatalogEditError(
                    .relationshipInvalid, at: .includedRelationship(index, "territory"),
                    "\(price.storefront) is no territory of the App Store")
            }
            guard seen.insert(price.storefront).inserted else {
                throw CatalogEditError(
                    .relationshipInvalid, at: .includedRelationship(index, "territory"),
                    "There is another price for the territory \(price.storefront)")
            }
            if mode == .freeTrial, price.price != nil {
                throw CatalogEditError(
                    .relationshipInvalid, at: .includedRelationship(index, point), "A free trial has no price")
            }
            if mode != .freeTrial {
                guard let money = price.price else {
                    throw CatalogEditError(
                        .relationshipRequired, at: .includedRelationship(index, point),
                        "You must provide a value for the relationship '\(point)' with this request")
                }
                guard money.currency == currency, money.milliunits >= 0 else {
                    throw CatalogEditError(
                        .relationshipInvalid, at: .includedRelationship(index, point),
                        "The price \(money) is none in \(price.storefront), whose currency is \(currency)")
                }
            }
        }
        if mode != .freeTrial, prices.isEmpty {
            throw CatalogEditError(
                .relationshipRequired, at: .relationship("prices"), "An offer that is paid has prices")
        }
    }
}

extension OfferProposal {
    /// The price in storefronts without their own: that of the United States, or the first. Zero for a free trial.
    func basePrice(in currency: Currency) -> Money {
        guard paymentMode != .freeTrial else { return .zero(currency) }
        let priced = prices.first { $0.storefront == .usa && $0.price != nil } ?? prices.first { $0.price != nil }
        return priced?.price ?? .zero(currency)
    }

    /// The storefronts of the prices; `nil` for a free trial everywhere.
    var availability: OfferAvailability? {
        prices.isEmpty ? nil : OfferAvailability(storefronts: Set(prices.map(\.storefront)))
    }

    var priceByStorefront: [Storefront: Money] {
        Dictionary(prices.compactMap { price in price.price.map { (price.storefront, $0) } }) { first, _ in first }
    }

    func offer(id: String?, name: String, currency: Currency) -> Offer {
        Offer(
            id: id, referenceName: name, paymentMode: paymentMode, period: period, periodCount: periodCount,
            basePrice: basePrice(in: currency), prices: priceByStorefront, availability: availability)
    }
}

extension Offer {
    /// The storefronts in which an offer of a product is available, with its prices: by code.
    package func storefrontPrices(of product: Product) -> [OfferPrice] {
        let storefronts = Storefront.all.map(\.storefront).filter {
            (availability?.includes($0) ?? true) && (product.availability?.storefronts.contains($0) ?? true)
        }
        return storefronts.map {
            OfferPrice(storefront: $0, price: paymentMode == .freeTrial ? nil : price(in: $0))
        }
    }
}
