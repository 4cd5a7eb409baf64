extension StoreKitFile {
    /// Names of a product or of a subscription group in one language.
    public struct Localization: StoreKitFileValue {
        /// The object in the file, unknown keys included.
        public var fields: StoreKitJSON.Object

        /// Creates a value from its object in the file.
        public init(fields: StoreKitJSON.Object) {
            self.fields = fields
        }

        /// The locale, such as `en_US` or `de`.
        public var locale: String? {
            get { fields[string: "locale"] }
            set { fields[string: "locale"] = newValue }
        }

        /// The name for customers.
        public var displayName: String? {
            get { fields[string: "displayName"] }
            set { fields[string: "displayName"] = newValue }
        }

        /// The description for customers.
        public var description: String? {
            get { fields[string: "description"] }
            set { fields[string: "description"] = newValue }
        }
    }

    /// A consumable, a non-consumable or a non-renewing subscription.
    public struct Product: StoreKitFileValue {
        /// The object in the file, unknown keys included.
        public var fields: StoreKitJSON.Object

        /// Creates a value from its object in the file.
        public init(fields: StoreKitJSON.Object) {
            self.fields = fields
        }

        /// `Consumable`, `NonConsumable` or `NonRenewingSubscription`; empty where hand-written files leave it out, which
        /// is possible among ``StoreKitFile/nonRenewingSubscriptions`` only.
        public var type: String {
            get { fields[string: "type"] ?? "" }
            set { fields[string: "type"] = newValue }
        }

        /// The product ID.
        public var productID: String {
            get { fields[string: "productID"] ?? "" }
            set { fields[string: "productID"] = newValue }
        }

        /// The name for the seller.
        public var referenceName: String? {
            get { fields[string: "referenceName"] }
            set { fields[string: "referenceName"] = newValue }
        }

        /// The price as a decimal with a dot, in the storefront's currency; `nil` or empty if there is none.
        public var displayPrice: String? {
            get { fields[string: "displayPrice"] }
            set { fields[string: "displayPrice"] = newValue }
        }

        /// True if Family Sharing applies to the product.
        public var familyShareable: Bool? {
            get { fields[bool: "familyShareable"] }
            set { fields[bool: "familyShareable"] = newValue }
        }

        /// Eight hexadecimal digits, or the product's Apple ID in a synced file.
        public var internalID: String? {
            get { fields[string: "internalID"] }
            set { fields[string: "internalID"] = newValue }
        }

        /// The names and descriptions by locale.
        public var localizations: [Localization] {
            get { fields[values: "localizations"] }
            set { fields[values: "localizations"] = newValue }
        }
    }

    /// Subscriptions of which a customer has one at a time.
    public struct SubscriptionGroup: StoreKitFileValue {
        /// The object in the file, unknown keys included.
        public var fields: StoreKitJSON.Object

        /// Creates a value from its object in the file.
        public init(fields: StoreKitJSON.Object) {
            self.fields = fields
        }

        /// The identifier of the group.
        public var id: String? {
            get { fields[string: "id"] }
            set { fields[string: "id"] = newValue }
        }

        /// The reference name.
        public var name: String? {
            get { fields[string: "name"] }
            set { fields[string: "name"] = newValue }
        }

        /// Mostly empty; filled since version 4.0.
        public var localizations: [Localization] {
            get { fields[values: "localizations"] }
            set { fields[values: "localizations"] = newValue }
        }

        /// The subscriptions of the group.
        public var subscriptions: [Subscription] {
            get { fields[values: "subscriptions"] }
            set { fields[values: "subscriptions"] = newValue }
        }
    }
}
