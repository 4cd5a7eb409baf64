/// Perennial's own catalog, in YAML: what a `.storekit` file says, and what it can't say.
///
/// A file describes one app, with the app's keys at its top, or several in a list under `apps`. An app may name a
/// `.storekit` file; its products then only say what differs. Every key but an ID is optional here: what a product must
/// have is decided when the files are put together.
public struct CatalogFile: Hashable, Sendable {
    public var apps: [App]

    /// A place in the file, both from 1.
    public struct Position: Hashable, Sendable, CustomStringConvertible {
        public var line: Int
        public var column: Int

        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        public var description: String { "\(line):\(column)" }
    }

    public struct App: Hashable, Sendable {
        public var position: Position
        public var bundleID: String?
        /// The store's number for the app.
        public var appleID: Int64?
        public var name: String?
        public var version: String?
        public var isNewsstand: Bool?
        /// An ISO 3166-1 alpha-3 code.
        public var defaultStorefront: String?
        public var defaultLocale: String?
        public var sharedSecret: Secret?
        /// The `.storekit` file that this app refines, relative to the catalog.
        public var storeKitFile: String?
        /// Where it is named.
        public var storeKitPosition: Position?
        /// The store's share, in basis points.
        public var commissionBasisPoints: Int64?
        /// The tax in the price, in basis points.
        public var taxBasisPoints: Int64?
        public var nonRenewing: NonRenewing?
        public var billing: Billing?
        public var notifications: Notifications?
        public var products: [Product]
        /// Content that several products or only subscriptions unlock.
        public var contents: [Content]
    }

    /// How non-renewing subscriptions of an app are treated.
    public struct NonRenewing: Hashable, Sendable {
        /// `refuse` or `extend`.
        public var overlap: String?
        /// ISO 8601 durations by product ID, or by a pattern with one `*`.
        public var terms: [String: String]
        /// `ids`, or `off` where product IDs say no terms.
        public var rule: String?

        public init(overlap: String? = nil, terms: [String: String] = [:], rule: String? = nil) {
            self.overlap = overlap
            self.terms = terms
            self.rule = rule
        }
    }

    /// 32 hexadecimal digits that only the seller knows; they are not printed.
    public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        public var value: String

        public init(_ value: String) {
            self.value = value
        }

        public var description: String { "<hidden>" }
        public var debugDescription: String { description }
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// An amount, a decimal with a dot, and its currency if the file names one.
    public struct Price: Hashable, Sendable {
        public var amount: String
        public var currency: String?

        public init(amount: String, currency: String? = nil) {
            self.amount = amount
            self.currency = currency
        }
    }

    public struct Product: Hashable, Sendable {
        public var position: Position
        public var id: String
        /// The store's number for the product.
        public var appleID: Int64?
        /// `consumable`, `non-consumable`, `auto-renewable`, `free` or `non-renewing`.
        public var type: String?
        public var referenceName: String?
        /// `ready-to-submit`, `in-review`, `rejected` or `approved`.
        public var state: String?
        public var isClearedForSale: Bool?
        public var isFamilyShareable: Bool?
        public var price: Price?
        /// By storefront.
        public var prices: [String: Price]
        public var localizations: [Localization]
        public var subscription: Subscription?
        /// Of products that don't renew; `nil` where the key is missing.
        public var codeOffers: [OneTimeOffer]?
        public var contents: [Content]
    }

    /// What offer codes grant for a product that doesn't renew: one purchase at another price.
    public struct OneTimeOffer: Hashable, Sendable {
        public var position: Position
        public var id: String
        public var referenceName: String?
        public var price: Price
        /// By storefront.
        public var prices: [String: Price]
        /// `nonSpender`, `activeSpender` and `churnedSpender`; empty for everybody.
        public var eligibility: [String]
    }

    public struct Localization: Hashable, Sendable {
        public var locale: String
        public var name: String
        public var description: String
    }

    public struct Subscription: Hashable, Sendable {
        public var position: Position
        public var group: String?
        /// 1 is the highest.
        public var level: Int?
        /// An ISO 8601 duration.
        public var period: String?
        public var introductoryOffer: Offer?
        /// `nil` where the key is missing: what a `.storekit` file says then stays.
        public var promotionalOffers: [Offer]?
        public var codeOffers: [Offer]?
        public var winBackOffers: [Offer]?
    }

    public struct Offer: Hashable, Sendable {
        public var position: Position
        /// Missing for an introductory offer.
        public var id: String?
        public var referenceName: String?
        /// `freeTrial`, `payAsYouGo` or `payUpFront`.
        public var paymentMode: String
        /// An ISO 8601 duration.
        public var period: String
        public var periodCount: Int
        public var price: Price?
        /// By storefront.
        public var prices: [String: Price]
        /// `new`, `existing` and `expired`: codes only.
        public var eligibility: [String]
        /// Codes only.
        public var isStackable: Bool
        /// Win-back offers only.
        public var eligible: WinBackEligibility?
    }

    /// Which customers who left may have a win-back offer, in months.
    public struct WinBackEligibility: Hashable, Sendable {
        /// For how long they must have paid in all.
        public var paid: Int?
        /// At least and at most since the subscription ended.
        public var sinceEnd: Int?
        public var sinceEndAtMost: Int?
        /// Since they last took a win-back offer.
        public var betweenOffers: Int?
    }

    /// A file that the seller's own server delivers.
    public struct Content: Hashable, Sendable {
        public var position: Position
        public var id: String
        /// Relative to the seller's content folder.
        public var file: String
        public var version: String?
        public var filename: String?
        /// A date, or an RFC 3339 time.
        public var published: String?
        /// Products each of which unlocks it.
        public var products: [String]
        /// Subscriptions that include it.
        public var subscriptions: [String]
        /// Other contents that it needs.
        public var requires: [String]
    }
}
