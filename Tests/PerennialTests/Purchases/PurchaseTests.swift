import Testing

@testable import Perennial

/// Purchases of one product by one customer, after different earlier purchases.
struct PurchaseTests {
    static let now = Instant(rfc3339: "2026-01-31T10:00:00Z")!

    @Test(arguments: 1...10)
    func `up to ten consumables cost that many times the price`(quantity: Int) throws {
        let purchase = try Self.buy(.consumable, quantity: quantity)
        #expect(purchase.transaction.price == Money(milliunits: 990 * Int64(quantity), .usd))
        #expect(purchase.transaction.originalID == purchase.transaction.id)
        #expect(purchase.entry?.postings.balances == true)
        #expect(purchase.entry?.postings.first == Posting(.customer, Money(milliunits: -990 * Int64(quantity), .usd)))
    }

    @Test(arguments: [0, -1, 11, 1000])
    func `other quantities are refused`(quantity: Int) {
        Self.expect(.quantityOutOfRange) { try Self.buy(.consumable, quantity: quantity) }
    }

    @Test(arguments: ProductType.allCases.filter { $0 != .consumable })
    func `a quantity above one is for consumables only`(type: ProductType) {
        Self.expect(.quantityOutOfRange) { try Self.buy(type, quantity: 2) }
    }

    @Test func `re-buying an owned non-consumable charges nothing and keeps its original`() throws {
        let first = try Self.buy(.nonConsumable).transaction
        let again = try Self.buy(.nonConsumable, history: [first])
        #expect(again.transaction.price == .zero(.usd))
        #expect(again.transaction.originalID == first.id)
        #expect(again.transaction.id != first.id)
        #expect(again.transaction.originalPurchaseDate == first.originalPurchaseDate)
        #expect(again.entry?.kind == .boughtAgain)
        #expect(again.entry?.postings == [])
    }

    @Test func `a refunded non-consumable is charged again`() throws {
        var first = try Self.buy(.nonConsumable).transaction
        first.revocation = Transaction.Revocation(date: Self.now, reason: .other)
        let again = try Self.buy(.nonConsumable, history: [first])
        #expect(again.transaction.price == Money(milliunits: 990, .usd))
        #expect(again.entry?.kind == .purchased)
    }

    @Test func `a declined card is refused except for a free repeat`() throws {
        Self.expect(.paymentDeclined) { try Self.buy(.nonConsumable, payment: .declined) }
        let first = try Self.buy(.nonConsumable).transaction
        let again = try Self.buy(.nonConsumable, history: [first], payment: .declined)
        #expect(again.transaction.price == .zero(.usd))
    }

    @Test func `Production sells approved products only, Sandbox all cleared for sale`() throws {
        for state in Product.State.allCases where state != .approved {
            Self.expect(.productNotAvailable) { try Self.buy(.consumable, in: .production) { $0.state = state } }
            _ = try Self.buy(.consumable, in: .sandbox) { $0.state = state }
        }
        _ = try Self.buy(.consumable, in: .production)
        for environment in [StoreEnvironment.production, .sandbox] {
            Self.expect(.productNotAvailable) {
                try Self.buy(.consumable, in: environment) { $0.isClearedForSale = false }
            }
        }
    }

    @Test func `a product without a price is free in tests and refused in Production`() throws {
        let rehearsal = StoreEnvironment(
            id: StoreEnvironment.ID(rawValue: 7), name: "rehearsal", kind: .production, clock: .manual)
        for environment in [StoreEnvironment.sandbox, rehearsal] {
            let purchase = try Self.buy(.consumable, in: environment) {
                $0.basePrice = .zero(.usd)
                $0.isPriced = false
            }
            #expect(purchase.transaction.price == .zero(.usd))
        }
        #expect {
            try Self.buy(.consumable, in: .production) { $0.isPriced = false }
        } throws: { error in
            (error as? PurchaseRefusal)?.code == .productNotAvailable && "\(error)".contains("has no price")
        }
    }

    @Test func `free subscriptions need a Newsstand app, cost nothing and don't expire`() throws {
        Self.expect(.newsstandOnly) { try Self.buy(.free, isNewsstand: false) }
        let purchase = try Self.buy(.free, isNewsstand: true, payment: .declined)
        #expect(purchase.transaction.price == .zero(.usd))
        #expect(purchase.transaction.expiresDate == nil)
        #expect(purchase.entry?.postings == [])
    }

    @Test func `an overlapping non-renewing term is refused by policy`() throws {
        let first = try Self.buy(.nonRenewing, id: "archive.1week").transaction
        let lastMoment = Period.week.end(after: Self.now) + -1
        Self.expect(.termStillRunning) {
            try Self.buy(.nonRenewing, id: "archive.1week", history: [first], at: lastMoment)
        }
        let next = try Self.buy(.nonRenewing, id: "archive.1week", history: [first], at: lastMoment + 1)
        #expect(next.transaction.originalID == next.transaction.id)
    }

    @Test func `an overlapping non-renewing term is queued by policy`() throws {
        let first = try Self.buy(.nonRenewing, id: "archive.1week").transaction
        let second = try Self.buy(.nonRenewing, id: "archive.1week", history: [first], overlap: .extend)
        #expect(second.transaction.price == Money(milliunits: 990, .usd))
    }

    @Test func `a non-renewing product without a term is always sold`() throws {
        let first = try Self.buy(.nonRenewing, id: "archive").transaction
        #expect(first.expiresDate == nil)
        _ = try Self.buy(.nonRenewing, id: "archive", history: [first])
    }

    @Test func `a running auto-renewable subscription is not sold a second time`()
        throws
    {
        let first = try Self.buy(.autoRenewable, in: .production)
        #expect(first.transaction.expiresDate == Instant(rfc3339: "2026-02-28T10:00:00Z"))
        #expect(first.transaction.webOrderLineItemID != nil)
        let subscription = try #require(first.subscription)
        Self.expect(.alreadySubscribed) {
            try Self.buy(.autoRenewable, in: .production, history: [first.transaction], subscription: subscription)
        }
    }

    @Test func `a declined card buys no subscription`() {
        Self.expect(.paymentDeclined) { try Self.buy(.autoRenewable, payment: .declined) }
    }

    @Test func `Sandbox compresses a month to five minutes`() throws {
        let purchase = try Self.buy(.autoRenewable, in: .sandbox).transaction
        #expect(purchase.expiresDate == Self.now + .minutes(5))
    }

    @Test func `an account without permission to pay is refused`() {
        Self.expect(.paymentsNotAllowed) { try Self.buy(.consumable, canMakePayments: false) }
    }

    @Test(arguments: [ProductType.consumable, .nonConsumable, .nonRenewing, .free])
    func `a grant is a purchase at price zero, whatever the account can pay`(type: ProductType) throws {
        for environment in [StoreEnvironment.production, .sandbox] {
            let granted = try Self.buy(
                type, in: environment, payment: .declined, canMakePayments: false, isGrant: true)
            #expect(granted.transaction.price == .zero(.usd))
            #expect(granted.entry?.kind == .purchased)
            #expect(granted.entry?.postings == [])
        }
    }

    @Test func `a grant has the quantities and terms of a purchase`() throws {
        #expect(try Self.buy(.consumable, quantity: 3, isGrant: true).transaction.quantity == 3)
        Self.expect(.quantityOutOfRange) { try Self.buy(.nonConsumable, quantity: 2, isGrant: true) }
        let first = try Self.buy(.nonRenewing, id: "archive.1week").transaction
        Self.expect(.termStillRunning) {
            try Self.buy(.nonRenewing, id: "archive.1week", history: [first], isGrant: true)
        }
    }

    @Test func `an auto-renewable subscription is extended, not granted`() {
        #expect {
            try Self.buy(.autoRenewable, isGrant: true)
        } throws: { error in
            (error as? PurchaseRefusal)?.code == .productNotAvailable && "\(error)".contains("extend")
        }
    }

    @Test func `a grant takes no offer`() {
        Self.expect(.offerNotAvailable) { try Self.buy(.consumable, offerID: "half", isGrant: true) }
    }

    @Test func `a grant and a purchase are different requests`() {
        let bought = PurchaseRequest(productID: Product.ID(rawValue: "thing"))
        var granted = bought
        granted.isGrant = true
        #expect(granted.fingerprint != bought.fingerprint)
    }

    // MARK: -

    static func buy(
        _ type: ProductType, id: String = "thing", quantity: Int = 1, in environment: StoreEnvironment = .sandbox,
        history: [Transaction] = [], subscription: Subscription? = nil, at now: Instant = now, isNewsstand: Bool = true,
        overlap: NonRenewingPolicy.Overlap = .refuse, payment: Account.PaymentMethod = .valid,
        canMakePayments: Bool = true, offerID: String? = nil, isGrant: Bool = false,
        change: (inout Product) -> Void = { _ in }
    ) throws -> Purchase {
        var product = Product(
            id: Product.ID(rawValue: id), type: type, referenceName: id, basePrice: Money(milliunits: 990, .usd),
            subscription: type == .autoRenewable ? .init(groupID: "g", level: 1, period: .month) : nil)
        change(&product)
        let app = App(
            bundleID: App.BundleID(rawValue: "com.example.app"), appleID: 1, name: "App", isNewsstand: isNewsstand,
            nonRenewing: NonRenewingPolicy(overlap: overlap), products: [product])
        let account = Account(
            id: Account.ID(rawValue: 1), name: "ann@example.com", storefront: .usa, paymentMethod: payment,
            canMakePayments: canMakePayments, created: now)
        var next = Int64(1000 + history.count * 10)
        return try Purchase.decide(
            PurchaseRequest(productID: product.id, quantity: quantity, offerID: offerID, isGrant: isGrant),
            in: PurchaseContext(
                environment: environment, app: app, product: product, account: account, history: history,
                subscription: subscription), at: now
        ) {
            next += 1
            return next
        }
    }

    static func expect(
        _ code: PurchaseRefusal.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Purchase
    ) {
        #expect(throws: PurchaseRefusal(code, Product.ID(rawValue: ""), ""), sourceLocation: sourceLocation) {
            _ = try body()
        }
    }
}

extension Purchase {
    /// The journal entry of a sale; `nil` for a subscription.
    fileprivate var entry: JournalEntry? {
        guard case .sold(let entry) = outcome else { return nil }
        return entry
    }

    fileprivate var subscription: Subscription? {
        guard case .subscribed(let decision) = outcome else { return nil }
        return decision.subscription
    }
}
