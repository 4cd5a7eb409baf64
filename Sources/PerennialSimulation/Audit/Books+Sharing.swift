import Perennial

/// A family member has access as long as a purchaser shares it, and no longer.
extension Books {
    func checkSharing(at now: Instant) throws(Violation) {
        guard family.count < Family.maximumCount else {
            throw Violation(
                .crowdedFamily, "account \(account.id.rawValue) is in a family of \(family.count + 1)")
        }
        try checkCopies()
        for share in shares {
            try checkReason(of: share, at: now)
            try checkPaidDays(of: share, at: now)
        }
        try checkEverybody(at: now)
    }

    /// Each copy is the copy of something.
    private func checkCopies() throws(Violation) {
        let copies = Set(shares.map(\.copy.id))
        for transaction in rows.map(\.transaction)
        where transaction.ownership == .familyShared && !copies.contains(transaction.originalID) {
            throw Violation(.accessWithoutReason, "nobody knows what the shared \(transaction.id) is a copy of")
        }
    }

    /// No access without somebody of the family who bought it and has it: for each period in force, the same one.
    private func checkReason(of share: SharedPurchase, at now: Instant) throws(Violation) {
        func deny(_ id: TransactionID, _ why: String) -> Violation {
            Violation(
                .accessWithoutReason,
                "\(id) of account \(share.copy.account.rawValue) is in force at \(now.rfc3339(fraction: true)), but the "
                    + "purchaser of \(share.purchase.id) \(why)")
        }
        let shared = share.purchase.shared
        for copy in share.copy.inForce {
            guard share.isFamily else { throw deny(copy.id, "isn't family any more") }
            guard shared.contains(where: { copy.isCopy(of: $0) }) else { throw deny(copy.id, "has nothing to share") }
        }
        guard !share.copy.isRetried || (share.isFamily && share.purchase.isRetried) else {
            throw Violation(
                .journalAndTables,
                "\(share.copy.id) of account \(share.copy.account.rawValue) waits for a charge, and "
                    + "\(share.purchase.id), which it is a copy of, doesn't")
        }
        guard let grace = share.copy.grace(at: now) else { return }
        guard share.isFamily else { throw deny(share.copy.id, "isn't family any more") }
        guard share.purchase.grace(at: now) == grace else { throw deny(share.copy.id, "is given no grace") }
    }

    /// Nobody keeps from the family what was paid for.
    private func checkPaidDays(of share: SharedPurchase, at now: Instant) throws(Violation) {
        guard share.isFamily, let subscription = share.purchase.subscription else { return }
        func deny(_ id: TransactionID) -> Violation {
            Violation(
                .paidWithoutAccess,
                "at \(now.rfc3339(fraction: true)) account \(share.copy.account.rawValue) has nothing of \(id), "
                    + "which is shared with it")
        }
        for transaction in share.purchase.shared {
            guard share.copy.inForce.contains(where: { $0.isCopy(of: transaction) }) else { throw deny(transaction.id) }
        }
        guard share.copy.grace(at: now) == share.purchase.grace(at: now) else { throw deny(subscription.id) }
    }

    /// What is bought is shared with everybody in the family.
    private func checkEverybody(at now: Instant) throws(Violation) {
        guard !family.isEmpty else { return }
        let bought = rows.map(\.transaction).filter {
            $0.ownership == .purchased && Held($0).isShareable && $0.isInForce(at: now)
        }
        for transaction in bought {
            for relative in family where !relative.has(transaction, shares) {
                throw Violation(
                    .paidWithoutAccess, "\(transaction.id) isn't shared with account \(relative.account.rawValue)")
            }
        }
    }
}

extension Relative {
    /// Whether what somebody bought is shared; who owns a non-consumable gets no copy of it.
    fileprivate func has(_ purchase: Transaction, _ shares: [SharedPurchase]) -> Bool {
        if purchase.type == .nonConsumable { return products.contains(purchase.productID) }
        return shares.contains { $0.purchase.id == purchase.originalID && $0.copy.account == account }
    }
}
