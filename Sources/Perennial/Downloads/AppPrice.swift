/// The price of an app itself. An app without one is free.
package struct AppPrice: Hashable, Sendable, Codable {
    /// The price in the default storefront.
    package var basePrice: Money
    /// The prices of single storefronts.
    package var prices: [Storefront: Money]
    /// The prices that take effect later; never empty.
    private var schedule: [ScheduledPrice]?
    private var baseStorefront: Storefront?
    /// `true` or `nil`.
    private var isEqualized: Bool?

    package init(_ basePrice: Money, prices: [Storefront: Money] = [:]) {
        self.basePrice = basePrice
        self.prices = prices
    }

    /// The price list, as a product has it.
    package var list: PriceList {
        get {
            PriceList(
                base: basePrice, own: prices, schedule: schedule ?? [], baseStorefront: baseStorefront,
                isEqualized: isEqualized == true)
        }
        set {
            basePrice = newValue.base
            prices = newValue.own
            schedule = newValue.schedule.isEmpty ? nil : newValue.schedule
            baseStorefront = newValue.baseStorefront
            isEqualized = newValue.isEqualized ? true : nil
        }
    }
}

extension App {
    /// Returns the price of the app in a storefront before its schedule, by the rule of products: the storefront's own,
    /// otherwise the number of the base price in the storefront's currency, or the price equal to it. Zero for a free app;
    /// `nil` for an unknown storefront.
    package func price(in storefront: Storefront) -> Money? {
        guard let price else { return storefront.currency.map { .zero($0) } }
        return price.list.price(in: storefront)
    }

    /// Returns the app at its prices of an instant.
    package func priced(at instant: Instant) -> App {
        guard let list = price?.list, !list.schedule.isEmpty else { return self }
        var app = self
        app.price?.list = list.inForce(at: instant)
        return app
    }

    /// The app's prices. A free app costs nothing everywhere.
    package var priceList: PriceList {
        get {
            price?.list ?? PriceList(base: .zero(defaultStorefront.currency ?? .usd), baseStorefront: defaultStorefront)
        }
        set {
            var price = AppPrice(newValue.base)
            price.list = newValue
            self.price = price
        }
    }

    /// True if the app costs something anywhere, now or later.
    package var isPaid: Bool {
        guard let list = price?.list else { return false }
        return ([list.base] + list.own.values + list.schedule.map(\.price)).contains { $0.milliunits > 0 }
    }
}
