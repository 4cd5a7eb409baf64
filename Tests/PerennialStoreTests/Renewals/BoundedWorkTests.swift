import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Bounded work: many IDs in one transaction, many renewals in one batch, a subscription far behind.
struct BoundedWorkTests {
    /// The magazine, with weeks instead of months.
    private static var weekly: App {
        var app = TestCatalog.magazine()
        for index in app.products.indices where app.products[index].subscription?.period == .month {
            app.products[index].subscription?.period = .week
        }
        return app
    }

    private static func shop(_ engine: Engine = .sqliteInMemory, overlaps: Bool = true) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine, app: weekly, pipelinesRenewals: overlaps)
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: .production, clock: .manual, now: RenewalTests.start)
        return try await shop.environment("lab")
    }

    @Test(arguments: Engine.allCases)
    func `a transaction takes more IDs than a block holds`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let ids = shop.store.subscriptions.ids
        let count = 3 * Int(IDAllocator.blockSize)
        let taken = try await shop.store.subscriptions.write { _ in try (0..<count).map { _ in try ids.next() } }
        #expect(Set(taken).count == count)
        #expect(taken == taken.sorted())
        #expect(try await shop.buy("film.roll", as: "ann").id.rawValue > taken[count - 1])
    }

    @Test func `a transaction that takes IDs without end fails`() async throws {
        let shop = try await TestStore.make()
        let ids = shop.store.subscriptions.ids
        await #expect(throws: StorageError(.overloaded, "", "")) {
            try await shop.store.subscriptions.write { _ in while true { _ = try ids.next() } }
        }
        #expect(try await shop.buy("film.roll", as: "ann").quantity == 1)
    }

    @Test(arguments: Engine.allCases, [false, true])
    func `forty weekly subscriptions renew for a year in one advance`(engine: Engine, overlaps: Bool) async throws {
        let shop = try await Self.shop(engine, overlaps: overlaps)
        for number in 0..<40 { _ = try await shop.buy("monthly", as: "\(number)") }
        let year = try CalendarDuration(iso8601: "P1Y")
        #expect(try await shop.store.clock.advance(by: year).events == 40 * 52)
        let renewals = try await shop.journal().dropFirst(40)
        #expect(renewals.map(\.position) == Array(41...Int64(53 * 40)))
        #expect(renewals.map(\.entry.at) == renewals.map(\.entry.at).sorted())
        for account in ["0", "39"] {
            let periods = try await RenewalTests.periods(shop, of: account)
            #expect(periods.map(\.purchaseDate) == (0...52).map { RenewalTests.start + .days(7 * $0) })
        }
        #expect(try await shop.sumOfPostings().values.allSatisfy { $0 == 0 })
    }

    @Test func `one weekly subscription renews for decades in one advance`() async throws {
        let shop = try await Self.shop()
        _ = try await shop.buy("monthly", as: "ann")
        let weeks = try CalendarDuration(iso8601: "P2049W")
        #expect(try await shop.store.clock.advance(by: weeks).events == 2049)
        #expect(try await shop.store.now() == RenewalTests.start + .days(7 * 2049))
    }

    @Test func `a shared subscription is renewed across several transactions`() async throws {
        let shop = try await Self.shop()
        _ = try await shop.store.families.make(organizer: "ann", members: ["ben"])
        _ = try await shop.buy("family.monthly", as: "ann")
        // A renewal and the member's one that follows it are two steps of a transaction.
        let weeks = Int64(Subscriptions.maximumStepsInTransaction / 2 + 10)
        _ = try await shop.store.clock.advance(to: RenewalTests.start + .days(7 * weeks))
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.count == Int(weeks) + 1)
        #expect(try await RenewalTests.periods(shop, of: "ben").map(\.purchaseDate) == periods.map(\.purchaseDate))
    }

    /// Creates Production on real time, where a month is two seconds.
    private static func hastyShop(_ engine: Engine) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine, "Production")
        _ = try await shop.store.renewals.setBillingSettings(
            BillingSettings(timeRate: .rate(.oneRenewalEveryTwoSeconds), maximumRenewals: 0), for: nil)
        return shop
    }

    @Test(arguments: Engine.allCases)
    func `a suspended machine catches up with fast renewals`(engine: Engine) async throws {
        let shop = try await Self.hastyShop(engine)
        for number in 0..<30 { _ = try await shop.buy("monthly", as: "\(number)") }
        shop.clock.advance(by: .seconds(150))
        #expect(try await shop.store.renewals.processDue() == 30 * 75)
    }

    @Test(arguments: Engine.allCases)
    func `a subscription far behind is brought up to date first`(engine: Engine) async throws {
        let shop = try await Self.hastyShop(engine)
        let first = try await shop.buy("monthly", as: "ann")
        let renewals = Int64(2 * Subscriptions.maximumStepsBeside + 50)
        shop.clock.advance(by: .seconds(2 * renewals) + 500)
        let snapshot = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: first.id)
        #expect(snapshot.transaction.expiresDate == first.purchaseDate + .seconds(2 * (renewals + 1)))
        #expect(try await RenewalTests.periods(shop, of: "ann").count == Int(renewals) + 1)
        #expect(try await shop.store.renewals.processDue() == 0)
    }

    @Test func `a subscription without progress is detected`() throws {
        var detector = StallDetector()
        let (ann, ben) = (TransactionID(rawValue: 1), TransactionID(rawValue: 2))
        for second in Int64(0)..<1000 { try detector.record(ann, RenewalTests.start + .seconds(second)) }
        for _ in 0..<StallDetector.maximumAtOnce { try detector.record(ben, RenewalTests.start) }
        #expect(throws: StorageError(.corrupt, "", "")) { try detector.record(ben, RenewalTests.start) }
    }

    /// Creates permanently due subscriptions: their app is removed.
    private static func shopWithDueOfAnAppThatIsGone(
        sender: (any NotificationSender)? = nil
    ) async throws -> TestStore {
        let shop = try await TestStore.make(sender: sender)
        var gone = TestCatalog.magazine()
        (gone.bundleID, gone.appleID) = (App.BundleID(rawValue: "com.example.gone"), 55_555)
        let other = try await TestStore.open(shop.database, app: gone, sender: sender)
        _ = try await other.registry.makeEnvironment(
            "lab", kind: .production, clock: .manual, now: RenewalTests.start)
        let lab = try await other.environment("lab")
        for number in 0...Renewals.batchSize {
            _ = try await lab.buy("monthly", as: "\(number)", app: gone.bundleID)
        }
        try await lab.database.write { [id = gone.appleID] in
            try $0.execute("DELETE FROM apps WHERE id = $1", [.integer(id)])
            try AppsTable.touch(nil, on: $0)
        }
        return lab
    }

    @Test func `permanently due subscriptions don't delay locked batches`() async throws {
        let lab = try await Self.shopWithDueOfAnAppThatIsGone()
        _ = try await lab.store.families.make(organizer: "ann", members: ["ben"])
        _ = try await lab.buy("family.monthly", as: "ann")
        _ = try await lab.store.clock.advance(to: Period.month.end(after: RenewalTests.start))
        #expect(try await RenewalTests.periods(lab, of: "ben").count == 2)
    }

    @Test func `permanently due subscriptions don't stop a clock advance`() async throws {
        let receiver = RecordingReceiver()
        let lab = try await Self.shopWithDueOfAnAppThatIsGone(sender: receiver)
        try await lab.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        _ = try await lab.buy("monthly", as: "ann")
        let month = Period.month.end(after: RenewalTests.start)
        _ = try await lab.store.clock.advance(to: month)
        #expect(try await lab.store.now() == month)
        #expect(try receiver.deliveries.map { try $0.name } == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW"])
    }
}
