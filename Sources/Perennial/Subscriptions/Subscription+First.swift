/// The customer of a new subscription.
package struct Subscriber: Hashable, Sendable {
    package var accountID: Account.ID
    package var applicationUsername: String?

    package init(_ accountID: Account.ID, applicationUsername: String? = nil) {
        self.accountID = accountID
        self.applicationUsername = applicationUsername
    }
}

extension Subscription {
    /// Decides the first purchase in a subscription group.
    ///
    /// - Parameter offers: The offer of this period, then the one of the next; found by ``OfferRequest``.
    /// - Throws: The errors of `id`.
    package static func first(
        _ plan: SubscriptionPlan, offers: [OfferTerms] = [], for subscriber: Subscriber, at now: Instant,
        in context: SubscriptionContext, id: () throws -> Int64
    ) throws -> SubscriptionDecision {
        let offer = offers.first.map(ActiveOffer.init)
        let sale = PeriodSale(
            SubscribedProduct(plan), at: offer?.terms.price ?? plan.price, offer, from: now, .purchase)
        let (end, anchor) = sale.end(context.timing)
        let transactionID = TransactionID(rawValue: try id())
        var decision = SubscriptionDecision(
            Subscription(
                first: sale, plan, transactionID, subscriber, .purchased, anchor: anchor,
                state: .running(until: end, now, context)))
        decision.subscription.renewal.offer = offers.dropFirst().first
        let transaction = decision.subscription.firstTransaction(
            sale, expires: end, webOrderLineItemID: try id())
        decision.transactions = [transaction]
        decision.emitSale(.subscribed, at: now, context)
        return decision
    }

    init(
        first sale: PeriodSale, _ plan: SubscriptionPlan, _ transactionID: TransactionID, _ subscriber: Subscriber,
        _ ownership: Transaction.Ownership, anchor: PeriodAnchor, state: State
    ) {
        self.id = transactionID
        self.accountID = subscriber.accountID
        self.groupID = plan.groupID
        self.ownership = ownership
        self.originalPurchaseDate = sale.start
        self.storefront = plan.storefront
        self.applicationUsername = subscriber.applicationUsername
        self.current = BillingPeriod(
            number: 1, transactionID: transactionID, product: sale.product, start: sale.start, price: sale.price,
            offer: sale.offer)
        self.anchor = anchor
        self.state = state
        self.renewal = RenewalPreference(isOn: true, productID: plan.productID, price: plan.price)
        self.renewals = 0
        self.paidDays = sale.price.milliunits > 0 ? sale.span.approximateDays : 0
        self.recentSubscriptionStartDate = sale.start
        self.paidService = 0
        if let offer = sale.offer { recordUse(of: offer.terms, at: sale.start) }
    }

    func firstTransaction(_ sale: PeriodSale, expires: Instant, webOrderLineItemID: Int64) -> Transaction {
        Transaction(
            id: id, originalID: id, accountID: accountID, productID: product.id, type: .autoRenewable,
            purchaseDate: sale.start, originalPurchaseDate: sale.start, expiresDate: expires,
            webOrderLineItemID: webOrderLineItemID, subscriptionGroupID: groupID, price: sale.price,
            storefront: storefront, ownership: ownership, reason: .purchase, offer: sale.offer?.terms.applied,
            applicationUsername: applicationUsername)
    }
}
