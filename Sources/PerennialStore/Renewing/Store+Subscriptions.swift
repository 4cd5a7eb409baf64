import Perennial
import PerennialStorage

/// A subscription as it stands, with the newest of its transactions.
package struct SubscriptionStanding: Sendable {
    package var subscription: Subscription
    package var transaction: Transaction
    package var bundleID: App.BundleID
}

extension Store {
    /// What a test or an operator does to a subscription.
    package enum SubscriptionAction: Sendable {
        case setAutoRenew(Bool)
        case change(Product.ID)
        case answerPriceIncrease(accepted: Bool)
        case expire
        /// The next renewal happens now instead of at the end of the period.
        case renew
    }

    /// Does something to a subscription, after all that is due for it.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, `SubscriptionError`, `PurchaseRefusal`.
    package func act(_ action: SubscriptionAction, on id: TransactionID) async throws -> SubscriptionStanding {
        try await write { [self] connection in
            let (subscription, entry) = try subscription(id, on: connection)
            let key = CustomerKey(
                environment: environment.id, app: entry.app.appleID, account: subscription.accountID)
            var revision = try CustomersTable.lock(key, on: connection)
            let now = try clock.now(on: connection).wholeSeconds
            var current = try settled(id, key, entry, until: now, revision: &revision, on: connection)
            let decision = try decide(action, current, entry, at: now, on: connection)
            try record(decision, key, revision: &revision, on: connection)
            current = decision.subscription
            return try standing(of: current, entry, on: connection)
        }
    }

    /// - Throws: ``StoreError`` `.transactionNotFound`.
    package func subscriptionStanding(_ id: TransactionID) async throws -> SubscriptionStanding {
        try await database.read { [self] connection in
            let (subscription, entry) = try subscription(id, on: connection)
            return try standing(of: subscription, entry, on: connection)
        }
    }

    /// Gives the account behind a subscription another payment method; a renewal that failed is tried again at once.
    package func setPaymentMethod(
        _ method: Account.PaymentMethod, of id: TransactionID
    ) async throws -> SubscriptionStanding {
        try await write { [self] connection in
            let (found, entry) = try subscription(id, on: connection)
            let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: found.accountID)
            var revision = try CustomersTable.lock(key, on: connection)
            let now = try clock.now(on: connection).wholeSeconds
            let current = try settled(id, key, entry, until: now, revision: &revision, on: connection)
            if var account = try AccountsTable.account(key.account, environment.id, on: connection) {
                account.paymentMethod = method
                try AccountsTable.update(account, environment.id, on: connection)
            }
            guard method == .valid, current.isInBillingRetry == true, current.ownership == .purchased else {
                return try standing(of: current, entry, on: connection)
            }
            let updated = try current.decide(
                .paymentMethodUpdated, at: now, in: try context(of: current, entry, on: connection), id: numbers.next)
            try record(updated, key, revision: &revision, on: connection)
            let recovered = try settled(id, key, entry, until: now, revision: &revision, on: connection)
            return try standing(of: recovered, entry, on: connection)
        }
    }

    private func decide(
        _ action: SubscriptionAction, _ subscription: Subscription, _ entry: CatalogCache.Entry, at now: Instant,
        on connection: any Connection
    ) throws -> SubscriptionDecision {
        var context = try context(of: subscription, entry, on: connection)
        switch action {
        case .setAutoRenew(let isOn):
            return try subscription.decide(.setAutoRenew(isOn), at: now, in: context, id: numbers.next)
        case .change(let productID):
            let account = try AccountsTable.account(subscription.accountID, environment.id, on: connection)
            let home = account?.storefront ?? subscription.storefront
            // What is chosen in the list of subscriptions is sold on the terms of a purchase.
            guard let product = entry.products[productID], environment.sells(product),
                case let storefront = subscription.storefront(of: product, accountIn: home),
                let plan = SubscriptionPlan(product, in: storefront)
            else { throw PurchaseRefusal(.productNotAvailable, productID, "no subscription of that ID is for sale") }
            let key = CustomerKey(
                environment: environment.id, app: entry.app.appleID, account: subscription.accountID)
            var known = GroupSubscriptions(
                try SubscriptionsTable.all(of: key, on: connection), group: subscription.groupID)
            known.own = subscription
            let offers = try OfferRequest.automatic().terms(
                for: product, in: storefront, known, at: now, context.timing)
            context.sales = try runningSales(of: subscription, key, on: connection)
            let decision = try subscription.decide(
                .change(plan, offers: offers), at: now, in: context, id: numbers.next)
            if let price = decision.price, price.milliunits > 0, account?.paymentMethod != .valid {
                throw PurchaseRefusal(
                    .paymentDeclined, productID, "the payment method was declined; nothing was charged")
            }
            return decision
        case .answerPriceIncrease(let accepted):
            return try subscription.decide(.priceAnswered(accepted: accepted), at: now, in: context, id: numbers.next)
        case .expire: return try subscription.decide(.expireNow, at: now, in: context, id: numbers.next)
        case .renew: return try renewNow(subscription, entry, at: now, on: connection)
        }
    }

    /// Charges the next renewal ahead of its time, once: nothing else that time will bring is brought forward. Where the charge
    /// is declined, the period that is paid for runs to its end.
    private func renewNow(
        _ subscription: Subscription, _ entry: CatalogCache.Entry, at now: Instant, on connection: any Connection
    ) throws -> SubscriptionDecision {
        let context = try context(of: subscription, entry, on: connection)
        guard let due = subscription.nextDue,
            case .charge(let charge) = subscription.dueWork(at: max(due, now), in: context)
        else {
            throw SubscriptionError(.notRenewing, subscription.id, "nothing is left to renew: buy it again")
        }
        let account = try AccountsTable.account(subscription.accountID, environment.id, on: connection)
        let isPaid = canPay(account.map(Payer.init), entry) || charge.price.milliunits == 0
        return try subscription.decide(
            isPaid ? .charged(period: charge.period) : .chargeDeclined(period: charge.period), at: now, in: context,
            id: numbers.next)
    }

    /// The subscription after everything due for it has been done.
    ///
    /// - Throws: ``FarBehind`` where that is more than one transaction does.
    func settled(
        _ id: TransactionID, _ key: CustomerKey, _ entry: CatalogCache.Entry, until now: Instant,
        revision: inout Int64, on connection: any Connection
    ) throws -> Subscription {
        guard var current = try SubscriptionsTable.subscription(id, app: key.app, environment.id, on: connection) else {
            throw StoreError(.transactionNotFound, id.description, "there is no subscription with that number")
        }
        let account = try AccountsTable.account(key.account, environment.id, on: connection)
        var steps = 0
        while let decision = try nextDecision(for: current, until: now, entry, paying: account.map(Payer.init)) {
            guard steps < Self.maximumStepsBeside else { throw FarBehind(id: id, key: key, until: now) }
            steps += 1
            try record(decision, key, revision: &revision, on: connection)
            current = decision.subscription
        }
        return current
    }

    /// A subscription by its original transaction's number, with its app.
    func subscription(
        _ id: TransactionID, on connection: any Connection
    ) throws -> (Subscription, CatalogCache.Entry) {
        for entry in try catalog.all(on: connection) {
            let found = try SubscriptionsTable.subscription(id, app: entry.app.appleID, environment.id, on: connection)
            if let found { return (found, entry) }
        }
        throw StoreError(
            .transactionNotFound, id.description, "there is no subscription with that original transaction")
    }

    func standing(
        of subscription: Subscription, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws -> SubscriptionStanding {
        let id = subscription.current.transactionID
        let found = try TransactionsTable.transaction(id, app: entry.app.appleID, environment.id, on: connection)
        guard let transaction = found else {
            throw StorageError(
                .corrupt, "transactions", "the subscription \(subscription.id) names \(id), which is gone")
        }
        return SubscriptionStanding(
            subscription: subscription, transaction: transaction, bundleID: entry.app.bundleID)
    }
}
