import Perennial

/// The apps of test stores: a Newsstand app with products of all five types, and a camera app.
package enum TestCatalog {
    package static let bundleID = App.BundleID(rawValue: "com.example.magazine")
    package static let otherBundleID = App.BundleID(rawValue: "com.example.camera")
    package static let sharedSecret = "0123456789abcdef0123456789abcdef"

    /// Returns the Newsstand app.
    ///
    /// - Parameter overlap: The policy for a non-renewing subscription bought during a running term.
    package static func magazine(overlap: NonRenewingPolicy.Overlap = .refuse) -> App {
        App(
            bundleID: bundleID, appleID: 1_234_567, name: "Magazine", version: "2.1", isNewsstand: true,
            nonRenewing: NonRenewingPolicy(overlap: overlap),
            saleTerms: SaleTerms(commissionBasisPoints: 3000, taxBasisPoints: 1900), products: products)
    }

    /// An app outside of Newsstand, without a shared secret in the catalog.
    package static let camera = App(
        bundleID: otherBundleID, appleID: 7_654_321, name: "Camera",
        products: [
            product("lens", .nonConsumable, 990),
            product("news", .free, 0),
        ])

    private static let products = [
        product("film.roll", .consumable, 990, appleID: 101, german: "Filmrolle", japanese: "フィルム"),
        product("filter.amber", .nonConsumable, 1990, german: "Bernsteinfilter", japanese: "琥珀"),
        product("pass.1week", .nonRenewing, 2990),
        product("pass.summer", .nonRenewing, 4990),
        product("newsletter", .free, 0, german: "Rundbrief"),
        product("monthly", .autoRenewable, 4990, period: .month, level: 2, german: "Monatsabo"),
        product("yearly", .autoRenewable, 49_990, period: .year, level: 1),
        product("family.monthly", .autoRenewable, 9990, period: .month, group: "family", isFamilyShareable: true),
        product("family.filter", .nonConsumable, 2990, isFamilyShareable: true),
        product("retired", .nonConsumable, 990, isClearedForSale: false),
        product("draft", .nonConsumable, 990, state: .readyToSubmit),
    ]

    private static func product(
        _ id: String, _ type: ProductType, _ price: Int64, appleID: Int64 = 0, period: Period? = nil, level: Int = 1,
        german: String? = nil, japanese: String? = nil, isClearedForSale: Bool = true, state: Product.State = .approved,
        group: String = "magazine", isFamilyShareable: Bool = false
    ) -> Product {
        var names = [("en_US", "The \(id)")]
        if let german { names.append(("de_DE", german)) }
        if let japanese { names.append(("ja", japanese)) }
        return Product(
            id: Product.ID(rawValue: id), appleID: appleID, type: type, referenceName: "Reference \(id)",
            isFamilyShareable: isFamilyShareable, state: state, isClearedForSale: isClearedForSale,
            localizations: names.map {
                Product.Localization(locale: $0.0, displayName: $0.1, description: "What \($0.1) is")
            },
            prices: japanese == nil ? [:] : [Storefront(rawValue: "JPN"): Money(milliunits: 120_000, .jpy)],
            basePrice: Money(milliunits: price, .usd),
            subscription: period.map { Product.Subscription(groupID: group, level: level, period: $0) })
    }
}

extension TestCatalog {
    /// The magazine with offers of every kind on its monthly subscription, which costs 4.99.
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

    /// Returns the magazine with a code offer at 0.49 on a product of each type that doesn't renew.
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
