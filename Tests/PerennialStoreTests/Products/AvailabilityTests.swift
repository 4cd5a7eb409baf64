import Perennial
import PerennialConnect
import PerennialStore
import TestSupport
import Testing

/// Products that their seller offers in some storefronts only, or hasn't finished.
struct AvailabilityTests {
    private static let germany = Storefront(rawValue: "DEU")

    /// Changes a product of the magazine as its seller does.
    private static func edit(
        _ id: String, _ shop: TestStore, _ change: @escaping @Sendable (inout CatalogProduct) throws -> Void
    ) async throws {
        let editor = CatalogEditor(database: shop.database) { TestStore.opening }
        try await editor.edit(by: .control) { draft in
            let product = try draft.product(Product.ID(rawValue: id), app: TestCatalog.magazine().appleID)
            try draft.update(try #require(product).appleID, change)
        }
    }

    private static func listed(_ id: String, _ shop: TestStore, _ account: String) async throws -> Bool {
        let list = try await shop.store.products.list(
            [Product.ID(rawValue: id)], language: nil, for: try await shop.customer(account))
        return !list.products.isEmpty
    }

    @Test(arguments: Engine.allCases)
    func `a product is listed and sold only in its storefronts`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        _ = try await shop.account("ann")
        _ = try await shop.account("emma", storefront: "DEU")
        #expect(try await Self.listed("filter.amber", shop, "emma"))
        try await Self.edit("filter.amber", shop) { try $0.setAvailability([.usa], includesNew: true) }
        #expect(try await Self.listed("filter.amber", shop, "ann"))
        #expect(try await !Self.listed("filter.amber", shop, "emma"))
        #expect(try await shop.refusal(of: "filter.amber", as: "emma").code == .productNotAvailable)
        try await shop.buy("filter.amber", as: "ann")
        try await Self.edit("filter.amber", shop) { try $0.setAvailability([.usa, Self.germany], includesNew: true) }
        try await shop.buy("filter.amber", as: "emma")
    }

    @Test(arguments: Engine.allCases)
    func `a subscription ends where it isn't available any more`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        _ = try await shop.account("emma", storefront: "DEU")
        let ann = try await shop.buy("monthly", as: "ann")
        let emma = try await shop.buy("monthly", as: "emma")
        try await Self.edit("monthly", shop) { try $0.setAvailability([.usa], includesNew: true) }
        _ = try await shop.store.clock.advance(to: Period.month.end(after: RenewalTests.start))
        #expect(try await shop.store.subscriptions.snapshot(of: ann.id).subscription.expirationIntent == nil)
        let ended = try await shop.store.subscriptions.snapshot(of: emma.id).subscription
        #expect(ended.expirationIntent == .productUnavailable)
        #expect(try await RenewalTests.periods(shop, of: "ann").count == 2)
        #expect(try await RenewalTests.periods(shop, of: "emma").count == 1)
    }

    @Test(arguments: Engine.allCases)
    func `the subscriptions that end are counted in all environments, up to a limit`(engine: Engine) async throws {
        let shop = try await RenewalTests.shop(engine)
        let app = TestCatalog.magazine().appleID
        func counted(_ limit: Int) async throws -> (places: [String], isComplete: Bool) {
            let found = try await shop.registry.subscriptions(
                renewing: Product.ID(rawValue: "monthly"), of: app, reading: limit)
            return (found.environments.map { "\($0.name) \($0.count)" }, found.isComplete)
        }
        #expect(try await counted(9) == ([], true))
        for (account, product) in [("ann", "monthly"), ("emma", "monthly"), ("fay", "yearly")] {
            _ = try await shop.account(account)
            try await shop.buy(product, as: account)
        }
        let production = try await shop.environment("Production")
        _ = try await production.account("ann")
        try await production.buy("monthly", as: "ann")
        #expect(try await counted(5) == (["Production 1", "lab 2"], true))
        #expect(try await counted(2).isComplete == false)
        #expect(try await counted(1) == (["Production 1"], false))
    }

    @Test func `a change to a plan that isn't available is refused`() async throws {
        let shop = try await RenewalTests.shop()
        _ = try await shop.account("emma", storefront: "DEU")
        let sold = try await shop.buy("monthly", as: "emma")
        try await Self.edit("yearly", shop) { try $0.setAvailability([.usa], includesNew: true) }
        await #expect(throws: PurchaseRefusal.self) {
            _ = try await shop.store.subscriptions.perform(.change(Product.ID(rawValue: "yearly")), on: sold.id)
        }
    }

    @Test(arguments: Product.State.allCases)
    func `Production sells approved products only, Sandbox all`(state: Product.State) async throws {
        let sandbox = try await TestStore.make()
        let production = try await sandbox.environment("Production")
        try await Self.edit("filter.amber", sandbox) { $0.product.state = state }
        try await sandbox.buy("filter.amber", as: "ann")
        if state == .approved {
            try await production.buy("filter.amber", as: "ann")
        } else {
            #expect(try await production.refusal(of: "filter.amber", as: "ann").code == .productNotAvailable)
        }
    }

    @Test func `a subscription without a period isn't sold in any environment`() async throws {
        let shop = try await TestStore.make()
        let editor = CatalogEditor(database: shop.database) { TestStore.opening }
        let id = try await editor.edit(by: .control) { draft in
            var new = NewProduct(Product.ID(rawValue: "weekly"), .autoRenewable, referenceName: "Weekly")
            new.groupID = "magazine"
            return try draft.createProduct(new, app: TestCatalog.magazine().appleID)
        }
        #expect(try await shop.refusal(of: "weekly", as: "ann").code == .productNotAvailable)
        try await editor.edit(by: .control) { try $0.update(id) { try $0.setPeriod(.week) } }
        // Without a price it costs nothing in tests.
        #expect(try await shop.buy("weekly", as: "ann").price.milliunits == 0)
    }
}
