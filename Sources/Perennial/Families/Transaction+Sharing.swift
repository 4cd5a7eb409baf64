extension Transaction {
    /// A family member's copy of a purchase: a transaction of the member's own, without money.
    ///
    /// - Parameter earlier: The member's copy of the same purchase from an earlier time.
    /// - Returns: `nil` for what is not shared: only a non-consumable in force is, and never a copy.
    package func shared(
        with member: Account.ID, earlier: Transaction? = nil, as id: TransactionID, at now: Instant
    ) -> Transaction? {
        guard type == .nonConsumable, ownership == .purchased, isInForce(at: now) else { return nil }
        let date = now.wholeSeconds
        return Transaction(
            id: id, originalID: earlier?.originalID ?? id, accountID: member, productID: productID, type: type,
            purchaseDate: date, originalPurchaseDate: earlier?.originalPurchaseDate ?? date,
            price: .zero(price.currency), storefront: storefront, ownership: .familyShared)
    }

    /// A member's copy, after the purchaser stopped sharing it or was refunded.
    package func accessRevoked(at now: Instant) -> Transaction {
        var copy = self
        copy.revocation = Revocation(date: now.wholeSeconds, reason: .other, kind: .familyRevoke)
        return copy
    }
}
