import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Downloads and updates of apps in the journal, and the devices of purchases.
struct DownloadTests {
    private static var paid: App {
        var app = TestCatalog.magazine()
        app.price = AppPrice(Money(milliunits: 1990, .usd))
        return app
    }

    @Test(arguments: Engine.allCases)
    func `devices that sign in report downloads and updates once`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await Self.signIn(shop, .phone, .iPhone, "1.0")
        try await Self.signIn(shop, .phone, .iPhone, "1.0")
        try await Self.signIn(shop, .tablet, .iPad, "1.0")
        try await Self.signIn(shop, .phone, .iPhone, "1.1")
        let phone = try await Self.signIn(shop, .phone, .iPhone, "1.1")
        try await shop.store.accounts.uninstall(phone)
        try await Self.signIn(shop, .phone, .iPhone, "1.1")
        let entries = try await shop.journal().map(\.entry)
        #expect(entries.map(\.kind) == [.appDownloaded, .appRedownloaded, .appUpdated, .appRedownloaded])
        #expect(entries.map(\.facts?.device) == [.iPhone, .iPad, .iPhone, .iPhone])
        #expect(entries.map(\.facts?.appVersion) == ["1.0", "1.0", "1.1", "1.1"])
        #expect(entries.allSatisfy { $0.facts?.storefront == .usa && $0.postings.isEmpty })
        let listed = try await shop.store.downloads.list(of: TestCatalog.bundleID, account: "ann", limit: 10)
        #expect(listed.map(\.value.installation.version) == ["1.1", "1.0"])
        #expect(try await shop.store.downloads.list(of: TestCatalog.bundleID, account: nil, limit: 1).count == 1)
    }

    @Test(arguments: Engine.allCases)
    func `the first download of a paid app is charged, the others aren't`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine, app: Self.paid)
        try await Self.signIn(shop, .phone, .iPhone, "1.0")
        try await Self.signIn(shop, .tablet, .iPad, "1.0")
        let entries = try await shop.journal().map(\.entry)
        #expect(entries.map { $0.postings.isEmpty } == [false, true])
        #expect(entries[0].postings.first { $0.account == .customer }?.amount.milliunits == -1990)
        #expect(try await shop.sumOfPostings() == ["USD": 0])
    }

    @Test func `a sign-in with a declined download succeeds, and the next one is charged`() async throws {
        let shop = try await TestStore.make(app: Self.paid)
        try await shop.account("ann", payment: .declined)
        try await Self.signIn(shop, .phone, .iPhone, "1.0")
        #expect(try await shop.journal().isEmpty)
        try await shop.account("ann", payment: .valid)
        try await Self.signIn(shop, .phone, .iPhone, "1.0")
        #expect(try await shop.journal().map(\.entry.kind) == [.appDownloaded])
    }

    @Test func `clients that don't say their device count no downloads and may buy`() async throws {
        let shop = try await TestStore.make()
        let (token, customer) = try await shop.signIn("ann")
        #expect(customer.deviceFamily == nil)
        let request = PurchaseRequest(productID: Product.ID(rawValue: "film.roll"))
        _ = try await shop.store.purchases.buy(request, token: token)
        let entries = try await shop.journal().map(\.entry)
        #expect(entries.map(\.kind) == [.purchased])
        #expect(entries[0].facts == SaleFacts(appVersion: "2.1.7"))
    }

    @Test(arguments: Engine.lasting)
    func `two nodes that hear of one download record it once`(engine: Engine) async throws {
        let database = try engine.makeDatabase()
        let nodes = [
            try await TestStore.open(database, app: Self.paid),
            try await TestStore.open(database, app: Self.paid, seed: 2),
        ]
        _ = try await nodes[0].customer("ann")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let node = nodes[number % 2]
                group.addTask {
                    _ = try await node.store.downloads.record(
                        deviceID: TestDevice.phone.id.lowercased(), family: .iPhone, version: "1.0",
                        of: try await node.customer("ann"))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await nodes[0].journal().map(\.entry.kind) == [.appDownloaded])
    }

    @Test(arguments: Engine.allCases)
    func `a purchase's own entries name device and version`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let phone = try await Self.signIn(shop, .phone, .iPhone, "1.0")
        let tablet = try await Self.signIn(shop, .tablet, .iPad, "1.1")
        for (product, customer) in [("monthly", phone), ("yearly", tablet)] {
            _ = try await shop.store.purchases.buy(
                PurchaseRequest(productID: Product.ID(rawValue: product)), by: customer)
        }
        try await shop.advance(by: .days(370))
        let entries = try await shop.journal().map(\.entry)
        let devices = entries.filter { $0.productID != nil }.map { ($0.kind.rawValue, $0.facts?.device) }
        #expect(devices.contains { $0 == ("subscribed", .iPhone) })
        #expect(devices.contains { $0 == ("upgraded", .iPad) })
        #expect(devices.contains { $0 == ("upgradeRefunded", nil) })
        #expect(devices.contains { $0 == ("renewed", nil) })
        #expect(!devices.contains { $0.0 == "renewed" && $0.1 != nil })
    }

    @Test func `a reset forgets the devices`() async throws {
        let shop = try await TestStore.make()
        try await Self.signIn(shop, .phone, .iPhone, "1.0")
        try await shop.store.reset()
        #expect(try await shop.count("app_installations") == 0)
        try await Self.signIn(shop, .phone, .iPhone, "1.0")
        #expect(try await shop.journal().map(\.entry.kind) == [.appDownloaded])
    }

    @Test func `devices of an earlier version have downloaded their apps already`() async throws {
        let database = try Engine.sqliteInMemory.makeDatabase(
            migrations: Array(Migration.all.prefix { $0.number < 25 }))
        _ = try await database.write { connection in
            try connection.execute(
                """
                INSERT INTO devices
                (environment, app, account, device, token_digest, application_version, is_installed, signed_in)
                VALUES (2, $1, 7, $2, $3, '1.0', 1, 0)
                """,
                [.integer(TestCatalog.magazine().appleID), .text(TestDevice.phone.id), .blob([1])])
        }
        try database.migrate(Migration.all)
        let known = try await database.read { connection in
            try connection.query("SELECT version, is_installed FROM app_installations") {
                (try $0.text(0), try $0.integer(1))
            }
        }
        #expect(known.map(\.0) == ["1.0"])
        #expect(known.map(\.1) == [1])
    }

    @discardableResult
    private static func signIn(
        _ shop: TestStore, _ device: TestDevice, _ family: DeviceFamily, _ version: String
    ) async throws -> Customer {
        let session = try await shop.store.accounts.signIn(
            account: "ann", password: nil, deviceID: device.id, bundleID: TestCatalog.bundleID,
            applicationVersion: version, deviceFamily: family)
        return try await shop.store.accounts.customer(token: session.token)
    }
}
