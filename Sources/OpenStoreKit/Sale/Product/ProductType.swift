extension Product {
    /// Types of products: the known ones, or a later one.
    ///
    /// Source: Apple, StoreKit documentation, "Product.ProductType".
    public struct ProductType: RawRepresentable, Equatable, Hashable, Sendable {
        /// Name of the type, as in signed transactions.
        public let rawValue: String

        /// Makes a type from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A consumable.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// A non-consumable.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// A non-renewing subscription.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// An auto-renewable subscription.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
        /// A bundle of subscriptions of several apps.
        public static let subscriptionBundle = ProductType(rawValue: "Subscription Bundle")
        /// A suite of subscriptions.
        public static let subscriptionSuite = ProductType(rawValue: "Subscription Suite")

        /// A free subscription of a Newsstand app, which StoreKit 2 doesn't name.
        private static let free = ProductType(rawValue: "Free Subscription")

        /// Name of the type in the language of the process.
        public var localizedDescription: String { rawValue }

        /// Reads the name of a type in store/v1.
        init(storeName: String) {
            switch storeName {
            case "consumable": self = .consumable
            case "nonConsumable": self = .nonConsumable
            case "nonRenewing": self = .nonRenewable
            case "autoRenewable": self = .autoRenewable
            case "free": self = .free
            default: self.init(rawValue: storeName)
            }
        }

        /// True for products with ``Product/subscription``.
        var isSubscription: Bool { self == .autoRenewable || self == .free }
    }
}
