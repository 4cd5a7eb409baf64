import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Extensions of one and of all subscriptions (docs/reference/apple-behaviour.md, "Renewal date extensions").
struct ExtensionTests {
    private static let start = RenewalTests.start

    private static func request(_ days: Int64 = 10, _ id: String = "outage") -> RenewalExtension {
        RenewalExtension(days: days, reason: .serviceIssue, requestID: id)
    }

    private static func kinds(_ shop: TestStore) async throws -> [JournalEntry.Kind] {
        try await shop.journal().map(\.entry.kind)
    }

    @Test(arguments: Engine.allCases)
    func `an extension moves the renewal date`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        let first = try await shop.buy("monthly", as: "ann")
        let extended = try await shop.store.extensions.extend(first.id, Self.request(10))
        let until = Period.month.end(after: Self.start) + .days(10)
        #expect(extended.effectiveDate == until)
        #expect(extended.snapshot.transaction.expiresDate == until)
        #expect(extended.webOrderLineItemID == first.webOrderLineItemID)
        _ = try await shop.store.clock.advance(to: until)
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map(\.purchaseDate) == [Self.start, until])
        #expect(try await Self.kinds(shop).contains(.subscription(.renewalExtended)))
    }

    @Test func `a repeated request identifier extends once`() async throws {
        let shop = try await RenewalTests.shop()
        let first = try await shop.buy("monthly", as: "ann")
        let one = try await shop.store.extensions.extend(first.id, Self.request(10))
        let again = try await shop.store.extensions.extend(first.id, Self.request(10))
        #expect(one.effectiveDate == again.effectiveDate)
        #expect(try await Self.kinds(shop).count { $0 == .subscription(.renewalExtended) } == 1)
    }

    @Test func `a subscription is extended at most twice in 365 days`() async throws {
        let shop = try await RenewalTests.shop()
        let first = try await shop.buy("yearly", as: "ann")
        _ = try await shop.store.extensions.extend(first.id, Self.request(1, "a"))
        _ = try await shop.store.extensions.extend(first.id, Self.request(1, "b"))
        await #expect(throws: ExtensionError(.maximumReached, "", "")) {
            try await shop.store.extensions.extend(first.id, Self.request(1, "c"))
        }
        _ = try await shop.store.clock.advance(to: Self.start + .days(365))
        let later = try await shop.store.extensions.extend(first.id, Self.request(1, "c"))
        #expect(later.effectiveDate == Period.year.end(after: Self.start) + .days(3))
    }

    @Test(arguments: [
        (Int64(0), Int64(0), "a", ExtensionError.Code.invalidDays, 4_000_009),
        (91, 0, "a", .invalidDays, 4_000_009), (1, 4, "a", .invalidReason, 4_000_010),
        (1, 0, "", .invalidRequestIdentifier, 4_000_011),
        (1, 0, String(repeating: "x", count: 129), .invalidRequestIdentifier, 4_000_011),
    ])
    func `invalid extension requests have Apple's error numbers`(
        days: Int64, reason: Int64, id: String, code: ExtensionError.Code, number: Int
    ) throws {
        #expect(throws: ExtensionError(code, "", "")) {
            try RenewalExtension(checking: days, reason: reason, requestID: id)
        }
        #expect(code.number == number)
    }

    @Test func `expired, retried and unknown subscriptions can't be extended`() async throws {
        let shop = try await RenewalTests.shop()
        let first = try await shop.buy("monthly", as: "ann")
        try await shop.account("ann", payment: .declined)
        _ = try await shop.store.clock.advance(to: Period.month.end(after: Self.start))
        await #expect(throws: ExtensionError(.ineligible, "", "")) {
            try await shop.store.extensions.extend(first.id, Self.request())
        }
        _ = try await shop.store.clock.advance(to: Period(4, .month).end(after: Self.start))
        await #expect(throws: ExtensionError(.ineligible, "", "")) {
            try await shop.store.extensions.extend(first.id, Self.request())
        }
        await #expect(throws: ExtensionError(.subscriptionNotFound, "", "")) {
            try await shop.store.extensions.extend(TransactionID(rawValue: 1), Self.request())
        }
        await #expect(throws: ExtensionError(.subscriptionNotFound, "", "")) {
            try await shop.store.extensions.extend(first.id, Self.request(), bundleID: TestCatalog.otherBundleID)
        }
        #expect(ExtensionError.Code.ineligible.number == 4_030_004)
        #expect(ExtensionError.Code.maximumReached.number == 4_030_005)
        #expect(ExtensionError.Code.familyShared.number == 4_030_007)
        #expect(ExtensionError.Code.subscriptionNotFound.number == 4_040_005)
    }

    @Test func `in Sandbox extension days become minutes`() async throws {
        let shop = try await RenewalTests.shop(kind: .sandbox)
        let first = try await shop.buy("monthly", as: "ann")
        let few = try await shop.store.extensions.extend(first.id, Self.request(5, "a"))
        #expect(few.effectiveDate == Self.start + .minutes(5))
        let many = try await shop.store.extensions.extend(first.id, Self.request(12, "b"))
        #expect(many.effectiveDate == Self.start + .minutes(7))
    }

    @Test(arguments: Engine.allCases)
    func `all subscribers of a product are extended in batches`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        let count = engine == .sqliteInMemory ? 450 : 30
        for number in 0..<count { try await shop.buy("monthly", as: "customer-\(number)") }
        try await shop.buy("yearly", as: "other")
        try await shop.account("german", storefront: "DEU")
        try await shop.buy("monthly", as: "german")
        let mass = MassExtension(
            productID: Product.ID(rawValue: "monthly"), storefronts: [.usa], request: Self.request(7))
        let status = try await shop.store.extensions.extendAll(mass, bundleID: TestCatalog.bundleID)
        #expect(status.completed != nil)
        #expect(status.request.succeededCount == count)
        #expect(status.request.failedCount == 0)
        let again = try await shop.store.extensions.extendAll(mass, bundleID: TestCatalog.bundleID)
        #expect(again == status)
        let until = Period.month.end(after: Self.start)
        #expect(try await RenewalTests.periods(shop, of: "customer-1").last?.expiresDate == until + .days(7))
        #expect(try await RenewalTests.periods(shop, of: "german").last?.expiresDate == until)
        let kinds = try await Self.kinds(shop)
        #expect(kinds.count { $0 == .subscription(.renewalExtended) } == count)
        #expect(kinds.last == .subscription(.renewalExtensionCompleted))
    }

    @Test func `subscribers that can't be extended are counted and notified`() async throws {
        let shop = try await RenewalTests.shop()
        let monthly = Product.ID(rawValue: "monthly")
        let first = try await shop.buy("monthly", as: "ann")
        try await shop.buy("monthly", as: "ben")
        _ = try await shop.store.extensions.extend(first.id, Self.request(1, "a"))
        _ = try await shop.store.extensions.extend(first.id, Self.request(1, "b"))
        let status = try await shop.store.extensions.extendAll(
            MassExtension(productID: monthly, request: Self.request(1, "all")), bundleID: TestCatalog.bundleID)
        #expect(status.request.succeededCount == 1)
        #expect(status.request.failedCount == 1)
        #expect(try await Self.kinds(shop).contains(.subscription(.renewalExtensionFailed)))
        await #expect(throws: ExtensionError(.requestNotFound, "", "")) {
            try await shop.store.extensions.massExtensionStatus("never", bundleID: TestCatalog.bundleID)
        }
        await #expect(throws: ExtensionError(.requestNotFound, "", "")) {
            try await shop.store.extensions.massExtensionStatus(
                "all", bundleID: TestCatalog.bundleID, productID: Product.ID(rawValue: "yearly"))
        }
    }

    @Test(arguments: Engine.allCases)
    func `several workers and a crash extend no subscriber twice`(engine: Engine) async throws {
        let fault = TestFault()
        let shop = try await RenewalTests.shop(engine, faults: fault.reach)
        for number in 0..<30 { try await shop.buy("monthly", as: "customer-\(number)") }
        let mass = MassExtension(productID: Product.ID(rawValue: "monthly"), request: Self.request(7))
        try await shop.store.extensions.requestMassExtension(mass, bundleID: TestCatalog.bundleID)
        for point in FaultPoint.allCases {
            fault.inject(at: point)
            _ = try? await shop.store.extensions.processMassExtensions()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await shop.store.extensions.processMassExtensions() } }
            try await group.waitForAll()
        }
        let status = try await shop.store.extensions.massExtensionStatus("outage", bundleID: TestCatalog.bundleID)
        #expect(status.request.succeededCount == 30)
        #expect(try await Self.kinds(shop).count { $0 == .subscription(.renewalExtended) } == 30)
        #expect(try await Self.kinds(shop).count { $0 == .subscription(.renewalExtensionCompleted) } == 1)
    }

    @Test func `mass extensions require a renewing product and known storefronts`() async throws {
        let shop = try await RenewalTests.shop()
        for product in ["filter.amber", "nothing"] {
            await #expect(throws: ExtensionError(.invalidProduct, "", "")) {
                try await shop.store.extensions.requestMassExtension(
                    MassExtension(productID: Product.ID(rawValue: product), request: Self.request()),
                    bundleID: TestCatalog.bundleID)
            }
        }
        await #expect(throws: ExtensionError(.invalidStorefront, "", "")) {
            try await shop.store.extensions.requestMassExtension(
                MassExtension(
                    productID: Product.ID(rawValue: "monthly"), storefronts: [Storefront(rawValue: "XXX")],
                    request: Self.request()), bundleID: TestCatalog.bundleID)
        }
    }
}
