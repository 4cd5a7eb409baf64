/// The rule that decides whether a price increase needs the customer's consent.
///
/// No consent is needed if the last increase is at least a year ago, the increase isn't above both the amount and
/// half of the old price, and local law allows it. Sources: Apple's news of May 2022 and the App Store Connect help
/// on price increases. The press doubted whether one or both thresholds must be passed; this follows Apple's wording.
package struct PriceIncreaseRule: Hashable, Sendable {
    /// The amount for periods shorter than a year ("about" USD 5), in milliunits by currency. For a missing currency
    /// the percentage alone decides.
    package var amounts: [Currency: Int64]
    /// The amount for annual subscriptions (USD 50), in milliunits by currency.
    package var annualAmounts: [Currency: Int64]
    /// Storefronts whose law always requires consent.
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

    /// Returns true if an increase needs consent.
    /// - Parameter last: The date of the previous increase.
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
