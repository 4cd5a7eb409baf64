/// Settings of renewal rate and billing for an app or an environment. `nil` fields keep the default.
package struct BillingSettings: Hashable, Sendable, Codable {
    /// The value of `maximumRenewals` for no limit.
    package static let withoutEnd = 0
    package static let maximumRenewalsRange = 0...10_000
    /// The lengths of the grace period in days; 0 for none.
    package static let gracePeriodDays: [Int64] = [0] + BillingPolicy.GraceLength.allCases.map(\.rawValue)

    package var timeRate: RenewalRate?
    /// Automatic renewals before a subscription expires; ``withoutEnd`` for no limit. Compressed time only.
    package var maximumRenewals: Int?
    /// Length of the grace period: 3, 16 or 28 days, or 0 for none. None is the default, because grace is opted in
    /// to.
    package var gracePeriodDays: Int64?
    package var gracePeriodScope: BillingPolicy.GraceScope?
    /// True if all renewals are declined, as with Xcode's "billing issues on renewal".
    package var renewalsFail: Bool?

    package init(
        timeRate: RenewalRate? = nil, maximumRenewals: Int? = nil, gracePeriodDays: Int64? = nil,
        gracePeriodScope: BillingPolicy.GraceScope? = nil, renewalsFail: Bool? = nil
    ) {
        self.timeRate = timeRate
        self.maximumRenewals = maximumRenewals
        self.gracePeriodDays = gracePeriodDays
        self.gracePeriodScope = gracePeriodScope
        self.renewalsFail = renewalsFail
    }

    /// The first invalid field, with the reason and the cure; `nil` if all are valid.
    package var problem: (field: String, reason: String)? {
        if let days = gracePeriodDays, !Self.gracePeriodDays.contains(days) {
            return ("gracePeriodDays", "a grace period is 3, 16 or 28 days, or 0 for none")
        }
        if let count = maximumRenewals {
            guard Self.maximumRenewalsRange.contains(count) else {
                return ("maximumRenewals", "1 to 10000 renewals, or 0 for no end")
            }
            if timeRate == .real, count != Self.withoutEnd {
                return ("maximumRenewals", "only compressed time ends after so many renewals")
            }
        }
        return nil
    }

    /// Returns these settings, completed from `others`. A renewal rate comes with its own limit of renewals.
    package func merging(_ others: BillingSettings?) -> BillingSettings {
        guard let others else { return self }
        return BillingSettings(
            timeRate: timeRate ?? others.timeRate,
            maximumRenewals: maximumRenewals ?? (timeRate == nil ? others.maximumRenewals : nil),
            gracePeriodDays: gracePeriodDays ?? others.gracePeriodDays,
            gracePeriodScope: gracePeriodScope ?? others.gracePeriodScope,
            renewalsFail: renewalsFail ?? others.renewalsFail)
    }

    /// Returns the timing of an environment. A test session's rates have no limit of renewals.
    /// - Parameter tester: The rate that a sandbox tester chose, which takes precedence in Sandbox.
    package func timing(_ kind: StoreEnvironment.Kind, tester: TimeRate? = nil) -> SubscriptionTiming {
        if let tester, kind == .sandbox { return .sandbox(tester) }
        let usual = timeRate.map { $0.timing(kind) } ?? SubscriptionTiming(kind)
        guard let maximumRenewals, let rate = usual.rate else { return usual }
        return .rate(rate, maximumRenewals: maximumRenewals == Self.withoutEnd ? nil : maximumRenewals)
    }

    /// Returns the policy of an environment. Test sessions charge when a period ends, so that no renewal lies ahead.
    package func policy(_ kind: StoreEnvironment.Kind) -> BillingPolicy {
        var policy = policy
        if kind == .xcode { policy.chargeLead = 0 }
        return policy
    }

    package var policy: BillingPolicy {
        let length = gracePeriodDays.flatMap(BillingPolicy.GraceLength.init(rawValue:))
        return BillingPolicy(grace: length.map { BillingPolicy.Grace($0, scope: gracePeriodScope ?? .allRenewals) })
    }
}

/// An app's billing settings in its catalog, for Production and Sandbox, whose settings test sessions have
/// too. Grace is opted in to separately in each.
package struct AppBilling: Hashable, Sendable, Codable {
    package var production: BillingSettings?
    package var sandbox: BillingSettings?

    package init(production: BillingSettings? = nil, sandbox: BillingSettings? = nil) {
        self.production = production
        self.sandbox = sandbox
    }

    package subscript(kind: StoreEnvironment.Kind) -> BillingSettings? {
        switch kind {
        case .production: production
        case .sandbox, .xcode: sandbox
        }
    }
}
