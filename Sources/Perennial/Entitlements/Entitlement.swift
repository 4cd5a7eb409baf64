/// Content that a purchase opens.
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

/// What verified purchases open of a seller's content.
///
/// - Non-consumables, and consumables as long as the receipt holds them, open what they unlock.
/// - A subscription opens what it includes and was published while a paid period ran, and that stays the customer's after
///   the subscription ended; what it unlocks, and what it includes without a date, is open while a period runs.
/// - A free subscription opens what was published since it was taken up.
/// - What was refunded or revoked opens nothing, as if it had never been bought: a period of a subscription, too. Other paid
///   periods open what they opened before.
/// - A period that an upgrade replaced ends where the upgrade began.
/// - What repeats a purchase for nothing goes with it when it is taken back.
package struct EntitlementRules: Sendable {
    package let contents: [Content]

    package init(contents: [Content]) {
        self.contents = contents
    }

    /// - Parameters:
    ///   - purchases: What the receipt holds. Non-renewing subscriptions among them open nothing by themselves.
    ///   - terms: The customer's non-renewing subscriptions.
    /// - Returns: At most one entitlement for each content, in the seller's order of contents.
    package func entitlements(
        from purchases: [VerifiedPurchase], terms: [NonRenewingTerm] = [], at now: Instant
    ) -> [Entitlement] {
        let keys = Dictionary(
            grouping: VerifiedPurchase.resolvingUpgrades(purchases).sorted(by: VerifiedPurchase.isEarlier)
                .compactMap(AccessKey.init) + terms.map(AccessKey.init),
            by: \.productID)
        return contents.compactMap { content in
            let unlocking = content.unlockedBy.lazy.flatMap { keys[$0] ?? [] }.first { $0.unlocks(at: now) }
            let including = content.includedIn.lazy.flatMap { keys[$0] ?? [] }.first { $0.includes(content, at: now) }
            return (unlocking ?? including).map {
                Entitlement(contentID: content.id, productID: $0.productID, transactionID: $0.transactionID)
            }
        }
    }

    /// The purchases and periods that give nothing because they were taken back; terms of non-renewing subscriptions say that
    /// themselves.
    package static func revoked(among purchases: [VerifiedPurchase]) -> [RefusedPurchase] {
        VerifiedPurchase.resolvingUpgrades(purchases)
            .filter { $0.cancellationDate != nil && $0.presumedType != .nonRenewing }
            .map { RefusedPurchase(.revoked, $0, "it was refunded or revoked") }
    }
}

/// What one purchase can open.
private struct AccessKey {
    enum Reach {
        case owned
        /// A period that was paid for; without an end it runs on.
        case period(from: Instant, until: Instant?)
    }

    let productID: Product.ID
    let transactionID: TransactionID
    let reach: Reach

    /// `nil` for a purchase that opens nothing.
    init?(_ purchase: VerifiedPurchase) {
        guard purchase.cancellationDate == nil else { return nil }
        productID = purchase.productID
        transactionID = purchase.transactionID
        switch purchase.presumedType {
        case .consumable, .nonConsumable:
            reach = .owned
        case .autoRenewable:
            // A paid period without an end is a doubt, and nothing is granted on doubt.
            guard let expires = purchase.expiresDate else { return nil }
            reach = .period(from: purchase.purchaseDate, until: min(expires, purchase.replacedDate ?? expires))
        case .free:
            reach = .period(from: purchase.purchaseDate, until: purchase.expiresDate)
        case .nonRenewing:
            return nil
        }
    }

    init(_ term: NonRenewingTerm) {
        productID = term.productID
        transactionID = term.transactionID
        reach = .period(from: term.start, until: term.end)
    }

    /// Whether it opens content that the product unlocks: what is owned for good, a subscription while it runs.
    func unlocks(at now: Instant) -> Bool {
        switch reach {
        case .owned: true
        case .period(let start, let end): start <= now && (end.map { now < $0 } ?? true)
        }
    }

    /// Whether it opens content that the subscription includes.
    func includes(_ content: Content, at now: Instant) -> Bool {
        guard case .period(let start, let end) = reach else { return false }
        guard let published = content.published else { return unlocks(at: now) }
        // An issue of tomorrow is not open today.
        return start <= published && published <= now && (end.map { published < $0 } ?? true)
    }
}
