import Foundation

/// The storefront of a customer: country and currency.
///
/// Source: Apple, StoreKit documentation, "SKStorefront".
open class SKStorefront: NSObject, @unchecked Sendable {
    private let facts: StoreSession.Storefront

    /// Makes a storefront without values, for subclasses.
    public override init() {
        self.facts = StoreSession.Storefront(countryCode: "", identifier: "", currency: "")
    }

    init(_ storefront: StoreSession.Storefront) {
        self.facts = storefront
    }

    /// Country code of ISO 3166-1 alpha-3, such as `USA`.
    open var countryCode: String { facts.countryCode }
    /// Apple's identifier of the storefront, such as `143441`.
    open var identifier: String { facts.identifier }
}

extension NSNotification.Name {
    /// Posted on the main queue when the country of the customer's storefront changed.
    public static let SKStorefrontCountryCodeDidChange = NSNotification.Name(
        "SKStorefrontCountryCodeDidChangeNotification")
    /// Posted on the main queue when the identifier of the customer's storefront changed.
    public static let SKStorefrontIdentifierDidChange = NSNotification.Name(
        "SKStorefrontIdentifierDidChangeNotification")
}
