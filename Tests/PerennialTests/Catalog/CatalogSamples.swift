@testable import Perennial

extension CatalogProduct {
    /// A product as a file without seller's side makes it.
    static func imported(
        _ type: ProductType = .nonConsumable, state: Product.State = .approved,
        texts: [Product.Localization] = [.init(locale: "en_US", displayName: "Coins", description: "A hundred")]
    ) -> CatalogProduct {
        CatalogProduct(
            Product(
                id: Product.ID(rawValue: "com.example.coins"), appleID: 7_000_000_101, type: type,
                referenceName: "Coins", state: state, localizations: texts, basePrice: Money(milliunits: 990, .usd),
                subscription: type == .autoRenewable
                    ? Product.Subscription(groupID: "21", level: 1, period: .month) : nil))
    }

    /// A product that is ready for its first submission.
    static func complete(_ type: ProductType = .nonConsumable) throws -> CatalogProduct {
        var product = CatalogProduct.imported(type, state: .readyToSubmit)
        try product.setAvailability([.usa], includesNew: true)
        var screenshot = ListingAsset(id: "s", fileName: "s.png", size: 1, token: "t")
        screenshot.state = .complete
        product.listing.screenshot = screenshot
        return product
    }

    /// Adds a localization to the current draft.
    mutating func add(_ locale: String, _ name: String, version: String? = nil) throws -> String {
        try addLocalization(toVersion: version, locale: locale) {
            ListingLocalization(id: $0, locale: locale, name: name)
        }
    }

    /// The localization of a locale in the current version.
    func id(_ locale: String) throws -> String? { currentVersion.localizations.first { $0.locale == locale }?.id }
}

/// Returns the code of the refusal that the body throws.
func refusal(_ body: () throws -> Void) -> CatalogEditError? {
    do {
        try body()
        return nil
    } catch {
        return error as? CatalogEditError
    }
}
