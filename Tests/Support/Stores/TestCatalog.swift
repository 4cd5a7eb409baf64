import Perennial

/// A Newsstand app that sells something of each of the five types, and what test stores know besides.
package enum TestCatalog {
    package static let bundleID = App.BundleID(rawValue: "com.example.magazine")
    package static let otherBundleID = App.BundleID(rawValue: "com.example.camera")
    package static let sharedSecret = "0123456789abcdef0123456789abcdef"

    /// - Parameter overlap: What becomes of a non-renewing subscription that is bought while one runs.
    package static func magazine(overlap: NonRenewingPolicy.Overlap = .refuse) -> App {
        App(
            bundleID: bundleID, appleID: 1_234_567, name: "Magazine", version: "2.1", isNewsstand: true,
            nonRenewing: NonRenewingPolicy(overlap: overlap),
            saleTerms: SaleTerms(commissionBasisPoints: 3000, taxBasisPoints: 1900), products: products)
    }

    /// An app that is no Newsstand app and has no shared secret of the catalog's.
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
