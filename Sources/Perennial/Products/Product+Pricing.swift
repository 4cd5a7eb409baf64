extension Product {
    /// Returns the price in a storefront: its own, otherwise the base price's number in the storefront's currency, as
    /// Xcode reads the bare number of a `.storekit` file. `nil` for an unknown storefront, where nothing is sold.
    package func price(in storefront: Storefront) -> Money? {
        if type == .free { return storefront.currency.map { .zero($0) } }
        return storefront.price(prices, else: basePrice)
    }

    /// Returns title and description in the customer's language: the exact locale, otherwise the language in any
    /// region, otherwise the app's default, otherwise the first.
    package func localization(for language: String?, default defaultLocale: String) -> Localization? {
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
    fileprivate var roundedUp: Money {
        let coin = currency.smallestAmount
        return Money(milliunits: (milliunits + coin - 1) / coin * coin, currency)
    }
}
