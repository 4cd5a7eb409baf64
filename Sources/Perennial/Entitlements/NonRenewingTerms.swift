/// The time that one purchase of a non-renewing subscription pays for.
package struct NonRenewingTerm: Hashable, Sendable {
    package let productID: Product.ID
    package let transactionID: TransactionID
    package let start: Instant
    /// The first instant after the term.
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

/// The terms of a customer's non-renewing subscriptions, computed from the purchases and the seller's policy.
///
/// Nothing is stored: a product without a term is refused until the configuration has one, and then gets a term from
/// its purchase date. Terms of one product never overlap; different products are independent.
package struct NonRenewingTerms: Hashable, Sendable {
    /// The terms by start, then by product.
    package private(set) var terms: [NonRenewingTerm] = []
    package private(set) var refused: [RefusedPurchase] = []

    /// The most consecutive periods of a product, which keeps date arithmetic within bounds.
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

/// The consecutive terms of one product.
private struct TermQueue {
    struct Refusal: Error {
        let purchase: RefusedPurchase
    }

    let period: Period
    let overlap: NonRenewingPolicy.Overlap
    /// The start of an unbroken run of periods. Ends are counted from there, so that a run that began on 31 January
    /// passes 28 February and reaches 31 March.
    private var anchor: Instant?
    private var count = 0
    /// The end of the last accepted term.
    private var lastEnd: Instant?
    /// The accepted purchases with the ends of their terms.
    private var accepted: [(purchase: VerifiedPurchase, end: Instant)] = []

    init(period: Period, overlap: NonRenewingPolicy.Overlap) {
        self.period = period
        self.overlap = overlap
    }

    mutating func add(_ purchase: VerifiedPurchase) -> Result<NonRenewingTerm, Refusal> {
        let isRevoked = purchase.cancellationDate != nil
        // A refunded term doesn't block an overlapping purchase. In a queue it keeps the time it ran, so the terms
        // after it move up to the refund and no further.
        if isRevoked, overlap == .refuse { return refusal(.revoked, purchase, "it was refunded or revoked") }
        let isRunning = lastEnd.map { purchase.purchaseDate < $0 } ?? false
        if let lastEnd, isRunning, overlap == .refuse, !followsReversal(purchase) {
            return refusal(.overlaps, purchase, "the term bought before runs until \(lastEnd.rfc3339())")
        }
        let begins = isRunning ? lastEnd ?? purchase.purchaseDate : purchase.purchaseDate
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
                (anchor, count, lastEnd) = (cut, 0, cut)
            }
            return refusal(.revoked, purchase, "it was refunded or revoked")
        }
        lastEnd = ends
        accepted.append((purchase, ends))
        return .success(
            NonRenewingTerm(
                productID: purchase.productID, transactionID: purchase.transactionID, start: begins, end: ends))
    }

    /// Returns true if the earlier terms were refunded at the time of the purchase and the refunds were reversed
    /// later. Both are paid for, so the later one follows.
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
