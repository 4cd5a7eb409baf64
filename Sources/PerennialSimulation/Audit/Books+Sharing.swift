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
        let shared = share.purchase.shared(at: now)
        for copy in share.copy.inForce(at: now) {
            guard share.isFamily else { throw deny(copy.id, "isn't family any more") }
            guard shared.contains(where: { copy.isCopy(of: $0) }) else { throw deny(copy.id, "has nothing to share") }
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
        let copies = share.copy.inForce(at: now)
        for transaction in share.purchase.shared(at: now) {
            guard copies.contains(where: { $0.isCopy(of: transaction) }) else { throw deny(transaction.id) }
        }
        guard share.copy.grace(at: now) == share.purchase.grace(at: now) else { throw deny(subscription.id) }
    }

    /// What is bought is shared with everybody in the family.
    private func checkEverybody(at now: Instant) throws(Violation) {
        let bought = rows.map(\.transaction).filter {
            $0.ownership == .purchased && $0.isShareable && $0.isInForce(at: now)
        }
        for transaction in bought {
            for relative in family where !relative.has(transaction, shares, at: now) {
                throw Violation(
                    .paidWithoutAccess, "\(transaction.id) isn't shared with account \(relative.account.rawValue)")
            }
        }
    }
}

extension Relative {
    /// Whether what somebody bought is shared; who owns a non-consumable gets no copy of it.
    fileprivate func has(_ purchase: Transaction, _ shares: [SharedPurchase], at now: Instant) -> Bool {
        if purchase.type == .nonConsumable {
            return transactions.contains { $0.productID == purchase.productID && $0.isInForce(at: now) }
        }
        return shares.contains { $0.purchase.id == purchase.originalID && $0.copy.account == account }
    }
}

extension Transaction {
    /// Whether it gives a member what a purchaser bought, to the same instant.
    fileprivate func isCopy(of purchase: Transaction) -> Bool {
        productID == purchase.productID && expiresDate == purchase.expiresDate && price.milliunits == 0
    }
}
