import Perennial

extension CatalogFile {
    /// The settings of subscription time and billing, for each of the App Store's two environments.
    public struct Billing: Hashable, Sendable {
        /// The settings for production.
        public var production: Side?
        /// The settings for the sandbox.
        public var sandbox: Side?

        /// The settings of one environment; missing values are the defaults.
        public struct Side: Hashable, Sendable {
            /// `real`, `compressed`, `testFlight`, or the name of a rate such as `monthlyRenewalEveryHour`.
            public var timeRate: String?
            /// The number of renewals after which compressed time ends; 0 for no end.
            public var maximumRenewals: Int?
            /// The days of the grace period: 3, 16 or 28; 0 for none.
            public var gracePeriodDays: Int64?
            /// `ALL_RENEWALS` or `PAID_TO_PAID_ONLY`.
            public var gracePeriodScope: String?
            /// True if renewals fail although the account can pay.
            public var renewalsFail: Bool?
        }
    }
}

extension CatalogFile.Billing {
    static let keys = ["production", "sandbox"]

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        production = try fields["production"].map(Side.init)
        sandbox = try fields["sandbox"].map(Side.init)
    }
}

extension CatalogFile.Billing.Side {
    static let keys = ["timeRate", "maximumRenewals", "gracePeriodDays", "gracePeriodScope", "renewalsFail"]

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        timeRate = try fields["timeRate"]?.word(of: RenewalRate.allCases.map(\.rawValue))
        let renewals = BillingSettings.maximumRenewalsRange
        maximumRenewals = try fields["maximumRenewals"].map {
            Int(try $0.integer(Int64(renewals.lowerBound)...Int64(renewals.upperBound)))
        }
        gracePeriodDays = try fields["gracePeriodDays"].map { node in
            let days = BillingSettings.gracePeriodDays.map(String.init)
            return Int64(try node.word(of: days)) ?? 0
        }
        gracePeriodScope = try fields["gracePeriodScope"]?.word(of: BillingPolicy.GraceScope.allCases.map(\.rawValue))
        renewalsFail = try fields["renewalsFail"]?.bool()
        if timeRate == RenewalRate.real.rawValue, let maximumRenewals, maximumRenewals > 0 {
            throw CatalogFileError(
                .malformedValue, at: fields.position, expected: "compressed time beside maximumRenewals", found: "real")
        }
    }
}
