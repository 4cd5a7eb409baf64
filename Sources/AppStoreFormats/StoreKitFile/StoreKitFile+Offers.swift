extension StoreKitFile {
    /// An introductory, promotional, code or win-back offer; the four differ by which keys they have.
    public struct Offer: StoreKitFileValue {
        /// The object in the file, unknown keys included.
        public var fields: StoreKitJSON.Object

        /// Creates a value from its object in the file.
        public init(fields: StoreKitJSON.Object) {
            self.fields = fields
        }

        /// An identifier that Xcode assigns.
        public var internalID: String? {
            get { fields[string: "internalID"] }
            set { fields[string: "internalID"] = newValue }
        }

        /// Promotional and win-back offers.
        public var offerID: String? {
            get { fields[string: "offerID"] }
            set { fields[string: "offerID"] = newValue }
        }

        /// The name for the seller.
        public var referenceName: String? {
            get { fields[string: "referenceName"] }
            set { fields[string: "referenceName"] = newValue }
        }

        /// `free`, `payAsYouGo` or `payUpFront`.
        public var paymentMode: String? {
            get { fields[string: "paymentMode"] }
            set { fields[string: "paymentMode"] = newValue }
        }

        /// An ISO 8601 duration such as `P3D`.
        public var subscriptionPeriod: String? {
            get { fields[string: "subscriptionPeriod"] }
            set { fields[string: "subscriptionPeriod"] = newValue }
        }

        /// The number of periods; 1 if missing.
        public var numberOfPeriods: Int? {
            get { fields[integer: "numberOfPeriods"] }
            set { fields[integer: "numberOfPeriods"] = newValue }
        }

        /// The price of a period; missing for free offers.
        public var displayPrice: String? {
            get { fields[string: "displayPrice"] }
            set { fields[string: "displayPrice"] = newValue }
        }

        /// `BILLED_UPFRONT` or `MONTHLY`; since version 5.0.
        public var billingPlanType: String? {
            get { fields[string: "billingPlanType"] }
            set { fields[string: "billingPlanType"] = newValue }
        }

        /// Code offers: any of `new`, `existing` and `expired`.
        public var eligibility: [String] {
            get { fields[strings: "eligibility"] }
            set { fields[strings: "eligibility"] = newValue }
        }

        /// Code offers: whether it comes on top of the introductory offer.
        public var isStackable: Bool? {
            get { fields[bool: "isStackable"] }
            set { fields[bool: "isStackable"] = newValue }
        }

        /// Win-back offers: whether the tester is eligible.
        public var isEligible: Bool? {
            get { fields[bool: "isEligible"] }
            set { fields[bool: "isEligible"] = newValue }
        }
    }

    /// A way to pay for a subscription: at once, or monthly with a commitment.
    public struct BillingPlan: StoreKitFileValue {
        /// The object in the file, unknown keys included.
        public var fields: StoreKitJSON.Object

        /// Creates a value from its object in the file.
        public init(fields: StoreKitJSON.Object) {
            self.fields = fields
        }

        /// An identifier that Xcode assigns.
        public var internalID: String? {
            get { fields[string: "internalID"] }
            set { fields[string: "internalID"] = newValue }
        }

        /// `BILLED_UPFRONT` or `MONTHLY`.
        public var billingPlanType: String? {
            get { fields[string: "billingPlanType"] }
            set { fields[string: "billingPlanType"] = newValue }
        }

        /// The price of an instalment.
        public var displayPrice: String? {
            get { fields[string: "displayPrice"] }
            set { fields[string: "displayPrice"] = newValue }
        }

        /// The price of the whole commitment.
        public var commitmentDisplayPrice: String? {
            get { fields[string: "commitmentDisplayPrice"] }
            set { fields[string: "commitmentDisplayPrice"] = newValue }
        }

        /// True if codes of the offer can be redeemed.
        public var isEnabled: Bool? {
            get { fields[bool: "isEnabled"] }
            set { fields[bool: "isEnabled"] = newValue }
        }
    }
}
