import AppStoreFormats
import Perennial

extension AppBuilder {
    private var currency: Currency { app.defaultStorefront.currency ?? .usd }

    /// Merges the product with this ID, or adds it.
    mutating func merge(with entry: CatalogFile.Product, file: String) throws {
        let id = Product.ID(rawValue: entry.id)
        let place = CatalogPlace(file: file, spot: entry.position.spot)
        let type = try entry.type.map { try Self.productType($0, at: place) }
        var product: Product
        let index = app.products.firstIndex { $0.id == id }
        if let index {
            product = app.products[index]
            if let type, type != product.type {
                throw CatalogError(
                    .typeConflict, at: place,
                    "\(id) is \(type.catalogWord) here and \(product.type.catalogWord) in the .storekit file")
            }
        } else {
            guard let type else {
                throw CatalogError(
                    .incompleteProduct, at: place,
                    "\(id) is in no .storekit file of this app: expected the key type, found none")
            }
            product = Product(id: id, type: type, referenceName: "", basePrice: .zero(currency))
            if type != .free { unpriced.insert(id) }
        }
        mergeProperties(of: &product, with: entry)
        mergePrices(of: &product, with: entry)
        try mergeListing(of: id, with: entry, at: place)
        try mergeSubscription(of: &product, with: entry.subscription, at: place)
        if let offers = entry.codeOffers {
            product.codeOffers = offers.map { $0.offer(in: product.basePrice.currency) }
        }
        places[id] = place
        if let index { app.products[index] = product } else { app.products.append(product) }
    }

    private func mergeProperties(of product: inout Product, with entry: CatalogFile.Product) {
        product.appleID = entry.appleID ?? product.appleID
        product.referenceName = entry.referenceName ?? product.referenceName
        product.isClearedForSale = entry.isClearedForSale ?? product.isClearedForSale
        product.isFamilyShareable = entry.isFamilyShareable ?? product.isFamilyShareable
        if let state = entry.state.flatMap(Product.State.init(catalogWord:)) { product.state = state }
        product.availability = entry.availability?.availability ?? product.availability
        for localization in entry.localizations ?? [] {
            let named = Product.Localization(
                locale: localization.locale, displayName: localization.name, description: localization.description)
            if let index = product.localizations.firstIndex(where: { $0.locale == localization.locale }) {
                product.localizations[index] = named
            } else {
                product.localizations.append(named)
            }
        }
        if product.referenceName.isEmpty, entry.referenceName == nil {
            product.referenceName = product.localizations.first?.displayName ?? product.id.rawValue
        }
    }

    private mutating func mergePrices(of product: inout Product, with entry: CatalogFile.Product) {
        if let price = entry.price {
            product.basePrice = price.money(in: currency) ?? product.basePrice
            unpriced.remove(product.id)
        }
        product.prices.merge(entry.prices.money) { $1 }
        product.baseStorefront = entry.baseStorefront.map(Storefront.init(rawValue:)) ?? product.baseStorefront
        product.requiresOwnPrices = entry.requiresOwnPrices ?? product.requiresOwnPrices
        product.equalizesPrices = entry.equalizesPrices ?? product.equalizesPrices
        product.priceSchedule += entry.schedule.compactMap { $0.price(in: product.basePrice.currency) }
        // A product with prices for storefronts only is sold there. The first price stands in for the others.
        if unpriced.contains(product.id), entry.isPriced != false,
            let price = product.prices.min(by: { $0.key.rawValue < $1.key.rawValue })?.value
        {
            product.basePrice = product.prices[app.defaultStorefront] ?? price
            unpriced.remove(product.id)
        }
        if entry.isPriced == false { unpriced.insert(product.id) }
    }

    /// Merges the price of the app itself. An app with prices for storefronts only costs the first of them elsewhere.
    mutating func mergePrice(with entry: CatalogFile.App) {
        var prices = app.price?.prices ?? [:]
        prices.merge(entry.prices.money) { $1 }
        let first = prices.min { $0.key.rawValue < $1.key.rawValue }?.value
        let base = entry.price?.money(in: currency) ?? app.price?.basePrice ?? prices[app.defaultStorefront] ?? first
        if let base { app.price = AppPrice(base, prices: prices) }
    }

    private func mergeSubscription(
        of product: inout Product, with entry: CatalogFile.Subscription?, at place: CatalogPlace
    ) throws {
        guard let entry else { return }
        var subscription: Product.Subscription
        if let known = product.subscription {
            subscription = known
            subscription.groupID = entry.group ?? known.groupID
            subscription.level = entry.level ?? known.level
            subscription.period = entry.period.flatMap { Period(iso8601: $0) } ?? known.period
        } else {
            guard let group = entry.group, let period = entry.period.flatMap({ Period(iso8601: $0) }) else {
                throw CatalogError(
                    .incompleteProduct, at: CatalogPlace(file: place.file, spot: entry.position.spot),
                    "the subscription \(product.id) needs the keys group and period")
            }
            subscription = Product.Subscription(groupID: group, level: entry.level ?? 1, period: period)
        }
        let currency = product.basePrice.currency
        subscription.hasPeriod = entry.hasPeriod ?? subscription.hasPeriod
        if let offer = entry.introductoryOffer { subscription.introductoryOffer = offer.offer(in: currency) }
        if let offers = entry.introductoryOffers {
            subscription.limitedIntroductoryOffers = offers.map { $0.offer(in: currency) }
        }
        if let offers = entry.promotionalOffers {
            subscription.promotionalOffers = offers.map { $0.offer(in: currency) }
        }
        if let offers = entry.codeOffers { subscription.codeOffers = offers.map { $0.offer(in: currency) } }
        if let offers = entry.winBackOffers { subscription.winBackOffers = offers.map { $0.offer(in: currency) } }
        product.subscription = subscription
    }

    private static func productType(_ word: String, at place: CatalogPlace) throws -> ProductType {
        guard let type = ProductType.allCases.first(where: { $0.catalogWord == word }) else {
            throw CatalogError(.incompleteProduct, at: place, "the type '\(word)' is unknown")
        }
        return type
    }
}

extension CatalogFile.Price {
    /// Returns the amount in its own currency, otherwise in the given one.
    fileprivate func money(in currency: Currency) -> Money? {
        Money(decimal: amount, self.currency.map { Currency(rawValue: $0) } ?? currency)
    }
}

extension CatalogFile.ScheduledPrice {
    /// Returns the price in its own currency, otherwise in the storefront's, otherwise in the given one.
    fileprivate func price(in currency: Currency) -> ScheduledPrice? {
        let place = storefront.map(Storefront.init(rawValue:))
        guard let at = Instant(rfc3339: at), let money = price.money(in: place?.currency ?? currency) else {
            return nil
        }
        return ScheduledPrice(
            at: at.wholeSeconds, money, storefront: place, needsConsent: needsConsent, preservesSubscribers: isPreserved
        )
    }
}

extension [String: CatalogFile.Price] {
    fileprivate var money: [Storefront: Money] {
        var prices: [Storefront: Money] = [:]
        for (code, price) in self {
            let storefront = Storefront(rawValue: code)
            prices[storefront] = price.money(in: storefront.currency ?? .usd)
        }
        return prices
    }
}

extension CatalogFile.Offer {
    fileprivate func offer(in currency: Currency) -> Offer {
        Offer(
            id: id, referenceName: referenceName ?? id ?? "",
            paymentMode: Offer.PaymentMode(rawValue: paymentMode) ?? .freeTrial,
            period: Period(iso8601: period) ?? .month,
            periodCount: periodCount, basePrice: price?.money(in: currency) ?? .zero(currency), prices: prices.money,
            eligibility: Set(eligibility.compactMap { Offer.Eligibility(rawValue: $0) }), isStackable: isStackable,
            winBackRules: eligible?.rules, availability: availability?.availability)
    }
}

extension CatalogFile.OneTimeOffer {
    fileprivate func offer(in currency: Currency) -> OneTimeOffer {
        var offer = OneTimeOffer(
            id: id, referenceName: referenceName ?? id, basePrice: price.money(in: currency) ?? .zero(currency),
            prices: prices.money, eligibility: Set(eligibility.compactMap { OneTimeOffer.Eligibility(rawValue: $0) }))
        offer.availability = availability?.availability
        return offer
    }
}

extension CatalogFile.Availability {
    var availability: Availability {
        Availability(storefronts: Set(storefronts.map(Storefront.init(rawValue:))), includesNew: includesNew)
    }
}

extension CatalogFile.OfferAvailability {
    fileprivate var availability: OfferAvailability {
        OfferAvailability(
            storefronts: storefronts.map { Set($0.map(Storefront.init(rawValue:))) },
            starts: starts.flatMap { Instant(rfc3339: $0) }, ends: ends.flatMap { Instant(rfc3339: $0) },
            isActive: isActive)
    }
}

extension CatalogFile.WinBackEligibility {
    /// The rules; missing fields have their defaults.
    fileprivate var rules: WinBackRules {
        var rules = WinBackRules()
        if let paid { rules.paidMonths = paid }
        if let sinceEnd { rules.monthsSinceEnd = sinceEnd }
        rules.maximumMonthsSinceEnd = sinceEndAtMost
        rules.monthsBetweenOffers = betweenOffers
        return rules
    }
}
