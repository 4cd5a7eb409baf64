import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

struct SignInTests {
    @Test(arguments: Engine.allCases)
    func `a token stands for an account, an app and a device`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let (token, customer) = try await shop.signIn("ann")
        #expect(customer.bundleID == TestCatalog.bundleID)
        #expect(customer.device == TestDevice.phone.id)
        #expect(customer.applicationVersion == "2.1.7")
        let (sold, buyer) = try await shop.store.purchases.buy(
            PurchaseRequest(productID: Product.ID(rawValue: "film.roll")), token: token)
        #expect(buyer == customer)
        #expect(sold.accountID == customer.key.account)
        let other = try await shop.signIn("ann", app: TestCatalog.otherBundleID)
        #expect(other.customer.key.account == customer.key.account)
        #expect(other.customer.key.app != customer.key.app)
    }

    @Test(arguments: Engine.allCases)
    func `signing in again replaces the device's token`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let first = try await shop.signIn("ann")
        let tablet = try await shop.signIn("ann", device: .tablet)
        let second = try await shop.signIn("ann")
        #expect(first.token != second.token)
        await #expect(throws: StoreError(.unauthorized, "", "")) {
            try await shop.store.accounts.customer(token: first.token)
        }
        #expect(try await shop.store.accounts.customer(token: tablet.token) == tablet.customer)
    }

    @Test func `only the digest of a token is kept`() async throws {
        let shop = try await TestStore.make()
        let (token, _) = try await shop.signIn("ann")
        let kept = try await shop.database.read {
            try $0.query("SELECT token_digest FROM devices", []) { try $0.blob(0) }
        }
        #expect(kept.count == 1)
        #expect(!kept.contains(Array(token.utf8)))
        #expect(token.count == 64)
        for wrong in ["", "x", String(token.dropLast()), token.uppercased()] {
            await #expect(throws: StoreError(.unauthorized, "", "")) {
                try await shop.store.accounts.customer(token: wrong)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `an account with a password requires it`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        _ = try await shop.store.accounts.put(
            "ann", storefront: .usa, paymentMethod: nil, canMakePayments: nil, password: "sésame")
        for wrong in [nil, "", "sesame"] as [String?] {
            await #expect(throws: StoreError(.unauthorized, "", "")) { try await signIn(shop, "ann", wrong) }
        }
        _ = try await signIn(shop, "ann", "sésame")
        let kept = try await shop.database.read { try $0.query("SELECT password FROM accounts", []) { try $0.text(0) } }
        #expect(kept.allSatisfy { $0.hasPrefix("scrypt$") && !$0.contains("sésame") })
    }

    @Test func `production requires a password`() async throws {
        let shop = try await TestStore.make(on: .sqliteInMemory, "Production")
        try await shop.account("ann")
        for name in ["ann", "nobody"] {
            await #expect(throws: StoreError(.unauthorized, "", "")) { try await signIn(shop, name, nil) }
        }
    }

    static let malformed: [(account: String, device: String, version: String, field: String)] = [
        ("", TestDevice.phone.id, "1", "account"),
        (String(repeating: "a", count: 255), TestDevice.phone.id, "1", "account"),
        ("a\0b", TestDevice.phone.id, "1", "account"),
        ("ann", "phone", "1", "deviceId"),
        ("ann", TestDevice.phone.id, "1\0", "applicationVersion"),
        ("ann", TestDevice.phone.id, String(repeating: "1", count: 256), "applicationVersion"),
    ]

    @Test(arguments: [Engine.sqlite, .postgres], malformed)
    func `account names are checked before anything is stored`(
        engine: Engine, malformed: (account: String, device: String, version: String, field: String)
    ) async throws {
        let shop = try await TestStore.make(on: engine)
        do {
            _ = try await shop.store.accounts.signIn(
                account: malformed.account, password: nil, deviceID: malformed.device, bundleID: TestCatalog.bundleID,
                applicationVersion: malformed.version)
            Issue.record("signed in")
        } catch let error as StoreError {
            #expect(error.code == .malformed)
            #expect(error.subject == malformed.field)
        }
        #expect(try await shop.count("accounts") == 0)
    }

    @Test func `signing in to an unknown app is refused`() async throws {
        let shop = try await TestStore.make()
        await #expect(throws: StoreError(.appNotFound, "", "")) {
            try await shop.signIn("ann", app: App.BundleID(rawValue: "com.example.none"))
        }
    }

    @Test(arguments: Engine.allCases)
    func `concurrent sign-ins create one account`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let accounts = try await withThrowingTaskGroup(of: Account.ID.self) { group in
            for _ in 0..<8 { group.addTask { try await shop.customer("ann").key.account } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(accounts.count == 1)
        #expect(try await shop.count("accounts") == 1)
    }

    @Test func `updating an account changes the given fields only`() async throws {
        let shop = try await TestStore.make()
        try await shop.account("ann", storefront: "DEU", payment: .declined, mayBuy: false)
        let changed = try await shop.store.accounts.put(
            "ann", storefront: nil, paymentMethod: .valid, canMakePayments: nil, password: nil)
        #expect(changed.storefront.rawValue == "DEU")
        #expect(changed.paymentMethod == .valid)
        #expect(!changed.canMakePayments)
        let made = try await shop.store.accounts.put(
            "ben", storefront: nil, paymentMethod: nil, canMakePayments: nil, password: nil)
        #expect(made.storefront == .usa)
        await #expect(throws: StoreError(.storefrontUnknown, "", "")) {
            try await shop.account("ann", storefront: "ATLANTIS")
        }
    }

    private func signIn(_ shop: TestStore, _ account: String, _ password: String?) async throws -> DeviceSession {
        try await shop.store.accounts.signIn(
            account: account, password: password, deviceID: TestDevice.phone.id,
            bundleID: TestCatalog.bundleID, applicationVersion: nil)
    }
}
