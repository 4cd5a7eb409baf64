extension StoreKitFile {
    /// An auto-renewable subscription.
    public struct Subscription: StoreKitFileValue {
        /// The object in the file, unknown keys included.
        public var fields: StoreKitJSON.Object

        /// Creates a value from its object in the file.
        public init(fields: StoreKitJSON.Object) {
            self.fields = fields
        }

        /// The product type: `RecurringSubscription`, also if a hand-written file leaves it out.
        public var type: String {
            get { fields[string: "type"] ?? "RecurringSubscription" }
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

        /// The `id` of the group.
        public var subscriptionGroupID: String? {
            get { fields[string: "subscriptionGroupID"] }
            set { fields[string: "subscriptionGroupID"] = newValue }
        }

        /// The level of service, 1 being the highest. Several may have the same.
        public var groupNumber: Int? {
            get { fields[integer: "groupNumber"] }
            set { fields[integer: "groupNumber"] = newValue }
        }

        /// An ISO 8601 duration: P1W, P1M, P2M, P3M, P6M or P1Y.
        public var recurringSubscriptionPeriod: String? {
            get { fields[string: "recurringSubscriptionPeriod"] }
            set { fields[string: "recurringSubscriptionPeriod"] = newValue }
        }

        /// The introductory offer.
        public var introductoryOffer: Offer? {
            get { fields[value: "introductoryOffer"] }
            set { fields[value: "introductoryOffer"] = newValue }
        }

        /// One for each billing plan; since version 5.0, beside the singular form.
        public var introductoryOffers: [Offer] {
            get { fields[values: "introductoryOffers"] }
            set { fields[values: "introductoryOffers"] = newValue }
        }

        /// The promotional offers.
        public var promotionalOffers: [Offer] {
            get { fields[values: "adHocOffers"] }
            set { fields[values: "adHocOffers"] = newValue }
        }

        /// The field exists since version 1.2.
        public var codeOffers: [Offer] {
            get { fields[values: "codeOffers"] }
            set { fields[values: "codeOffers"] = newValue }
        }

        /// The field exists since version 4.0.
        public var winBackOffers: [Offer] {
            get { fields[values: "winbackOffers"] }
            set { fields[values: "winbackOffers"] = newValue }
        }

        /// The field exists since version 5.0.
        public var billingPlans: [BillingPlan] {
            get { fields[values: "billingPlans"] }
            set { fields[values: "billingPlans"] = newValue }
        }

        /// The field exists since version 4.0.
        public var promotionalImageID: String? {
            get { fields[string: "promotionalImageID"] }
            set { fields[string: "promotionalImageID"] = newValue }
        }
    }
}
