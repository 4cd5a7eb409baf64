/// The store's knowledge at the time of an event: renewal timing, billing policy, prices and past sales.
package struct SubscriptionContext: Hashable, Sendable {
    package var timing: SubscriptionTiming
    package var billing: BillingPolicy
    package var terms: SaleTerms
    /// The plan that renews (`renewal.productID`), as it is sold now; `nil` if it is no longer sold. Read by charges
    /// and due work only.
    package var renewalPlan: SubscriptionPlan?
    /// The postings of refundable sales, by transaction. Read by refunds and upgrades only.
    package var sales: [TransactionID: [Posting]]

    package init(
        timing: SubscriptionTiming, billing: BillingPolicy = BillingPolicy(), terms: SaleTerms = .standard,
        renewalPlan: SubscriptionPlan? = nil, sales: [TransactionID: [Posting]] = [:]
    ) {
        self.timing = timing
        self.billing = billing
        self.terms = terms
        self.renewalPlan = renewalPlan
        self.sales = sales
    }
}

extension SubscriptionContext {
    /// Returns the postings of a period's sale; if they are unknown, those of a sale under today's terms.
    func sale(of id: TransactionID, at price: Money, in storefront: Storefront) -> [Posting] {
        sales[id] ?? terms.postings(forSaleAt: price, in: storefront)
    }

    /// Returns the product of the next period; `nil` if it is no longer sold.
    func renewedProduct(_ id: Product.ID, at price: Money) -> SubscribedProduct? {
        guard let renewalPlan, renewalPlan.productID == id else { return nil }
        return SubscribedProduct(renewalPlan, price: price)
    }
}

/// The result of an event: the new state of a subscription and its consequences. Written in one commit.
package struct SubscriptionDecision: Hashable, Sendable {
    package internal(set) var subscription: Subscription
    /// Transactions to insert. An event sells at most one period, so there is at most one.
    package internal(set) var transactions: [Transaction] = []
    /// Changes to earlier transactions.
    package internal(set) var changes: [TransactionChange] = []
    /// The domain events, in order.
    package internal(set) var events: [DomainEvent] = []

    init(_ subscription: Subscription) {
        self.subscription = subscription
    }

    /// The price to charge before the decision is written. If the charge is declined, the decision is dropped.
    package var price: Money? { transactions.first?.price }

    /// True if earlier periods than the subscription names may be affected: the decision changed a transaction, or
    /// sold a period after a gap.
    package var concernsEarlierPeriods: Bool {
        guard subscription.current.number > 1 else { return false }
        return !changes.isEmpty || (!transactions.isEmpty && subscription.previous == nil)
    }

    mutating func emit(_ kind: DomainEvent.Kind, at now: Instant, postings: [Posting] = []) {
        emit(kind, at: now, subscription.current.transactionID, subscription.product.id, postings: postings)
    }

    /// Emits the sale of the newest period, with its postings at the rate of the paid service before it.
    ///
    /// - Parameter isPreserved: True if the customer keeps a price that the product isn't sold for any more.
    mutating func emitSale(
        _ kind: DomainEvent.Kind, isPreserved: Bool = false, at now: Instant, _ context: SubscriptionContext
    ) {
        let price = subscription.current.price
        guard price.milliunits != 0 else { return emit(kind, at: now) }
        let reason = subscription.proceedsReason(context.timing)
        let facts =
            reason == nil && !isPreserved ? nil : SaleFacts(proceedsReason: reason, isPricePreserved: isPreserved)
        emit(
            kind, at: now, subscription.current.transactionID, subscription.product.id,
            postings: context.terms.postings(forSaleAt: price, in: subscription.storefront, reason), facts: facts)
    }

    mutating func emit(
        _ kind: DomainEvent.Kind, at now: Instant, _ transaction: TransactionID?, _ product: Product.ID,
        postings: [Posting] = [], facts: SaleFacts? = nil
    ) {
        let event = DomainEvent(kind, at: now, transaction, product, postings: postings, facts: facts)
        // Most decisions have one event.
        if events.isEmpty { events = [event] } else { events.append(event) }
    }

    func refusal(_ code: SubscriptionError.Code, _ reason: String) -> SubscriptionError {
        SubscriptionError(code, subscription.id, reason)
    }
}

/// A change to an earlier transaction.
package enum TransactionChange: Hashable, Sendable {
    /// Another product of the group replaced it (`isUpgraded`).
    case upgraded(TransactionID)
    case revoked(TransactionID, RevocationTerms)
    /// A refund was reversed, which removes the revocation.
    case reinstated(TransactionID)
    case expires(TransactionID, Instant)

    package var transactionID: TransactionID {
        switch self {
        case .upgraded(let id), .revoked(let id, _), .reinstated(let id), .expires(let id, _): id
        }
    }
}

extension Transaction {
    /// Returns the transaction with a change applied; unchanged if the change is about another transaction.
    package func applying(_ change: TransactionChange) -> Transaction {
        guard change.transactionID == id else { return self }
        var changed = self
        switch change {
        case .upgraded: changed.isUpgraded = true
        case .revoked(_, let terms): changed.revocation = Revocation(terms)
        case .reinstated: changed.revocation = nil
        case .expires(_, let date): changed.expiresDate = date
        }
        return changed
    }
}

extension Subscription {
    /// Decides an event and returns the subscription's new state with its consequences. Pure: equal arguments give an
    /// equal decision.
    ///
    /// - Parameters:
    ///   - now: An instant of the store's clock; for due work (charges, ends of periods), the instant at which it was
    ///     due.
    ///   - id: Returns a new ID at each call. A transaction takes two: its own, then its order line's.
    /// - Throws: ``SubscriptionError``, ``RefundError`` and the errors of `id`; then nothing has changed.
    package func decide(
        _ event: SubscriptionEvent, at now: Instant, in context: SubscriptionContext, id: () throws -> Int64
    ) throws -> SubscriptionDecision {
        var decision = SubscriptionDecision(self)
        switch event {
        case .charged(let period): try decision.charged(period, now, context, id)
        case .chargeDeclined(let period): try decision.chargeDeclined(period, now, context)
        case .purchase(let plan, let offers): try decision.purchase(plan, offers, now, context, id)
        case .change(let plan, let offers): try decision.change(plan, offers, now, context, id)
        case .setAutoRenew(let isOn): try decision.setAutoRenew(isOn, now)
        case .productUnavailable: try decision.productUnavailable(now)
        case .periodEnded: try decision.periodEnded(now, context)
        case .graceEnded: try decision.graceEnded(now)
        case .retryEnded: try decision.retryEnded(now)
        case .paymentMethodUpdated: try decision.paymentMethodUpdated(now)
        case .priceChanged(let price, let needsConsent): try decision.priceChanged(price, needsConsent, now)
        case .priceAnswered(let accepted): try decision.priceAnswered(accepted, now)
        case .refundRequested(let id): try decision.refundRequested(id, now)
        case .refundDeclined(let id): decision.refundDeclined(id, now)
        case .refunded(let transaction, let refund): try decision.refunded(transaction, refund, now, context)
        case .refundReversed(let transaction, let refund, let plan):
            try decision.refundReversed(transaction, refund, of: plan, now, context)
        case .accessRevoked: try decision.accessRevoked(now)
        case .extended(let request): try decision.extended(request, now, context)
        case .expireNow: try decision.expireNow(now)
        }
        return decision
    }
}
