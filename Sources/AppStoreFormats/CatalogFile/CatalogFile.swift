/// Perennial's own catalog in YAML: it refines a `.storekit` file, or replaces one.
///
/// A file describes one app, with the app's keys at its top, or several in a list under `apps`. An app may name a
/// `.storekit` file; its products then only have the values that differ. Every key but an ID is optional here: required
/// values are checked after both files are merged.
public struct CatalogFile: Hashable, Sendable {
    /// The apps of the file.
    public var apps: [App]

    /// A place in the file, both from 1.
    public struct Position: Hashable, Sendable, CustomStringConvertible {
        /// The line, from 1.
        public var line: Int
        /// The column, from 1.
        public var column: Int

        /// Creates a position.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        /// The line and the column with a colon.
        public var description: String { "\(line):\(column)" }
    }

    /// An app of the catalog.
    public struct App: Hashable, Sendable {
        /// The position in the file.
        public var position: Position
        /// The bundle ID.
        public var bundleID: String?
        /// The store's number for the app.
        public var appleID: Int64?
        /// The name of the app.
        public var name: String?
        /// The version.
        public var version: String?
        /// True if the app is a Newsstand app.
        public var isNewsstand: Bool?
        /// An ISO 3166-1 alpha-3 code.
        public var defaultStorefront: String?
        /// The locale of names without one of their own.
        public var defaultLocale: String?
        /// The shared secret of verifyReceipt.
        public var sharedSecret: Secret?
        /// The `.storekit` file that this app refines, relative to the catalog.
        public var storeKitFile: String?
        /// The position of ``storeKitFile`` in the catalog.
        public var storeKitPosition: Position?
        /// The price of the app itself in the default storefront; a free app has none.
        public var price: Price?
        /// The prices of the app itself by storefront.
        public var prices: [String: Price]
        /// The store's share, in basis points.
        public var commissionBasisPoints: Int64?
        /// The tax in the price of every storefront, in basis points.
        public var taxBasisPoints: Int64?
        /// The taxes of storefronts, by ISO 3166-1 alpha-3 code.
        public var taxes: [String: Tax]
        /// True if the seller takes part in the Small Business Program.
        public var isSmallBusiness: Bool?
        /// The treatment of non-renewing subscriptions.
        public var nonRenewing: NonRenewing?
        /// The seller's own ID of the app in reports.
        public var sku: String?
        /// The seller's name in reports.
        public var developer: String?
        /// The category in reports.
        public var category: String?
        /// The platforms in reports.
        public var platforms: String?
        /// The settings of subscription time and billing.
        public var billing: Billing?
        /// The receivers of server notifications.
        public var notifications: Notifications?
        /// The storefronts in which the app is offered; missing for all.
        public var availability: Availability?
        /// Members that only an export has.
        package var listing: CatalogNode?
        /// The subscription groups. A group that only products name has no other texts than its ID.
        public var groups: [Group]
        /// The products of the app.
        public var products: [Product]
        /// Content that several products or only subscriptions unlock.
        public var contents: [Content]
    }

    /// The tax on sales in a storefront.
    public struct Tax: Hashable, Sendable {
        /// The rate in basis points of the price without tax.
        public var basisPoints: Int64
        /// True if prices include the tax.
        public var isIncluded: Bool

        /// Creates a tax.
        public init(basisPoints: Int64, isIncluded: Bool = true) {
            self.basisPoints = basisPoints
            self.isIncluded = isIncluded
        }
    }

    /// The treatment of an app's non-renewing subscriptions.
    public struct NonRenewing: Hashable, Sendable {
        /// `refuse` or `extend`.
        public var overlap: String?
        /// ISO 8601 durations by product ID, or by a pattern with one `*`.
        public var terms: [String: String]
        /// `ids`, or `off` where product IDs say no terms.
        public var rule: String?

        /// Creates settings.
        public init(overlap: String? = nil, terms: [String: String] = [:], rule: String? = nil) {
            self.overlap = overlap
            self.terms = terms
            self.rule = rule
        }
    }

    /// 32 hexadecimal digits that only the seller knows; they are not printed.
    public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The secret itself.
        public var value: String

        /// Creates a secret.
        public init(_ value: String) {
            self.value = value
        }

        /// A placeholder for the secret.
        public var description: String { "<hidden>" }
        /// A placeholder for the secret.
        public var debugDescription: String { description }
        /// A mirror without the secret.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// An amount, a decimal with a dot, and its currency if the file names one.
    public struct Price: Hashable, Sendable {
        /// The amount as a decimal.
        public var amount: String
        /// The currency (ISO 4217).
        public var currency: String?

        /// Creates a price.
        public init(amount: String, currency: String? = nil) {
            self.amount = amount
            self.currency = currency
        }
    }

    /// A product of an app.
    public struct Product: Hashable, Sendable {
        /// The position in the file.
        public var position: Position
        /// The identifier.
        public var id: String
        /// The store's number for the product.
        public var appleID: Int64?
        /// `consumable`, `non-consumable`, `auto-renewable`, `free` or `non-renewing`.
        public var type: String?
        /// The name for the seller.
        public var referenceName: String?
        /// `ready-to-submit`, `in-review`, `rejected` or `approved`.
        public var state: String?
        /// True if the product is for sale.
        public var isClearedForSale: Bool?
        /// True if Family Sharing applies to the product.
        public var isFamilyShareable: Bool?
        /// The price in the default storefront.
        public var price: Price?
        /// False for a product that has no price yet, whatever its other keys say.
        public var isPriced: Bool?
        /// The prices by storefront.
        public var prices: [String: Price]
        /// The storefront of the price; missing for the first of its currency.
        public var baseStorefront: String?
        /// True if a storefront without its own price pays the price point equal to the price.
        public var equalizesPrices: Bool?
        /// True if the product is sold only in storefronts with their own price.
        public var requiresOwnPrices: Bool?
        /// The prices that take effect on a date.
        public var schedule: [ScheduledPrice]
        /// The storefronts in which the product is sold; missing for all.
        public var availability: Availability?
        /// The names and descriptions by locale; `nil` if the key is missing.
        public var localizations: [Localization]?
        /// The settings of an auto-renewable subscription.
        public var subscription: Subscription?
        /// The offers for products that don't renew; `nil` if the key is missing.
        public var codeOffers: [OneTimeOffer]?
        /// The content files that the product unlocks.
        public var contents: [Content]
        /// The note to App Review.
        public var reviewNote: String?
        /// The tax category.
        public var taxCategory: String?
        /// The reviewer's reason, after a rejection.
        public var rejectionReason: String?
        /// Members that only an export has.
        package var listing: CatalogNode?
    }

    /// A price that takes effect on a date.
    public struct ScheduledPrice: Hashable, Sendable {
        /// The position in the file.
        public var position: Position
        /// An RFC 3339 time.
        public var at: String
        /// The price.
        public var price: Price
        /// The storefront's code; missing for the base price.
        public var storefront: String?
        /// True if subscribers keep their price.
        public var isPreserved: Bool
        /// True if subscribers must agree to an increase; missing for Apple's rules.
        public var needsConsent: Bool?
    }

    /// An offer that codes grant for a product that doesn't renew: one purchase at another price.
    public struct OneTimeOffer: Hashable, Sendable {
        /// The position in the file.
        public var position: Position
        /// The identifier.
        public var id: String
        /// The name for the seller.
        public var referenceName: String?
        /// The price in the default storefront.
        public var price: Price
        /// The prices by storefront.
        public var prices: [String: Price]
        /// The customers who may redeem: `nonSpender`, `activeSpender` and `churnedSpender`; empty for all.
        public var eligibility: [String]
        /// The storefronts and dates; missing for all storefronts and no dates.
        public var availability: OfferAvailability?
    }

    /// A name and a description in one locale.
    public struct Localization: Hashable, Sendable {
        /// The locale, such as `en_US`.
        public var locale: String
        /// The name for customers.
        public var name: String
        /// The description for customers.
        public var description: String
    }

    /// A file that the seller's own server delivers.
    public struct Content: Hashable, Sendable {
        /// The position in the file.
        public var position: Position
        /// The identifier.
        public var id: String
        /// The path, relative to the seller's content folder.
        public var file: String
        /// The version.
        public var version: String?
        /// The file name for clients.
        public var filename: String?
        /// A date, or an RFC 3339 time.
        public var published: String?
        /// Products each of which unlocks it.
        public var products: [String]
        /// Subscriptions that include it.
        public var subscriptions: [String]
        /// The other contents that it requires.
        public var requires: [String]
    }
}
