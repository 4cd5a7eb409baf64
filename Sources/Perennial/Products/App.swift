/// An app and its products.
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
    /// The app's Apple ID: `appAppleId`, `adam_id`, `app_item_id`.
    package var appleID: Int64
    package var name: String
    package var version: String
    /// True for a Newsstand app. Only these sell free subscriptions.
    package var isNewsstand: Bool
    package var defaultStorefront: Storefront
    /// The locale of titles and descriptions without one in the customer's language.
    package var defaultLocale: String
    package var nonRenewing: NonRenewingPolicy
    /// The shares of commission and tax in a sale.
    package var saleTerms: SaleTerms
    /// Settings of renewal rate and billing; `nil` for the defaults.
    package var billing: AppBilling?
    /// The price of the app itself; `nil` for a free app.
    package var price: AppPrice?
    package var products: [Product]
    /// The products that were deleted, which reports still name. The catalog adds them when it is read; an app isn't stored
    /// with them.
    package var formerProducts: [Product]?
    /// The properties that only reports show.
    package var reporting: ReportingInfo?
    /// The storefronts in which the app is offered; `nil` for all. Customers who have it keep it, and its products.
    package var availability: Availability?
    /// The seller's settings that selling doesn't need; `nil` for none.
    package var listing: AppListing?

    package init(
        bundleID: BundleID, appleID: Int64, name: String, version: String = "1.0", isNewsstand: Bool = false,
        defaultStorefront: Storefront = .usa, defaultLocale: String = "en_US",
        nonRenewing: NonRenewingPolicy = NonRenewingPolicy(), saleTerms: SaleTerms = .standard,
        billing: AppBilling? = nil, price: AppPrice? = nil,
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
        self.price = price
        self.products = products
    }
}

extension App {
    /// The products that reports name: those that are sold, and the deleted ones.
    package var reportedProducts: [Product] { products + (formerProducts ?? []) }
}

/// The seller's policy for non-renewing subscriptions, whose products have no term.
package struct NonRenewingPolicy: Hashable, Sendable, Codable {
    /// The treatment of a purchase during an earlier term. Two terms never overlap.
    package enum Overlap: String, Sendable, Codable, CaseIterable {
        /// Refuses the purchase before the charge.
        case refuse
        /// Starts the new term at the end of the running one.
        case extend
    }

    package var overlap: Overlap
    package var terms: TermRules

    package init(overlap: Overlap = .refuse, terms: TermRules = TermRules()) {
        self.overlap = overlap
        self.terms = terms
    }
}
