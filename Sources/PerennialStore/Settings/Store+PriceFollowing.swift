import Perennial
import PerennialStorage

extension Store {
    /// How many subscriptions one transaction looks at.
    private static let followingBatch = 200

    /// Tells the subscribers of every product whose price was changed, in one transaction for each batch. What a crash
    /// interrupts goes on where the last commit left it; whoever has the new price already is left alone. A subscription that can't be
    /// worked on is left out.
    package func workOffPriceChanges() async throws {
        let apps = try await database.read { [self] connection in
            try EnvironmentSettingsTable.all(of: environment.id, on: connection)
                .filter { !$0.settings.following.isEmpty }.map(\.app)
        }
        for app in apps {
            try await leavingForLater("a price change", "\(app)") {
                try await workOffPages(of: Self.followingBatch) { [self] limit in
                    try await write { [self] in try followBatch(app: app, limit: limit, on: $0) }
                } leavingOut: { [self] error in
                    try await write { [self] in try leaveOut(error, app: app, on: $0) }
                }
            }
        }
    }

    /// Passes over the next subscription, which can't be told.
    ///
    /// - Returns: Whether more is left to do.
    private func leaveOut(_ error: any Error, app: Int64, on connection: any Connection) throws -> Bool {
        try EnvironmentsTable.lock(environment.id, on: connection)
        var settings = try EnvironmentSettingsTable.settings(app: app, environment.id, on: connection)
        guard let following = settings.following.first,
            let next = try SubscriptionsTable.page(
                after: TransactionID(rawValue: following.reached), limit: 1, app: app, environment.id, on: connection
            ).last
        else { return false }
        settings.following[0].reached = next.rawValue
        try EnvironmentSettingsTable.put(settings, app: app, environment.id, on: connection)
        reportLeftOut(next, app: app, "\(error)")
        return true
    }

    /// - Returns: Whether more is left to do.
    private func followBatch(app: Int64, limit: Int, on connection: any Connection) throws -> Bool {
        try EnvironmentsTable.lock(environment.id, on: connection)
        var settings = try EnvironmentSettingsTable.settings(app: app, environment.id, on: connection)
        guard var following = settings.following.first, let entry = try catalog.entry(number: app, on: connection)
        else {
            return false
        }
        let now = try clock.now(on: connection).wholeSeconds
        let page = try SubscriptionsTable.page(
            after: TransactionID(rawValue: following.reached), limit: limit, app: app, environment.id,
            on: connection)
        for id in page.unreadable { reportLeftOut(id, app: app, "its document can't be read") }
        let meant = page.subscriptions.filter {
            $0.renewal.productID == following.productID && $0.ownership == .purchased
        }
        // In the order in which everybody locks customers.
        for subscription in meant.sorted(by: { $0.accountID.rawValue < $1.accountID.rawValue }) {
            try follow(following, subscription, entry, at: now, on: connection)
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

    private func follow(
        _ following: EnvironmentSettings.PriceFollowing, _ subscription: Subscription, _ entry: CatalogCache.Entry,
        at now: Instant, on connection: any Connection
    ) throws {
        let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: subscription.accountID)
        var revision = try CustomersTable.lock(key, on: connection)
        let current = try settled(subscription.id, key, entry, until: now, revision: &revision, on: connection)
        guard case .active = current.state, current.renewal.productID == following.productID,
            let product = entry.products[following.productID],
            let price = product.price(in: current.storefront), price != current.renewal.price
        else { return }
        let isRunning = current.product.id == product.id
        let needsConsent =
            following.needsConsent
            ?? PriceIncreaseRule().needsConsent(
                from: isRunning ? current.product.price : current.renewal.price, to: price,
                period: product.subscription?.period ?? current.product.period, storefront: current.storefront,
                last: current.lastPriceIncrease, at: now)
        let decision = try current.decide(
            .priceChanged(price, needsConsent: needsConsent), at: now,
            in: try context(of: current, entry, on: connection), id: numbers.next)
        guard !decision.facts.isEmpty else { return }
        try record(decision, key, revision: &revision, on: connection)
    }
}
