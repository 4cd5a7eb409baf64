extension StoreKitFile {
    /// The behaviour of Xcode's test store, and the origin of a synced file.
    public struct Settings: StoreKitFileValue {
        /// The object in the file, unknown keys included.
        public var fields: StoreKitJSON.Object

        /// Creates a value from its object in the file.
        public init(fields: StoreKitJSON.Object) {
            self.fields = fields
        }

        /// The app's Apple ID, in a synced file.
        public var applicationInternalID: String? {
            get { fields[string: "_applicationInternalID"] }
            set { fields[string: "_applicationInternalID"] = newValue }
        }

        /// The identifier of the developer team, in a synced file.
        public var developerTeamID: String? {
            get { fields[string: "_developerTeamID"] }
            set { fields[string: "_developerTeamID"] = newValue }
        }

        /// The date of the last synchronisation, in seconds since 2001-01-01T00:00:00Z; its presence marks a synced
        /// file.
        public var lastSynchronizedDate: Double? {
            get { fields[double: "_lastSynchronizedDate"] }
            set { fields[double: "_lastSynchronizedDate"] = newValue }
        }

        /// True if purchases wait for the approval of a parent or guardian.
        public var isAskToBuyEnabled: Bool? {
            get { fields[bool: "_askToBuyEnabled"] }
            set { fields[bool: "_askToBuyEnabled"] = newValue }
        }

        /// True if a failed renewal begins a grace period.
        public var isBillingGracePeriodEnabled: Bool? {
            get { fields[bool: "_billingGracePeriodEnabled"] }
            set { fields[bool: "_billingGracePeriodEnabled"] = newValue }
        }

        /// The older name of ``areRenewalBillingIssuesEnabled``.
        public var areBillingIssuesEnabled: Bool? {
            get { fields[bool: "_billingIssuesEnabled"] }
            set { fields[bool: "_billingIssuesEnabled"] = newValue }
        }

        /// True if renewals fail.
        public var areRenewalBillingIssuesEnabled: Bool? {
            get { fields[bool: "_renewalBillingIssuesEnabled"] }
            set { fields[bool: "_renewalBillingIssuesEnabled"] = newValue }
        }

        /// True if the test store shows no dialogs.
        public var areDialogsDisabled: Bool? {
            get { fields[bool: "_disableDialogs"] }
            set { fields[bool: "_disableDialogs"] = newValue }
        }

        /// True if purchases fail.
        public var areFailingTransactionsEnabled: Bool? {
            get { fields[bool: "_failTransactionsEnabled"] }
            set { fields[bool: "_failTransactionsEnabled"] = newValue }
        }

        /// The locale, such as `en_US`.
        public var locale: String? {
            get { fields[string: "_locale"] }
            set { fields[string: "_locale"] = newValue }
        }

        /// An ISO 3166-1 alpha-3 code.
        public var storefront: String? {
            get { fields[string: "_storefront"] }
            set { fields[string: "_storefront"] = newValue }
        }

        /// The renewal rate: a raw value of `SKTestSession.TimeRate`; 0 is real time.
        public var timeRate: Int? {
            get { fields[integer: "_timeRate"] }
            set { fields[integer: "_timeRate"] = newValue }
        }

        /// The operations that can be made to fail.
        public var storeKitErrors: [SimulatedError] {
            get { fields[values: "_storeKitErrors"] }
            set { fields[values: "_storeKitErrors"] = newValue }
        }
    }

    /// An operation that can be made to fail in tests.
    public struct SimulatedError: StoreKitFileValue {
        /// The object in the file, unknown keys included.
        public var fields: StoreKitJSON.Object

        /// Creates a value from its object in the file.
        public init(fields: StoreKitJSON.Object) {
            self.fields = fields
        }

        /// The name of the operation, such as `Load Products`.
        public var name: String? {
            get { fields[string: "name"] }
            set { fields[string: "name"] = newValue }
        }

        /// True if the operation fails.
        public var isEnabled: Bool? {
            get { fields[bool: "enabled"] }
            set { fields[bool: "enabled"] = newValue }
        }

        /// The error; `nil` if none was chosen.
        public var current: Choice? {
            get { fields[value: "current"] }
            set { fields[value: "current"] = newValue }
        }

        /// An error in one of Xcode's lists.
        public struct Choice: StoreKitFileValue {
            /// The object in the file, unknown keys included.
            public var fields: StoreKitJSON.Object

            /// Creates a value from its object in the file.
            public init(fields: StoreKitJSON.Object) {
                self.fields = fields
            }

            /// The list, such as `generic` for errors of every operation.
            public var type: String? {
                get { fields[string: "type"] }
                set { fields[string: "type"] = newValue }
            }

            /// The position in the list, from 0.
            public var index: Int? {
                get { fields[integer: "index"] }
                set { fields[integer: "index"] = newValue }
            }
        }
    }

    /// The licence agreement and privacy policies that are shown with subscriptions.
    public struct AppPolicies: StoreKitFileValue {
        /// The object in the file, unknown keys included.
        public var fields: StoreKitJSON.Object

        /// Creates a value from its object in the file.
        public init(fields: StoreKitJSON.Object) {
            self.fields = fields
        }

        /// The licence agreement.
        public var eula: String? {
            get { fields[string: "eula"] }
            set { fields[string: "eula"] = newValue }
        }

        /// The privacy policies by language.
        public var policies: [Policy] {
            get { fields[values: "policies"] }
            set { fields[values: "policies"] = newValue }
        }
    }

    /// A privacy policy in one language.
    public struct Policy: StoreKitFileValue {
        /// The object in the file, unknown keys included.
        public var fields: StoreKitJSON.Object

        /// Creates a value from its object in the file.
        public init(fields: StoreKitJSON.Object) {
            self.fields = fields
        }

        /// The locale, such as `en_US`.
        public var locale: String? {
            get { fields[string: "locale"] }
            set { fields[string: "locale"] = newValue }
        }

        /// The text of the policy.
        public var policyText: String? {
            get { fields[string: "policyText"] }
            set { fields[string: "policyText"] = newValue }
        }

        /// The URL of the policy.
        public var policyURL: String? {
            get { fields[string: "policyURL"] }
            set { fields[string: "policyURL"] = newValue }
        }
    }

    /// The key with which promotional offers are signed locally. Never printed, never logged.
    public struct KeyPair: StoreKitFileValue {
        /// The object in the file, unknown keys included.
        public var fields: StoreKitJSON.Object

        /// Creates a value from its object in the file.
        public init(fields: StoreKitJSON.Object) {
            self.fields = fields
        }

        /// The identifier of the key.
        public var id: String? {
            get { fields[string: "id"] }
            set { fields[string: "id"] = newValue }
        }

        /// The secret: PKCS#8 in base64.
        public var privateKey: String? {
            get { fields[string: "privateKey"] }
            set { fields[string: "privateKey"] = newValue }
        }
    }
}
