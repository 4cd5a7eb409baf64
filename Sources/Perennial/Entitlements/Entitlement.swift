/// The right to download a content, and the purchase that grants it.
package struct Entitlement: Hashable, Sendable {
    package let contentID: Content.ID
    package let productID: Product.ID
    package let transactionID: TransactionID

    package init(contentID: Content.ID, productID: Product.ID, transactionID: TransactionID) {
        self.contentID = contentID
        self.productID = productID
        self.transactionID = transactionID
    }
}

/// The rules that decide which content verified purchases unlock.
///
/// - Non-consumables, and consumables while the receipt has them, unlock their content.
/// - A subscription grants content that was published during a paid period, and that stays the customer's after its
///   end. Its other content is available during a period.
/// - A free subscription grants content that was published after it began.
/// - A refunded or revoked purchase grants nothing, as if it had never been made. The same holds for a subscription
///   period; other paid periods keep their content.
/// - An upgraded period ends where the upgrade began.
/// - A free repeat of a purchase is revoked with it.
package struct EntitlementRules: Sendable {
    package let contents: [Content]

    package init(contents: [Content]) {
        self.contents = contents
    }

    /// Returns the customer's entitlements.
    ///
    /// - Parameters:
    ///   - purchases: The receipt's purchases. Non-renewing subscriptions among them grant nothing by themselves.
    ///   - terms: The terms of the customer's non-renewing subscriptions.
    /// - Returns: At most one entitlement for each content, in the seller's order of contents.
    package func entitlements(
        from purchases: [VerifiedPurchase], terms: [NonRenewingTerm] = [], at now: Instant
    ) -> [Entitlement] {
        let keys = Dictionary(
            grouping: VerifiedPurchase.resolvingUpgrades(purchases).sorted(by: VerifiedPurchase.isEarlier)
                .compactMap(PurchaseAccess.init) + terms.map(PurchaseAccess.init),
            by: \.productID)
        return contents.compactMap { content in
            let unlocking = content.unlockedBy.lazy.flatMap { keys[$0] ?? [] }.first { $0.unlocks(at: now) }
            let including = content.includedIn.lazy.flatMap { keys[$0] ?? [] }.first { $0.includes(content, at: now) }
            return (unlocking ?? including).map {
                Entitlement(contentID: content.id, productID: $0.productID, transactionID: $0.transactionID)
            }
        }
    }

    /// Returns the purchases and periods that grant nothing because they were refunded or revoked. The terms of
    /// non-renewing subscriptions have their own refusals.
    package static func revoked(among purchases: [VerifiedPurchase]) -> [RefusedPurchase] {
        VerifiedPurchase.resolvingUpgrades(purchases)
            .filter { $0.cancellationDate != nil && $0.presumedType != .nonRenewing }
            .map { RefusedPurchase(.revoked, $0, "it was refunded or revoked") }
    }
}

/// The access that one purchase grants.
private struct PurchaseAccess {
    enum Scope {
        case owned
        /// A paid period; `nil` as its end means that it is open.
        case period(from: Instant, until: Instant?)
    }

    let productID: Product.ID
    let transactionID: TransactionID
    let scope: Scope

    /// Creates the access of a purchase; `nil` if it grants none.
    init?(_ purchase: VerifiedPurchase) {
        guard purchase.cancellationDate == nil else { return nil }
        productID = purchase.productID
        transactionID = purchase.transactionID
        switch purchase.presumedType {
        case .consumable, .nonConsumable:
            scope = .owned
        case .autoRenewable:
            // A paid period without an end is malformed, and nothing is granted for it.
            guard let expires = purchase.expiresDate else { return nil }
            scope = .period(from: purchase.purchaseDate, until: min(expires, purchase.replacedDate ?? expires))
        case .free:
            scope = .period(from: purchase.purchaseDate, until: purchase.expiresDate)
        case .nonRenewing:
            return nil
        }
    }

    init(_ term: NonRenewingTerm) {
        productID = term.productID
        transactionID = term.transactionID
        scope = .period(from: term.start, until: term.end)
    }

    /// Returns true if content that the product unlocks is available: permanently for an owned product, during a
    /// period for a subscription.
    func unlocks(at now: Instant) -> Bool {
        switch scope {
        case .owned: true
        case .period(let start, let end): start <= now && (end.map { now < $0 } ?? true)
        }
    }

    /// Returns true if content that the subscription includes is available.
    func includes(_ content: Content, at now: Instant) -> Bool {
        guard case .period(let start, let end) = scope else { return false }
        guard let published = content.published else { return unlocks(at: now) }
        // Content of the future is not available yet.
        return start <= published && published <= now && (end.map { published < $0 } ?? true)
    }
}
