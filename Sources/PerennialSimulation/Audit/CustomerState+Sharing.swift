import Perennial

/// Family Sharing: a member has access as long as a purchaser in the family shares it.
extension CustomerState {
    func checkSharing(at now: Instant) throws(Violation) {
        guard family.count < Family.maximumCount else {
            throw Violation(
                .crowdedFamily, "account \(account.id.rawValue) is in a family of \(family.count + 1)")
        }
        try checkSources()
        for share in shares {
            try checkReason(of: share, at: now)
            try checkPaidDays(of: share, at: now)
        }
        try checkMembers(at: now)
    }

    /// Checks that each shared transaction has a source.
    private func checkSources() throws(Violation) {
        let shared = Set(shares.map(\.member.id))
        for transaction in rows.map(\.transaction)
        where transaction.ownership == .familyShared && !shared.contains(transaction.originalID) {
            throw Violation(.accessWithoutReason, "the shared \(transaction.id) has no source")
        }
    }

    /// Checks that for each period that a member has in force the purchaser has the same one.
    private func checkReason(of share: FamilyShare, at now: Instant) throws(Violation) {
        func deny(_ id: TransactionID, _ why: String) -> Violation {
            Violation(
                .accessWithoutReason,
                "\(id) of account \(share.member.account.rawValue) is in force at \(now.rfc3339(fraction: true)), but the "
                    + "purchaser of \(share.purchaser.id) \(why)")
        }
        let shared = share.purchaser.shared
        for period in share.member.inForce {
            guard share.isFamily else { throw deny(period.id, "isn't family any more") }
            guard shared.contains(where: { period.shares($0) }) else { throw deny(period.id, "has nothing to share") }
        }
        guard !share.member.isRetried || (share.isFamily && share.purchaser.isRetried) else {
            throw Violation(
                .journalAndTables,
                "\(share.member.id) of account \(share.member.account.rawValue) waits for a charge, and "
                    + "\(share.purchaser.id), its source, doesn't")
        }
        guard let grace = share.member.grace(at: now) else { return }
        guard share.isFamily else { throw deny(share.member.id, "isn't family any more") }
        guard share.purchaser.grace(at: now) == grace else { throw deny(share.member.id, "is given no grace") }
    }

    /// Checks that a member has what the purchaser paid for.
    private func checkPaidDays(of share: FamilyShare, at now: Instant) throws(Violation) {
        guard share.isFamily, let subscription = share.purchaser.subscription else { return }
        func deny(_ id: TransactionID) -> Violation {
            Violation(
                .paidWithoutAccess,
                "at \(now.rfc3339(fraction: true)) account \(share.member.account.rawValue) has nothing of \(id), "
                    + "which is shared with it")
        }
        for transaction in share.purchaser.shared {
            guard share.member.inForce.contains(where: { $0.shares(transaction) }) else { throw deny(transaction.id) }
        }
        guard share.member.grace(at: now) == share.purchaser.grace(at: now) else { throw deny(subscription.id) }
    }

    /// Checks that shareable purchases are shared with every family member.
    private func checkMembers(at now: Instant) throws(Violation) {
        guard !family.isEmpty else { return }
        let bought = rows.map(\.transaction).filter {
            $0.ownership == .purchased && ActiveTransaction($0).isShareable && $0.isInForce(at: now)
        }
        for transaction in bought {
            for relative in family where !relative.has(transaction, shares) {
                throw Violation(
                    .paidWithoutAccess, "\(transaction.id) isn't shared with account \(relative.account.rawValue)")
            }
        }
    }
}

extension FamilyMember {
    /// True if a purchase is shared with the member, or is a non-consumable that the member has anyway.
    fileprivate func has(_ purchase: Transaction, _ shares: [FamilyShare]) -> Bool {
        if purchase.type == .nonConsumable { return products.contains(purchase.productID) }
        return shares.contains { $0.purchaser.id == purchase.originalID && $0.member.account == account }
    }
}
