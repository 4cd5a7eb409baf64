import AppStoreFormats
import BaseEncoding
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

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

    /// Returns the app with changed subscriptions.
    static func app(
        changing products: Set<String>, _ change: (inout Product.Subscription) -> Void
    ) -> App {
        var app = app
        for index in app.products.indices where products.contains(app.products[index].id.rawValue) {
            guard var subscription = app.products[index].subscription else { continue }
            change(&subscription)
            app.products[index].subscription = subscription
        }
        return app
    }

    static func offer(
        _ id: String?, _ mode: Offer.PaymentMode, _ period: Period, _ milliunits: Int64, count: Int = 1
    ) -> Offer {
        Offer(
            id: id, paymentMode: mode, period: period, periodCount: count,
            basePrice: Money(milliunits: milliunits, .usd))
    }

    static func shop(
        _ kind: StoreEnvironment.Kind = .production, _ billing: BillingSettings? = nil, app: App = Magazine.app,
        on engine: Engine = .sqliteInMemory
    ) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine, app: app)
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: kind, clock: .manual, now: start, billing: billing)
        return try await shop.environment("lab")
    }
}

extension TestStore {
    /// Returns a subscription with its status and renewal information at the clock's time.
    func snapshot(_ id: TransactionID) async throws -> (Subscription, SubscriptionStatus, RenewalInfo) {
        let found = try await store.subscriptions.snapshot(of: id).subscription
        return (found, found.status(at: try await store.now()), found.renewalInfo)
    }

    func advance(to time: Instant) async throws {
        _ = try await store.clock.advance(to: time)
    }

    @discardableResult
    func buy(_ product: String, claiming claim: OfferClaim, as account: String) async throws -> Transaction {
        try await store.purchases.buy(
            PurchaseRequest(productID: Product.ID(rawValue: product), claim: claim),
            by: try await customer(account))
    }

    /// Decodes a signed transaction.
    func signed(_ transaction: Transaction) async throws -> JSONValue {
        try Self.claims(try await store.receipts.signedTransaction(transaction, bundleID: TestCatalog.bundleID))
    }

    /// Decodes a subscription's signed renewal information.
    func signedRenewal(_ id: TransactionID) async throws -> JSONValue {
        let subscription = try await store.subscriptions.snapshot(of: id).subscription
        return try Self.claims(try await store.receipts.signedRenewalInfo(subscription))
    }

    private static func claims(_ jws: String) throws -> JSONValue {
        let payload = try #require(jws.split(separator: ".").dropFirst().first)
        return try JSONValue(try #require(Base64.decode(payload.utf8, as: .url)))
    }

    /// Returns `latest_receipt_info` of a customer's purchases, oldest first.
    func latestReceiptInfo(of account: String) async throws -> [JSONValue] {
        let answer = try await verify(try await receipt(of: account), password: TestCatalog.sharedSecret)
        return try #require(answer["latest_receipt_info"]?.elements).reversed()
    }
}
