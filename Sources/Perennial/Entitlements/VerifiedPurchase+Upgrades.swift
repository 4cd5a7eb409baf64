extension VerifiedPurchase {
    /// A store may date an upgrade a moment apart from the period that it began: a limit of ours.
    private static let upgradeTolerance: Int64 = .seconds(5)

    /// Purchases with the upgrades among them resolved: a period that an upgrade replaced ends where the upgrade began, and
    /// has a cancellation date no longer unless it was refunded besides. Resolved ones stay as they are.
    ///
    /// Stores differ in what they say of such a period: `is_upgraded` alone, or with the upgrade's date as its cancellation
    /// date. A cancellation at another time than the upgrade is a refund. Where the receipt doesn't list the upgrade, the
    /// cancellation is taken for it.
    package static func resolvingUpgrades(_ purchases: [VerifiedPurchase]) -> [VerifiedPurchase] {
        guard purchases.contains(where: { $0.isUpgraded && $0.replacedDate == nil }) else { return purchases }
        let periods = Dictionary(grouping: purchases, by: \.originalTransactionID)
        return purchases.map { purchase in
            guard purchase.isUpgraded, purchase.replacedDate == nil else { return purchase }
            return purchase.replaced(among: periods[purchase.originalTransactionID] ?? [])
        }
    }

    private func replaced(among periods: [VerifiedPurchase]) -> VerifiedPurchase {
        var resolved = self
        let upgraded = periods.filter(replaces).map(\.purchaseDate).min()
        resolved.replacedDate = upgraded ?? cancellationDate
        if let cancellationDate, let end = resolved.replacedDate {
            let isUpgrade = max(cancellationDate, end) - min(cancellationDate, end) <= Self.upgradeTolerance
            if isUpgrade { resolved.cancellationDate = nil }
        }
        return resolved
    }

    /// Whether `other` took this period's place: a period for some of the same time that began later, or that nothing
    /// replaced, which one charged ahead may give way to before it begins.
    private func replaces(_ other: VerifiedPurchase) -> Bool {
        guard other.transactionID != transactionID, let expiresDate, let end = other.expiresDate,
            other.purchaseDate < expiresDate, purchaseDate < end
        else { return false }
        return other.purchaseDate > purchaseDate || !other.isUpgraded
    }
}
