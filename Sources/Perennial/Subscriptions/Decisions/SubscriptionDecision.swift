/// What the store knows when something happens to a subscription.
package struct SubscriptionContext: Hashable, Sendable {
    package var timing: SubscriptionTiming
    package var billing: BillingPolicy
    package var terms: SaleTerms
    /// The product that will renew (`renewal.productID`), as it is sold now; `nil` if it isn't any more. Only charges,
    /// and what is due, look at it.
    package var renewalPlan: SubscriptionPlan?
    /// What the sales of periods moved that may be given back, by transaction. Only refunds and upgrades look at it.
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
    /// What the sale of a period moved: what is known of it, or what it would move by the terms of today.
    func sale(of id: TransactionID, at price: Money) -> [Posting] {
        sales[id] ?? terms.postings(forSaleAt: price)
    }

    /// What the next period is sold of, if that is this product; `nil` if it isn't sold any more.
    func renewedProduct(_ id: Product.ID, at price: Money) -> SubscribedProduct? {
        guard let renewalPlan, renewalPlan.productID == id else { return nil }
        return SubscribedProduct(renewalPlan, price: price)
    }
}

/// What an event makes of a subscription, to be written in one commit.
package struct SubscriptionDecision: Hashable, Sendable {
    package internal(set) var subscription: Subscription
    /// Transactions to insert: at most one, for at most one period is sold by an event.
    package internal(set) var transactions: [Transaction] = []
    /// What changes about transactions made before.
    package internal(set) var changes: [TransactionChange] = []
    /// What happened, in order.
    package internal(set) var facts: [Fact] = []

    init(_ subscription: Subscription) {
        self.subscription = subscription
    }

    /// What the customer pays: charge it before the decision is written, and drop the decision if that fails.
    package var price: Money? { transactions.first?.price }

    /// Whether it may concern periods that the subscription no longer names: it changed some, or sold one after a time
    /// without any.
    package var concernsEarlierPeriods: Bool {
        guard subscription.current.number > 1 else { return false }
        return !changes.isEmpty || (!transactions.isEmpty && subscription.previous == nil)
    }

    mutating func note(_ kind: Fact.Kind, at now: Instant, postings: [Posting] = []) {
        note(kind, at: now, subscription.current.transactionID, subscription.product.id, postings: postings)
    }

    mutating func note(
        _ kind: Fact.Kind, at now: Instant, _ transaction: TransactionID?, _ product: Product.ID,
        postings: [Posting] = []
    ) {
        let fact = Fact(kind, at: now, transaction, product, postings: postings)
        // Most often it is the only one.
        if facts.isEmpty { facts = [fact] } else { facts.append(fact) }
    }

    func refusal(_ code: SubscriptionError.Code, _ reason: String) -> SubscriptionError {
        SubscriptionError(code, subscription.id, reason)
    }
}

/// A change to a transaction that was made before.
package enum TransactionChange: Hashable, Sendable {
    /// Another product of the group took its place: `isUpgraded`.
    case upgraded(TransactionID)
    case revoked(TransactionID, RevocationTerms)
    /// A refund was reversed: the revocation is gone.
    case reinstated(TransactionID)
    case expires(TransactionID, Instant)

    package var transactionID: TransactionID {
        switch self {
        case .upgraded(let id), .revoked(let id, _), .reinstated(let id), .expires(let id, _): id
        }
    }
}

extension Transaction {
    /// The transaction with a change made; other transactions' changes are none of its business.
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
