import Perennial

extension TestCatalog {
    /// The magazine with offers of every kind on its monthly subscription, at 4.99 a month.
    package static var magazineWithOffers: App {
        var app = magazine()
        guard let index = app.products.firstIndex(where: { $0.id.rawValue == "monthly" }) else { return app }
        app.products[index].subscription?.introductoryOffer = offer(nil, .freeTrial, Period(1, .week), 0)
        app.products[index].subscription?.promotionalOffers = [
            offer("half", .payAsYouGo, Period(1, .month), 2490, count: 3),
            offer("dear", .payAsYouGo, Period(1, .month), 9990),
        ]
        app.products[index].subscription?.codeOffers = [
            offer("radio", .payUpFront, Period(3, .month), 4990),
            offer("newcomers", .freeTrial, Period(1, .month), 0, eligibility: [.new]),
        ]
        app.products[index].subscription?.winBackOffers = [offer("return", .payAsYouGo, Period(1, .month), 990)]
        return app
    }

    /// The same with a code's offer at 0.49 on a product of each type that doesn't renew.
    package static func magazineWithOneTimeOffers(_ eligibility: Set<OneTimeOffer.Eligibility> = []) -> App {
        var app = magazineWithOffers
        for index in app.products.indices
        where ["film.roll", "filter.amber", "pass.1week"].contains(app.products[index].id.rawValue) {
            app.products[index].codeOffers = [
                OneTimeOffer(
                    id: "gift", referenceName: "A gift", basePrice: Money(milliunits: 490, .usd),
                    eligibility: eligibility)
            ]
        }
        return app
    }

    private static func offer(
        _ id: String?, _ mode: Offer.PaymentMode, _ period: Period, _ price: Int64, count: Int = 1,
        eligibility: Set<Offer.Eligibility> = []
    ) -> Offer {
        Offer(
            id: id, paymentMode: mode, period: period, periodCount: count, basePrice: Money(milliunits: price, .usd),
            prices: [Storefront(rawValue: "JPN"): Money(milliunits: price == 0 ? 0 : 100_000, .jpy)],
            eligibility: eligibility)
    }
}
