/// An app and what it sells.
package struct App: Hashable, Sendable, Codable {
    /// The reverse-DNS name of an app: `com.example.magazine`.
    package struct BundleID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package var description: String { rawValue }
        package static func < (one: BundleID, other: BundleID) -> Bool { one.rawValue < other.rawValue }
    }

    package var bundleID: BundleID
    /// The store's number for the app: `appAppleId`, `adam_id`, `app_item_id`.
    package var appleID: Int64
    package var name: String
    package var version: String
    /// Free subscriptions are sold in Newsstand apps only.
    package var isNewsstand: Bool
    package var defaultStorefront: Storefront
    /// The language of titles and descriptions where a customer's has none.
    package var defaultLocale: String
    package var nonRenewing: NonRenewingPolicy
    /// How the price of each sale is divided.
    package var saleTerms: SaleTerms
    /// How subscription time and billing run; `nil` where nothing was said.
    package var billing: AppBilling?
    package var products: [Product]

    package init(
        bundleID: BundleID, appleID: Int64, name: String, version: String = "1.0", isNewsstand: Bool = false,
        defaultStorefront: Storefront = .usa, defaultLocale: String = "en_US",
        nonRenewing: NonRenewingPolicy = NonRenewingPolicy(), saleTerms: SaleTerms = .standard,
        billing: AppBilling? = nil,
        products: [Product] = []
    ) {
        self.bundleID = bundleID
        self.appleID = appleID
        self.name = name
        self.version = version
        self.isNewsstand = isNewsstand
        self.defaultStorefront = defaultStorefront
        self.defaultLocale = defaultLocale
        self.nonRenewing = nonRenewing
        self.saleTerms = saleTerms
        self.billing = billing
        self.products = products
    }
}

/// What the seller wants for non-renewing subscriptions, whose products have no term of their own.
package struct NonRenewingPolicy: Hashable, Sendable, Codable {
    /// What becomes of a purchase while an earlier one still runs: two terms never overlap.
    package enum Overlap: String, Sendable, Codable, CaseIterable {
        /// The purchase is refused before anything is charged.
        case refuse
        /// The new term starts where the running one ends.
        case extend
    }

    package var overlap: Overlap
    package var terms: TermRules

    package init(overlap: Overlap = .refuse, terms: TermRules = TermRules()) {
        self.overlap = overlap
        self.terms = terms
    }
}
