/// The time that one purchase of a non-renewing subscription pays for.
package struct NonRenewingTerm: Hashable, Sendable {
    package let productID: Product.ID
    package let transactionID: TransactionID
    package let start: Instant
    /// Not part of the term.
    package let end: Instant

    package init(productID: Product.ID, transactionID: TransactionID, start: Instant, end: Instant) {
        self.productID = productID
        self.transactionID = transactionID
        self.start = start
        self.end = end
    }

    package func isActive(at now: Instant) -> Bool {
        start <= now && now < end
    }
}

/// All terms of a customer's non-renewing subscriptions, computed anew from what was bought and what the seller wants.
///
/// Nothing computed is kept: a product without a term is refused by name until the configuration gives it one, and is a
/// term from then on, dated from its purchase. Terms of one product never overlap; different products don't bear on
/// each other.
package struct NonRenewingTerms: Hashable, Sendable {
    /// In the order of their starts, then of their products.
    package private(set) var terms: [NonRenewingTerm] = []
    package private(set) var refused: [RefusedPurchase] = []

    /// A product's periods that may follow each other without a gap: keeps the arithmetic of dates in bounds.
    package static let maximumQueuedPeriods = 1_000

    /// - Parameter purchases: One customer's purchases of non-renewing products, in any order.
    package init(of purchases: [VerifiedPurchase], policy: NonRenewingPolicy) {
        for (productID, bought) in Dictionary(grouping: purchases, by: \.productID) {
            let inOrder = bought.sorted(by: VerifiedPurchase.isEarlier)
            guard let period = policy.terms.term(of: productID) else {
                refused += inOrder.map { Self.refusedWithoutTerm($0) }
                continue
            }
            var queue = TermQueue(period: period, overlap: policy.overlap)
            for purchase in inOrder {
                switch queue.add(purchase) {
                case .success(let term): terms.append(term)
                case .failure(let refusal): refused.append(refusal.purchase)
                }
            }
        }
        terms.sort { ($0.start, $0.productID, $0.transactionID) < ($1.start, $1.productID, $1.transactionID) }
        refused.sort { $0.transactionID < $1.transactionID }
    }

    private static func refusedWithoutTerm(_ purchase: VerifiedPurchase) -> RefusedPurchase {
        if purchase.cancellationDate != nil { return RefusedPurchase(.revoked, purchase, "it was refunded or revoked") }
        return RefusedPurchase(
            .termUnknown, purchase,
            "neither the product ID nor the configuration says how long \(purchase.productID) lasts; "
                + "configure its term and the purchase counts from its date")
    }
}

/// One product's terms, one after the other.
private struct TermQueue {
    struct Refusal: Error {
        let purchase: RefusedPurchase
    }

    let period: Period
    let overlap: NonRenewingPolicy.Overlap
    /// Where an unbroken run of periods began, and how many it has: ends are counted from there, so that a run begun on
    /// 31 January passes 28 February and comes to 31 March.
    private var anchor: Instant?
    private var count = 0
    /// Until when time is taken.
    private var taken: Instant?
    /// What took time before, with its end.
    private var accepted: [(purchase: VerifiedPurchase, end: Instant)] = []

    init(period: Period, overlap: NonRenewingPolicy.Overlap) {
        self.period = period
        self.overlap = overlap
    }

    mutating func add(_ purchase: VerifiedPurchase) -> Result<NonRenewingTerm, Refusal> {
        let isRevoked = purchase.cancellationDate != nil
        // A refunded term takes no time from a purchase that would overlap it; in a queue it took the time it ran, so
        // that the terms behind it move up to the refund and not further.
        if isRevoked, overlap == .refuse { return refusal(.revoked, purchase, "it was refunded or revoked") }
        let isRunning = taken.map { purchase.purchaseDate < $0 } ?? false
        if let taken, isRunning, overlap == .refuse, !followsReversal(purchase) {
            return refusal(.overlaps, purchase, "the term bought before runs until \(taken.rfc3339())")
        }
        let begins = isRunning ? taken ?? purchase.purchaseDate : purchase.purchaseDate
        if !isRunning { (anchor, count) = (begins, 0) }
        let periods = min(
            max(purchase.quantity, PurchaseRequest.quantities.lowerBound), PurchaseRequest.quantities.upperBound)
        guard count + periods <= NonRenewingTerms.maximumQueuedPeriods else {
            return refusal(.overlaps, purchase, "\(NonRenewingTerms.maximumQueuedPeriods) periods are queued already")
        }
        count += periods
        let ends = period.end(after: anchor ?? begins, number: count)
        if let cancelled = purchase.cancellationDate {
            if cancelled <= begins {
                count -= periods
            } else {
                let cut = min(cancelled, ends)
                (anchor, count, taken) = (cut, 0, cut)
            }
            return refusal(.revoked, purchase, "it was refunded or revoked")
        }
        taken = ends
        accepted.append((purchase, ends))
        return .success(
            NonRenewingTerm(
                productID: purchase.productID, transactionID: purchase.transactionID, start: begins, end: ends))
    }

    /// Whether nothing stood in the purchase's way when it was made: what runs now had been refunded, and that was undone
    /// since. Both are paid for, so the later one follows.
    private func followsReversal(_ purchase: VerifiedPurchase) -> Bool {
        accepted.filter { purchase.purchaseDate < $0.end }
            .allSatisfy { $0.purchase.reversedRefund?.wasRefunded(at: purchase.purchaseDate) == true }
    }

    private func refusal(
        _ code: RefusedPurchase.Code, _ purchase: VerifiedPurchase, _ reason: String
    ) -> Result<NonRenewingTerm, Refusal> {
        .failure(Refusal(purchase: RefusedPurchase(code, purchase, reason)))
    }
}
