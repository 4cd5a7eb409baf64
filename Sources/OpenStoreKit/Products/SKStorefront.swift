import Foundation

/// The country whose store a customer buys in.
public final class SKStorefront: NSObject, Sendable {
    /// ISO 3166-1 alpha-3, such as `USA`.
    public let countryCode: String
    public let identifier: String
    /// Not StoreKit's: the currency of its prices, by its ISO 4217 code.
    public let currencyCode: String

    init(_ storefront: StoreSession.Storefront) {
        self.countryCode = storefront.countryCode
        self.identifier = storefront.identifier
        self.currencyCode = storefront.currency
    }
}
