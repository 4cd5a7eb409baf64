import Perennial
import PerennialStorage

extension Products {
    /// The number of subscriptions in one transaction.
    private static let batchSize = 200

    /// Notifies the subscribers of every product whose price was changed, in one transaction for each batch. After a crash
    /// it continues after the last commit. Skips subscribers who have the new price, and subscriptions that can't be
    /// processed.
    ///
    /// - Throws: ``LeaseLost`` if another node has taken over.
    package func applyPriceChanges(under lease: WorkLease? = nil) async throws {
        RequestDeadline.liftCurrent()
        let apps = try await database.read { [self] connection in
            try EnvironmentSettingsTable.all(of: environment.id, on: connection)
                .filter { !$0.settings.following.isEmpty }.map(\.app)
        }
        for app in apps {
            try await subscriptions.retryingLater("a price change", "\(app)") {
                try await subscriptions.processPages(of: Self.batchSize) { [self] limit in
                    try await subscriptions.writeBatch { [self] in
                        try lease?.check(on: $0)
                        return try migrateBatch(app: app, limit: limit, beside: $1, on: $0)
                    }
                } skipping: { [self] error in
                    try await subscriptions.write { [self] in
                        try lease?.check(on: $0)
                        return try skipNext(error, app: app, on: $0)
                    }
                }
            }
        }
    }

    /// Skips the next subscription, which can't be processed.
    ///
    /// - Returns: True if more is left.
    private func skipNext(_ error: any Error, app: Int64, on connection: any Connection) throws -> Bool {
        try EnvironmentsTable.lock(environment.id, on: connection)
        var settings = try EnvironmentSettingsTable.settings(app: app, environment.id, on: connection)
        guard let following = settings.following.first,
            let next = try SubscriptionsTable.page(
                after: TransactionID(rawValue: following.reached), limit: 1, app: app, environment.id, on: connection
            ).last
        else { return false }
        settings.following[0].reached = next.rawValue
        try EnvironmentSettingsTable.put(settings, app: app, environment.id, on: connection)
        subscriptions.logSkipped(next, app: app, "\(error)")
        return true
    }

    /// Processes the next batch of subscribers.
    ///
    /// - Parameter inUse: Customers whom an earlier run of the transaction found in use.
    /// - Returns: True if more is left.
    private func migrateBatch(
        app: Int64, limit: Int, beside inUse: Set<CustomerKey>, on connection: any Connection
    ) throws -> Bool {
        try EnvironmentsTable.lock(environment.id, on: connection)
        var settings = try EnvironmentSettingsTable.settings(app: app, environment.id, on: connection)
        guard var following = settings.following.first, let entry = try catalog.entry(number: app, on: connection)
        else {
            return false
        }
        let now = try clock.now(on: connection).wholeSeconds
        let storefronts = following.storefronts.map(Set.init)
        let page = try SubscriptionsTable.page(
            after: TransactionID(rawValue: following.reached), limit: limit, app: app, environment.id,
            on: connection)
        for id in page.unreadable { subscriptions.logSkipped(id, app: app, "its document can't be read") }
        let meant = page.subscriptions.filter {
            $0.renewal.productID == following.productID && $0.ownership == .purchased
                && storefronts?.contains($0.storefront) ?? true
        }
        try subscriptions.lockWithFamilies(
            Set(meant.map { customerKey(of: $0.accountID, in: entry.app) }), and: inUse, on: connection)
        for subscription in meant.sorted(by: { $0.accountID.rawValue < $1.accountID.rawValue }) {
            try migrate(following, subscription, entry, at: now, on: connection)
        }
        following.reached = page.last?.rawValue ?? following.reached
        if page.count < limit {
            settings.following.removeFirst()
        } else {
            settings.following[0] = following
        }
        try EnvironmentSettingsTable.put(settings, app: app, environment.id, on: connection)
        return !settings.following.isEmpty
    }

    private func migrate(
        _ following: EnvironmentSettings.PriceMigration, _ subscription: Subscription, _ entry: CatalogCache.Entry,
        at now: Instant, on connection: any Connection
    ) throws {
        let key = customerKey(of: subscription.accountID, in: entry.app)
        var revision = try CustomersTable.lock(key, on: connection)
        // Renewals before a scheduled price's instant are at the old price, those from it on at the new.
        let current = try subscriptions.broughtUpToDate(
            subscription.id, key, entry, until: following.at.map { min($0 + -1, now) } ?? now, revision: &revision,
            on: connection)
        // A period that has begun since was charged without the price, so its subscriber is told now.
        let at = following.at.map { current.current.start > $0 ? now : min($0, now) } ?? now
        guard case .active = current.state, current.renewal.productID == following.productID,
            let product = entry.products[following.productID],
            let price = product.price(in: current.storefront), price != current.renewal.price
        else { return }
        let needsConsent = current.needsConsent(
            to: price, period: product.subscription?.period, asked: following.needsConsent, at: at)
        let decision = try current.decide(
            .priceChanged(price, needsConsent: needsConsent), at: at,
            in: try subscriptions.renewalContext(of: current, entry, on: connection), id: ids.next)
        guard !decision.events.isEmpty else { return }
        try subscriptions.record(decision, key, revision: &revision, on: connection)
    }
}

extension EnvironmentSettings {
    /// Adds the migrations of a product's subscribers to new prices, in order. Those whose price is preserved stay.
    ///
    /// - Parameters:
    ///   - product: The product as it was sold before.
    ///   - isScheduled: False for a change that applies from its request on.
    mutating func migrate(_ product: Product, to prices: [ScheduledPrice], isScheduled: Bool = true) {
        guard product.type == .autoRenewable else { return }
        for group in PriceMigrationGroup.groups(of: prices, in: product.priceList) {
            let migration = PriceMigration(
                productID: product.id, needsConsent: group.needsConsent, at: isScheduled ? group.at : nil,
                storefronts: group.storefronts?.sorted { $0.rawValue < $1.rawValue })
            following.removeAll {
                $0.productID == product.id && (migration.storefronts == nil || $0.storefronts == migration.storefronts)
            }
            following.append(migration)
        }
    }
}
