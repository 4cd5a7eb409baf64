extension Product {
    /// Returns the price in a storefront: its own; otherwise the price equal to the base price, or the base price's number
    /// in the storefront's currency, as Xcode reads the bare number of a `.storekit` file.
    ///
    /// - Returns: `nil` where the product isn't sold: in an unknown storefront, and in one without its own price if the
    ///   product needs one there.
    package func price(in storefront: Storefront) -> Money? {
        guard let currency = storefront.currency else { return nil }
        if type == .free { return .zero(currency) }
        return prices[storefront]
            ?? Self.price(
                from: basePrice, in: currency, isEqualized: equalizesPrices, needsOwn: requiresOwnPrices)
    }

    /// Returns the price of a storefront without its own.
    static func price(from base: Money, in currency: Currency, isEqualized: Bool, needsOwn: Bool) -> Money? {
        if needsOwn { return nil }
        if isEqualized { return PricePoint.equalization(of: base, in: currency) }
        return Money(milliunits: base.milliunits, currency).roundedUp
    }

    /// Returns title and description in the customer's language: the exact locale, otherwise the language in any
    /// region, otherwise the app's default, otherwise the first.
    package func localization(for language: String?, default defaultLocale: String) -> Localization? {
        Self.localization(for: language, default: defaultLocale, among: localizations)
    }

    /// Returns the texts for a language among those of a product or of another part of the catalog.
    package static func localization(
        for language: String?, default defaultLocale: String, among localizations: [Localization]
    ) -> Localization? {
        for wanted in [language, defaultLocale] {
            guard let wanted = wanted?.replacing("-", with: "_").lowercased() else { continue }
            if let exact = localizations.first(where: { $0.locale.lowercased() == wanted }) { return exact }
            let code = wanted.prefix { $0 != "_" }
            if let near = localizations.first(where: { $0.locale.lowercased().prefix { $0 != "_" } == code }) {
                return near
            }
        }
        return localizations.first
    }
}

extension OneTimeOffer {
    /// Returns the price in a storefront, by the rule of products.
    package func price(in storefront: Storefront) -> Money? { storefront.price(prices, else: basePrice) }
}

extension Storefront {
    func price(_ own: [Storefront: Money], else base: Money) -> Money? {
        currency.map { own[self] ?? Money(milliunits: base.milliunits, $0).roundedUp }
    }
}

extension Money {
    /// Rounds the amount up to the currency's smallest coin.
    var roundedUp: Money {
        let coin = currency.smallestAmount
        return Money(milliunits: milliunits.clampedAdding(coin - 1) / coin * coin, currency)
    }
}
