import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Transactions that need several customers at once, on PostgreSQL (docs/architecture.md, "Order of locks").
struct FamilyLockTests {
    /// Two nodes of one database, with a family of ann, bob and cem.
    struct Nodes {
        let location: DatabaseLocation
        let one: TestStore
        let two: TestStore
        let ann: Customer
        let bob: Customer
        let family: Int64

        /// - Parameters:
        ///   - environment: `Sandbox`, or a new one with a manual clock.
        ///   - faults: Of the first node.
        init(
            app: App = TestCatalog.magazine(), environment: String = "Sandbox",
            faults: (@Sendable (FaultPoint) throws -> Void)? = nil
        ) async throws {
            location = try Engine.postgres.makeLocation()
            var options = DatabaseOptions.forTests
            options.faults = faults
            let node = try await Self.open(location, options, app, seed: 1)
            let other = try await Self.open(location, .forTests, app, seed: 2)
            if environment != "Sandbox" {
                _ = try await node.registry.makeEnvironment(
                    environment, kind: .production, clock: .manual, now: RenewalTests.start)
            }
            (one, two) = (try await node.environment(environment), try await other.environment(environment))
            ann = try await one.customer("ann")
            bob = try await one.customer("bob")
            family = try await one.store.families.make(organizer: "ann", members: ["bob", "cem"]).id
        }

        private static func open(
            _ location: DatabaseLocation, _ options: DatabaseOptions, _ app: App, seed: UInt64
        ) async throws -> TestStore {
            let database = try Database(location, options: options)
            try database.migrate()
            return try await TestStore.open(database, app: app, seed: seed)
        }

        /// Makes the purchases with these keys wait, each with its customer locked.
        func holdPurchases(_ keys: [(customer: Customer, request: PurchaseRequest)]) async throws -> LockHolder {
            let reserved = keys.compactMap { held in
                PurchaseRequestsTable.Identity(of: held.request).map { ($0, held.customer.key) }
            }
            return try await LockHolder(at: location) { connection in
                for (identity, customer) in reserved {
                    _ = try PurchaseRequestsTable.reserve(
                        identity, for: TransactionID(rawValue: 1), of: customer, on: connection)
                }
            }
        }

        /// Closes the nodes, and returns the deadlocks that PostgreSQL has resolved.
        func close() async throws -> Int64? {
            one.database.close()
            two.database.close()
            return try await location.deadlocks()
        }

        /// Returns the products that an account has in force, with their ownership.
        func owned(by account: String) async throws -> [String] {
            let key = try await two.customer(account).key
            let now = try await two.store.now()
            return try await two.database.read { try TransactionsTable.all(of: key, on: $0) }
                .filter { $0.isInForce(at: now) }.map { "\($0.productID) \($0.ownership.rawValue)" }.sorted()
        }
    }

    static func request(_ product: String, key: String) -> PurchaseRequest {
        PurchaseRequest(productID: Product.ID(rawValue: product), idempotencyKey: key)
    }

    private static let filter = "family.filter"

    @Test func `two members who buy at once share with each other without a deadlock`() async throws {
        let nodes = try await Nodes()
        let (annBuys, bobBuys) = (Self.request(Self.filter, key: "a"), Self.request(Self.filter, key: "b"))
        let holder = try await nodes.holdPurchases([(nodes.ann, annBuys), (nodes.bob, bobBuys)])
        async let first = nodes.one.store.purchases.buy(annBuys, by: nodes.ann)
        async let second = nodes.two.store.purchases.buy(bobBuys, by: nodes.bob)
        try await nodes.two.database.untilWaiting(2)
        try await holder.release()
        // The second buyer has the first one's copy by then, and gets it again without a charge.
        let (one, two) = try await (first, second)
        #expect(Set([one.ownership, two.ownership]) == [.purchased, .familyShared])
        #expect(try await nodes.owned(by: "cem") == ["\(Self.filter) FAMILY_SHARED"])
        #expect(try await nodes.close() == 0)
    }

    @Test func `a member who is removed while a purchase is made keeps nothing of it`() async throws {
        let gate = CommitGate()
        let nodes = try await Nodes(faults: { gate.reach($0) })
        gate.arm()
        async let bought = nodes.one.store.purchases.buy(Self.request(Self.filter, key: "a"), by: nodes.ann)
        await gate.untilReached()
        async let removed = nodes.two.store.families.remove("bob", from: nodes.family)
        try await gate.open(whenWaiting: 1, on: nodes.two.database)
        _ = try await (bought, removed)
        #expect(try await nodes.owned(by: "bob").isEmpty)
        #expect(try await nodes.owned(by: "cem") == ["\(Self.filter) FAMILY_SHARED"])
        #expect(try await nodes.close() == 0)
    }

    @Test func `a family waits for a member who joins an app just now`() async throws {
        let gate = CommitGate()
        let nodes = try await Nodes(faults: { gate.reach($0) })
        let camera = TestCatalog.camera.bundleID
        gate.arm()
        async let joined = nodes.one.customer("ann", app: camera)
        await gate.untilReached()
        async let removed = nodes.two.store.families.remove("bob", from: nodes.family)
        try await gate.open(whenWaiting: 1, on: nodes.two.database)
        _ = try await (joined, removed)
        #expect(try await nodes.close() == 0)
    }

    @Test func `a purchase that needs a member of a changing family waits its turn`() async throws {
        let nodes = try await Nodes()
        let bobBuys = Self.request(Self.filter, key: "b")
        let holder = try await nodes.holdPurchases([(nodes.bob, bobBuys)])
        async let bought = nodes.one.store.purchases.buy(bobBuys, by: nodes.bob)
        try await nodes.two.database.untilWaiting(1)
        async let removed = nodes.two.store.families.remove("cem", from: nodes.family)
        try await nodes.one.database.untilWaiting(2)
        try await holder.release()
        _ = try await (bought, removed)
        #expect(try await nodes.owned(by: "ann") == ["\(Self.filter) FAMILY_SHARED"])
        #expect(try await nodes.owned(by: "cem").isEmpty)
        #expect(try await nodes.close() == 0)
    }

    /// Work of a node that goes through customers and shares what it changes.
    enum Work: String, Sendable, CaseIterable {
        case extension_, price, renewals

        func run(_ shop: TestStore) async throws {
            switch self {
            case .extension_:
                let days = RenewalExtension(days: 10, reason: .serviceIssue, requestID: "outage")
                _ = try await shop.store.extensions.extendAll(
                    MassExtension(productID: Product.ID(rawValue: "family.monthly"), storefronts: [], request: days),
                    bundleID: TestCatalog.bundleID)
            case .price:
                _ = try await shop.store.products.changePrice(
                    PriceChange(Product.ID(rawValue: "family.monthly"), milliunits: 10_990),
                    bundleID: TestCatalog.bundleID)
            case .renewals: try await shop.advance(by: .days(3650))
            }
        }
    }

    @Test(arguments: Work.allCases)
    func `work through a family's customers and a purchase of a member don't deadlock`(work: Work) async throws {
        let nodes = try await Nodes()
        _ = try await nodes.one.store.purchases.buy(Self.request("family.monthly", key: "m"), by: nodes.ann)
        let bobBuys = Self.request(Self.filter, key: "b")
        let holder = try await nodes.holdPurchases([(nodes.bob, bobBuys)])
        async let bought = nodes.one.store.purchases.buy(bobBuys, by: nodes.bob)
        try await nodes.two.database.untilWaiting(1)
        async let worked: Void = work.run(nodes.two)
        try await nodes.one.database.untilWaiting(2)
        try await holder.release()
        _ = try await (bought, worked)
        #expect(try await nodes.owned(by: "ann").contains("\(Self.filter) FAMILY_SHARED"))
        #expect(try await nodes.close() == 0)
    }

    @Test func `an advance of the clock and a change of a family don't deadlock`() async throws {
        let nodes = try await Nodes(environment: "lab")
        try await nodes.one.buy("monthly", as: "dan")
        // So that no IDs are taken from the environment while it is locked.
        try await nodes.two.buy("film.roll", as: "fay")
        // The family has locked the environment when it waits for an account of the same name.
        let environment = nodes.one.store.environment.id
        let holder = try await LockHolder(at: nodes.location) { connection in
            let account = Account(
                id: Account.ID(rawValue: 7), name: "eve", storefront: .usa, created: RenewalTests.start)
            try AccountsTable.insert(account, password: nil, environment, on: connection)
        }
        async let made = nodes.one.store.families.make(organizer: "dan", members: ["eve"])
        try await nodes.two.database.untilWaiting(1)
        async let advanced = nodes.two.store.clock.advance(to: Period.month.end(after: RenewalTests.start))
        try await nodes.two.database.untilWaiting(2)
        try await holder.release()
        #expect(try await made.members == ["eve"])
        #expect(try await advanced.events == 1)
        #expect(try await nodes.close() == 0)
    }

    @Test func `a code and a purchase that names it don't deadlock`() async throws {
        let nodes = try await Nodes(app: TestCatalog.magazineWithOffers)
        let monthly = Product.ID(rawValue: "monthly")
        let code = try await nodes.one.store.offers.makeCodes(
            OfferCodeOrder(productID: monthly, offerID: "radio", kind: .custom("SPRING", maximumRedemptions: nil)),
            of: TestCatalog.bundleID
        ).map(\.code.code)[0]
        let request = PurchaseRequest(productID: monthly, claim: .code(code), idempotencyKey: "p")
        let holder = try await nodes.holdPurchases([(nodes.ann, request)])
        async let bought = nodes.one.store.purchases.buy(request, by: nodes.ann)
        try await nodes.two.database.untilWaiting(1)
        let redeemed = Task { try await nodes.two.store.purchases.redeem(code, idempotencyKey: "r", by: nodes.ann) }
        try await nodes.one.database.untilWaiting(2)
        try await holder.release()
        #expect(try await bought.productID == monthly)
        await #expect(throws: PurchaseRefusal.self) { try await redeemed.value }
        #expect(try await nodes.close() == 0)
    }
}
