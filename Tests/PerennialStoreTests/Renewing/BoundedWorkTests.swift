import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Work without a natural end: many IDs in one transaction, many renewals in one batch, a subscription far behind.
struct BoundedWorkTests {
    /// The magazine, with weeks for months.
    private static var weekly: App {
        var app = TestCatalog.magazine()
        for index in app.products.indices where app.products[index].subscription?.period == .month {
            app.products[index].subscription?.period = .week
        }
        return app
    }

    private static func shop(_ engine: Engine = .sqliteInMemory, overlaps: Bool = true) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine, app: weekly, overlapsRenewals: overlaps)
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: .production, clock: .manual, now: RenewalTests.start)
        return try await shop.environment("lab")
    }

    @Test(arguments: Engine.allCases)
    func `a transaction takes more IDs than a block holds`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let numbers = shop.store.numbers
        let count = 3 * Int(NumberSource.blockSize)
        let taken = try await shop.store.write { _ in try (0..<count).map { _ in try numbers.next() } }
        #expect(Set(taken).count == count)
        #expect(taken == taken.sorted())
        #expect(try await shop.buy("film.roll", as: "ann").id.rawValue > taken[count - 1])
    }

    @Test func `a transaction that takes IDs without end fails`() async throws {
        let shop = try await TestStore.make()
        let numbers = shop.store.numbers
        await #expect(throws: StorageError(.overloaded, "", "")) {
            try await shop.store.write { _ in while true { _ = try numbers.next() } }
        }
        #expect(try await shop.buy("film.roll", as: "ann").quantity == 1)
    }

    @Test(arguments: Engine.allCases, [false, true])
    func `forty weekly subscriptions renew for a year in one advance`(engine: Engine, overlaps: Bool) async throws {
        let shop = try await Self.shop(engine, overlaps: overlaps)
        for number in 0..<40 { _ = try await shop.buy("monthly", as: "\(number)") }
        let year = try CalendarDuration(iso8601: "P1Y")
        #expect(try await shop.store.advanceClock(by: year).events == 40 * 52)
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
        #expect(try await shop.store.advanceClock(by: weeks).events == 2049)
        #expect(try await shop.store.now() == RenewalTests.start + .days(7 * 2049))
    }

    @Test func `what a family shares is renewed in several transactions`() async throws {
        let shop = try await Self.shop()
        _ = try await shop.store.makeFamily(organizer: "ann", members: ["ben"])
        _ = try await shop.buy("family.monthly", as: "ann")
        // A renewal and the copy that follows it are two steps of a transaction.
        let weeks = Int64(Store.maximumStepsInTransaction / 2 + 10)
        _ = try await shop.store.advanceClock(to: RenewalTests.start + .days(7 * weeks))
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.count == Int(weeks) + 1)
        #expect(try await RenewalTests.periods(shop, of: "ben").map(\.purchaseDate) == periods.map(\.purchaseDate))
    }

    /// Production on real time, where a month is two seconds.
    private static func hastyShop(_ engine: Engine) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine, "Production")
        _ = try await shop.store.setBillingSettings(
            BillingSettings(timeRate: .rate(.oneRenewalEveryTwoSeconds), maximumRenewals: 0), for: nil)
        return shop
    }

    @Test(arguments: Engine.allCases)
    func `a machine that slept catches up with renewals of every second`(engine: Engine) async throws {
        let shop = try await Self.hastyShop(engine)
        for number in 0..<30 { _ = try await shop.buy("monthly", as: "\(number)") }
        shop.clock.advance(by: .seconds(150))
        #expect(try await shop.store.workOffDue() == 30 * 75)
    }

    @Test(arguments: Engine.allCases)
    func `a customer who is far behind is served on what is true now`(engine: Engine) async throws {
        let shop = try await Self.hastyShop(engine)
        let first = try await shop.buy("monthly", as: "ann")
        let renewals = Int64(2 * Store.maximumStepsBeside + 50)
        shop.clock.advance(by: .seconds(2 * renewals) + 500)
        let standing = try await shop.store.act(.setAutoRenew(false), on: first.id)
        #expect(standing.transaction.expiresDate == first.purchaseDate + .seconds(2 * (renewals + 1)))
        #expect(try await RenewalTests.periods(shop, of: "ann").count == Int(renewals) + 1)
        #expect(try await shop.store.workOffDue() == 0)
    }

    @Test func `a subscription that gets no further is found out`() throws {
        var progress = DueProgress()
        let (ann, ben) = (TransactionID(rawValue: 1), TransactionID(rawValue: 2))
        for second in Int64(0)..<1000 { try progress.note(ann, RenewalTests.start + .seconds(second)) }
        for _ in 0..<DueProgress.maximumAtOnce { try progress.note(ben, RenewalTests.start) }
        #expect(throws: StorageError(.corrupt, "", "")) { try progress.note(ben, RenewalTests.start) }
    }

    /// Subscriptions of an app that is gone are due for ever.
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
        for number in 0...Store.renewalBatch {
            _ = try await lab.buy("monthly", as: "\(number)", app: gone.bundleID)
        }
        try await lab.database.write { [id = gone.appleID] in
            try $0.execute("DELETE FROM apps WHERE id = $1", [.integer(id)])
            try AppsTable.touch(nil, on: $0)
        }
        return lab
    }

    @Test func `what is due for ever holds up nothing that takes locks`() async throws {
        let lab = try await Self.shopWithDueOfAnAppThatIsGone()
        _ = try await lab.store.makeFamily(organizer: "ann", members: ["ben"])
        _ = try await lab.buy("family.monthly", as: "ann")
        _ = try await lab.store.advanceClock(to: Period.month.end(after: RenewalTests.start))
        #expect(try await RenewalTests.periods(lab, of: "ben").count == 2)
    }

    @Test func `what is due for ever is no place to stop at for ever`() async throws {
        let receiver = RecordingReceiver()
        let lab = try await Self.shopWithDueOfAnAppThatIsGone(sender: receiver)
        try await lab.store.setNotifications(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        _ = try await lab.buy("monthly", as: "ann")
        let month = Period.month.end(after: RenewalTests.start)
        _ = try await lab.store.advanceClock(to: month)
        #expect(try await lab.store.now() == month)
        #expect(try receiver.deliveries.map { try $0.name } == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW"])
    }
}
