extension Product {
    /// The price in a storefront: its own, else the base price's number in the storefront's currency, which is how Xcode
    /// reads the bare number of a `.storekit` file. `nil` where the storefront is unknown: nothing is sold there.
    package func price(in storefront: Storefront) -> Money? {
        if type == .free { return storefront.currency.map { .zero($0) } }
        return storefront.price(prices, else: basePrice)
    }

    /// Title and description in the customer's language: the very locale, else the language in any region, else the app's
    /// default, else whatever there is.
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
    /// The price in a storefront, by the rule of products.
    package func price(in storefront: Storefront) -> Money? { storefront.price(prices, else: basePrice) }
}

extension Storefront {
    fileprivate func price(_ own: [Storefront: Money], else base: Money) -> Money? {
        currency.map { own[self] ?? Money(milliunits: base.milliunits, $0).roundedUp }
    }
}

extension Money {
    /// The amount rounded up to the currency's smallest coin.
    fileprivate var roundedUp: Money {
        let coin: Int64 = [1000, 100, 10, 1][min(currency.fractionDigits, 3)]
        return Money(milliunits: (milliunits + coin - 1) / coin * coin, currency)
    }
}
