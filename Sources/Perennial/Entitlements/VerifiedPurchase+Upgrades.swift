extension VerifiedPurchase {
    /// The tolerance between an upgrade's date and the start of its period: a limit of ours.
    private static let upgradeTolerance: Int64 = .seconds(5)

    /// Returns the purchases with upgrades resolved: an upgraded period ends where the upgrade began, and has a
    /// cancellation date only if it was also refunded. Resolved purchases don't change.
    ///
    /// Stores differ: some report `is_upgraded` alone, some also the upgrade's date as the cancellation date. A
    /// cancellation at another time than the upgrade is a refund. If the receipt doesn't list the upgrade, the
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

    /// Returns true if `other` replaced this period: it covers some of the same time and began later, or it was not
    /// replaced itself, as with an upgrade of a period charged ahead.
    private func replaces(_ other: VerifiedPurchase) -> Bool {
        guard other.transactionID != transactionID, let expiresDate, let end = other.expiresDate,
            other.purchaseDate < expiresDate, purchaseDate < end
        else { return false }
        return other.purchaseDate > purchaseDate || !other.isUpgraded
    }
}
