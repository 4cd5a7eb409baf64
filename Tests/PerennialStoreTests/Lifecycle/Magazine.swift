import Perennial
import PerennialStorage
import PerennialStore
import TestSupport

/// An app with a subscription of every duration on one level, and one above them.
enum Magazine {
    static let start = RenewalTests.start
    static let periods: [(id: String, period: Period)] = [
        ("week", .week), ("month", .month), ("two", Period(2, .month)), ("three", Period(3, .month)),
        ("six", Period(6, .month)), ("year", .year),
    ]

    static let app: App = {
        var app = TestCatalog.magazine()
        app.products = periods.map { product($0.id, $0.period, level: 2) }
        app.products.append(product("gold", .month, level: 1))
        app.products.append(product("other", .month, level: 2))
        return app
    }()

    private static func product(_ id: String, _ period: Period, level: Int) -> Product {
        Product(
            id: Product.ID(rawValue: id), type: .autoRenewable, referenceName: id,
            basePrice: Money(milliunits: 9990, .usd),
            subscription: Product.Subscription(groupID: "lifecycle", level: level, period: period))
    }

    static func shop(
        _ kind: StoreEnvironment.Kind = .production, _ billing: BillingSettings? = nil,
        on engine: Engine = .sqliteInMemory
    ) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine, app: app)
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: kind, clock: .manual, now: start, billing: billing)
        return try await shop.environment("lab")
    }
}

extension TestStore {
    /// How a subscription stands, at the clock's time.
    func standing(_ id: TransactionID) async throws -> (Subscription, SubscriptionStatus, RenewalInfo) {
        let found = try await store.subscriptionStanding(id).subscription
        return (found, found.status(at: try await store.now()), found.renewalInfo)
    }

    func advance(to time: Instant) async throws {
        _ = try await store.advanceClock(to: time)
    }
}
