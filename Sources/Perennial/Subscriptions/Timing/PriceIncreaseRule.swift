/// Whether customers must agree to a price increase before it is charged.
///
/// No consent is needed if all of this holds: the last increase is at least a year ago; the increase is not above both
/// the amount and the half of the old price; local law allows it. Sources: Apple's news of May 2022 and the App Store
/// Connect help on price increases; where the press doubted whether one threshold or both must be passed, this follows
/// Apple's wording.
package struct PriceIncreaseRule: Hashable, Sendable {
    /// "About" USD 5 for periods shorter than a year, in milliunits by currency. A currency that is missing has no
    /// amount, and the percentage alone decides.
    package var amounts: [Currency: Int64]
    /// The same for annual subscriptions: USD 50.
    package var annualAmounts: [Currency: Int64]
    /// Where the law always asks for consent.
    package var consentStorefronts: Set<Storefront>

    package static let percentage: Int64 = 50

    package init(
        amounts: [Currency: Int64] = [.usd: 5_000], annualAmounts: [Currency: Int64] = [.usd: 50_000],
        consentStorefronts: Set<Storefront> = []
    ) {
        self.amounts = amounts
        self.annualAmounts = annualAmounts
        self.consentStorefronts = consentStorefronts
    }

    /// - Parameter last: When the price was raised before.
    package func needsConsent(
        from old: Money, to new: Money, period: Period, storefront: Storefront, last: Instant?, at now: Instant
    ) -> Bool {
        guard old.currency == new.currency else { return true }
        let increase = new.milliunits - old.milliunits
        guard increase > 0 else { return false }
        if consentStorefronts.contains(storefront) { return true }
        if let last, now < Period.year.end(after: last) { return true }
        let isAnnual = period.lasts(asLongAs: .year)
        let amount = (isAnnual ? annualAmounts : amounts)[new.currency] ?? 0
        return increase > amount && increase * 100 > old.milliunits * Self.percentage
    }
}
