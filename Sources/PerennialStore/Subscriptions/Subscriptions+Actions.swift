import Perennial
import PerennialStorage

extension Subscriptions {
    /// Actions of tests and operators on a subscription.
    package enum Action: Sendable {
        case setAutoRenew(Bool)
        case change(Product.ID)
        case answerPriceIncrease(accepted: Bool)
        case expire
        /// Renews now instead of at the end of the period.
        case renew
        /// Ends the running period and renews, for test sessions.
        case forceRenewal
        /// Asks for consent to a higher price, for test sessions.
        case requestPriceConsent
    }

    /// Performs an action on a subscription, after bringing it up to date.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, `SubscriptionError`, `PurchaseRefusal`.
    package func perform(_ action: Action, on id: TransactionID) async throws -> SubscriptionSnapshot {
        try await write { [self] connection in
            let (subscription, entry) = try subscription(id, on: connection)
            let key = customerKey(of: subscription.accountID, in: entry.app)
            var revision = try CustomersTable.lock(key, on: connection)
            let now = try clock.now(on: connection).wholeSeconds
            var current = try broughtUpToDate(id, key, entry, until: now, revision: &revision, on: connection)
            let decision = try decide(action, current, entry, at: now, on: connection)
            try record(decision, key, revision: &revision, on: connection)
            current = decision.subscription
            return try snapshot(of: current, entry, on: connection)
        }
    }

    /// Returns a subscription by its original transaction ID.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`.
    package func snapshot(of id: TransactionID) async throws -> SubscriptionSnapshot {
        try await database.read { [self] connection in
            let (subscription, entry) = try subscription(id, on: connection)
            return try snapshot(of: subscription, entry, on: connection)
        }
    }

    /// Changes the payment method of a subscription's account. Retries a failed renewal at once.
    package func setPaymentMethod(
        _ method: Account.PaymentMethod, of id: TransactionID
    ) async throws -> SubscriptionSnapshot {
        try await write { [self] connection in
            let (found, entry) = try subscription(id, on: connection)
            let key = customerKey(of: found.accountID, in: entry.app)
            var revision = try CustomersTable.lock(key, on: connection)
            let now = try clock.now(on: connection).wholeSeconds
            let current = try broughtUpToDate(id, key, entry, until: now, revision: &revision, on: connection)
            if var account = try AccountsTable.account(key.account, environment.id, on: connection) {
                account.paymentMethod = method
                try AccountsTable.update(account, environment.id, on: connection)
            }
            guard method == .valid, current.isInBillingRetry == true, current.ownership == .purchased else {
                return try snapshot(of: current, entry, on: connection)
            }
            let updated = try current.decide(
                .paymentMethodUpdated, at: now, in: try renewalContext(of: current, entry, on: connection), id: ids.next
            )
            try record(updated, key, revision: &revision, on: connection)
            let recovered = try broughtUpToDate(id, key, entry, until: now, revision: &revision, on: connection)
            return try snapshot(of: recovered, entry, on: connection)
        }
    }

    private func decide(
        _ action: Action, _ subscription: Subscription, _ entry: CatalogCache.Entry, at now: Instant,
        on connection: any Connection
    ) throws -> SubscriptionDecision {
        var context = try renewalContext(of: subscription, entry, on: connection)
        switch action {
        case .setAutoRenew(let isOn):
            return try subscription.decide(.setAutoRenew(isOn), at: now, in: context, id: ids.next)
        case .change(let productID):
            let account = try AccountsTable.account(subscription.accountID, environment.id, on: connection)
            let home = account?.storefront ?? subscription.storefront
            // A change in the list of subscriptions has the terms of a purchase.
            guard let product = entry.products[productID],
                case let storefront = subscription.storefront(of: product, accountIn: home),
                environment.sells(product, in: storefront),
                let plan = SubscriptionPlan(product, in: storefront)
            else { throw PurchaseRefusal(.productNotAvailable, productID, "no subscription of that ID is for sale") }
            let key = customerKey(of: subscription.accountID, in: entry.app)
            var known = GroupSubscriptions(
                try SubscriptionsTable.all(of: key, on: connection), group: subscription.groupID)
            known.own = subscription
            let offers = try OfferRequest.automatic().terms(
                for: product, in: storefront, known, at: now, context.timing)
            context.sales = try transactions.runningSales(of: subscription, key, on: connection)
            let decision = try subscription.decide(
                .change(plan, offers: offers), at: now, in: context, id: ids.next)
            if let price = decision.price {
                try Charge.expectPayment(of: price, by: account?.paymentMethod, for: productID)
            }
            return decision
        case .answerPriceIncrease(let accepted):
            return try subscription.decide(.priceAnswered(accepted: accepted), at: now, in: context, id: ids.next)
        case .expire: return try subscription.decide(.expireNow, at: now, in: context, id: ids.next)
        case .forceRenewal: return try subscription.decideForcedRenewal(at: now, in: context, id: ids.next)
        case .requestPriceConsent: return try subscription.decidePriceConsentRequest(at: now)
        case .renew: return try renewNow(subscription, entry, at: now, on: connection)
        }
    }

    /// Charges the next renewal early, once. Nothing else that is due later is brought forward. If the charge is declined,
    /// the paid period runs to its end.
    private func renewNow(
        _ subscription: Subscription, _ entry: CatalogCache.Entry, at now: Instant, on connection: any Connection
    ) throws -> SubscriptionDecision {
        let context = try renewalContext(of: subscription, entry, on: connection)
        guard let due = subscription.nextDue,
            case .charge(let charge) = subscription.dueWork(at: max(due, now), in: context)
        else {
            throw SubscriptionError(.notRenewing, subscription.id, "nothing is left to renew: buy it again")
        }
        let account = try AccountsTable.account(subscription.accountID, environment.id, on: connection)
        let event = charge.event(chargedTo: account.map(BillingAccount.init), entry.billing)
        return try subscription.decide(event, at: now, in: context, id: ids.next)
    }

}
