import Perennial

extension CatalogFile {
    /// How subscription time and billing run, on each of the App Store's two sides.
    public struct Billing: Hashable, Sendable {
        public var production: Side?
        public var sandbox: Side?

        /// One of the two sides; what is left out is as usual.
        public struct Side: Hashable, Sendable {
            /// `real`, `compressed`, `testFlight`, or the name of a rate such as `monthlyRenewalEveryHour`.
            public var timeRate: String?
            /// After how many renewals compressed time ends; 0 for never.
            public var maximumRenewals: Int?
            /// 3, 16 or 28; 0 for none.
            public var gracePeriodDays: Int64?
            /// `ALL_RENEWALS` or `PAID_TO_PAID_ONLY`.
            public var gracePeriodScope: String?
            /// Whether renewals fail though the account can pay.
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
        timeRate = try fields["timeRate"]?.word(of: SubscriptionPace.allCases.map(\.rawValue))
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
        if timeRate == SubscriptionPace.real.rawValue, let maximumRenewals, maximumRenewals > 0 {
            throw CatalogFileError(
                .malformedValue, at: fields.position, expected: "compressed time beside maximumRenewals", found: "real")
        }
    }
}
