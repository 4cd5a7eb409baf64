import Perennial

/// Names of the App Store Connect API for the terms of offers.
enum OfferWords {
    /// The durations with their names, first the preferred form.
    private static let durations: [(name: String, periods: [Period])] = [
        ("THREE_DAYS", [Period(3, .day)]), ("ONE_WEEK", [.week, Period(7, .day)]),
        ("TWO_WEEKS", [Period(2, .week), Period(14, .day)]), ("ONE_MONTH", [.month]),
        ("TWO_MONTHS", [Period(2, .month)]), ("THREE_MONTHS", [Period(3, .month)]),
        ("SIX_MONTHS", [Period(6, .month)]), ("ONE_YEAR", [.year, Period(12, .month)]),
    ]

    static func period(_ name: String) -> Period? { durations.first { $0.name == name }?.periods.first }

    /// Returns the name of a duration; `nil` for one that the App Store doesn't offer.
    static func duration(_ period: Period) -> String? { durations.first { $0.periods.contains(period) }?.name }

    private static let modes: [Offer.PaymentMode: String] = [
        .freeTrial: "FREE_TRIAL", .payAsYouGo: "PAY_AS_YOU_GO", .payUpFront: "PAY_UP_FRONT",
    ]

    static func mode(_ mode: Offer.PaymentMode) -> String { modes[mode] ?? "" }

    static func mode(_ name: String) -> Offer.PaymentMode? { modes.first { $0.value == name }?.key }

    static let spenders: [(name: String, eligibility: OneTimeOffer.Eligibility)] = [
        ("NON_SPENDER", .nonSpender), ("ACTIVE_SPENDER", .activeSpender), ("CHURNED_SPENDER", .churnedSpender),
    ]

    static let customers: [(name: String, eligibility: Offer.Eligibility)] = [
        ("NEW", .new), ("EXISTING", .existing), ("EXPIRED", .expired),
    ]

    /// The plan whose subscribers pay each period when it begins: the only one with offers here.
    static let plan = "UPFRONT"
}

extension Offer {
    /// The attributes that the kinds of offers share.
    ///
    /// - Parameter count: The name of the number of periods.
    func connectTerms(count: String = "numberOfPeriods") -> ConnectAttributes {
        [
            "duration": .optional(OfferWords.duration(period)), "offerMode": .text(OfferWords.mode(paymentMode)),
            count: .integer(Int64(periodCount)), "targetSubscriptionPlanType": .text(OfferWords.plan),
        ]
    }
}

extension ConnectEntity {
    /// Reads the terms of an offer, without its prices.
    ///
    /// - Throws: ``ConnectFailure``, or ``CatalogEditError`` for a plan without offers.
    func offerTerms(count: String = "numberOfPeriods") throws -> OfferProposal {
        if let plan = try text("targetSubscriptionPlanType"), plan != OfferWords.plan {
            throw CatalogEditError(
                .invalid, at: .attribute("targetSubscriptionPlanType"),
                "This store has offers for the plan UPFRONT only")
        }
        let duration = try requiredText("duration")
        guard let period = OfferWords.period(duration), let mode = OfferWords.mode(try requiredText("offerMode")) else {
            throw CatalogEditError(.invalid, at: .attribute("duration"), "An attribute value is not valid.")
        }
        let number = Int(clamping: try requiredInteger(count))
        return OfferProposal(paymentMode: mode, period: period, periodCount: number)
    }

    /// Returns the entities that the request creates with a relationship of this one, which may be inline itself.
    func inline(_ name: String, in root: ConnectEntity) -> [ConnectEntity] {
        let entities = Dictionary(root.included.map { ($0.id ?? "", $0) }) { first, _ in first }
        return (relationships[name]?.linkages ?? []).compactMap { entities[$0.id] }
    }
}
