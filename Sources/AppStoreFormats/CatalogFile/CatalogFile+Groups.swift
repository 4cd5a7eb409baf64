extension CatalogFile {
    /// The storefronts in which a product is sold.
    public struct Availability: Hashable, Sendable {
        /// The storefronts' codes.
        public var storefronts: [String]
        /// True if the product is also sold in storefronts that are added later.
        public var includesNew: Bool

        /// Creates an availability.
        public init(storefronts: [String], includesNew: Bool = false) {
            self.storefronts = storefronts
            self.includesNew = includesNew
        }
    }

    /// A group of auto-renewable subscriptions.
    public struct Group: Hashable, Sendable {
        /// The position in the file.
        public var position: Position
        /// The identifier, as in ``Subscription/group``.
        public var id: String
        /// The name for the seller.
        public var referenceName: String?
        /// The approved names by locale.
        public var localizations: [GroupLocalization]
        /// Members that only an export has: all versions of the names.
        package var versions: CatalogNode?
    }

    /// A name of a subscription group in one locale.
    public struct GroupLocalization: Hashable, Sendable {
        /// The locale, such as `en_US`.
        public var locale: String
        /// The name for customers.
        public var name: String
        /// The app's name above the group's; missing for the app's own.
        public var customAppName: String?

        /// Creates a name.
        public init(locale: String, name: String, customAppName: String? = nil) {
            self.locale = locale
            self.name = name
            self.customAppName = customAppName
        }
    }
}
