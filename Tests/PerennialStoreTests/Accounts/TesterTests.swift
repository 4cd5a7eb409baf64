import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Sandbox testers and the clearing of their purchase histories.
struct TesterTests {
    @Test(arguments: Engine.allCases)
    func `a cleared tester can buy everything again`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine, app: TestCatalog.magazineWithOffers)
        let signedIn = try await shop.signIn("ann")
        try await shop.buyAndFinish("filter.amber", as: "ann")
        let first = try await shop.buy("monthly", as: "ann")
        #expect(first.offer?.kind == .introductory)
        let tester = try await shop.store.testers.tester(named: "ann")
        let transactions = try await shop.count("transactions")
        let postings = try await shop.sumOfPostings()

        try await shop.store.testers.clearPurchaseHistories(of: [tester.id])

        #expect(try await shop.restore("ann").isEmpty)
        let again = try await shop.buy("monthly", as: "ann")
        #expect(again.offer?.kind == .introductory)
        let after = try await shop.store.testers.tester(named: "ann")
        #expect(after.id == tester.id)
        #expect(after.account.id != tester.account.id)
        // The device stays signed in, now as the new account.
        let customer = try await shop.store.accounts.customer(token: signedIn.token)
        #expect(customer.key.account == after.account.id)
        // What was bought before is still there for journal and reports.
        #expect(try await shop.count("transactions") == transactions + 1)
        #expect(try await shop.sumOfPostings() == postings)
        let old = try await shop.store.subscriptions.snapshot(of: first.originalID)
        guard case .expired = old.subscription.state else {
            Issue.record("the subscription of the old account is \(old.subscription.state)")
            return
        }
    }

    @Test(arguments: Engine.allCases)
    func `users of some apps are listed in pages`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        for number in 1...5 { try await shop.account("other\(number)") }
        for number in 1...3 { _ = try await shop.signIn("user\(number)") }
        let (testers, app) = (shop.store.testers, TestCatalog.magazine().appleID)
        let first = try await testers.page(after: "", limit: 2, usersOf: [app, 1])
        #expect(first.testers.map(\.account.name) == ["user1", "user2"] && first.next == "user2")
        let second = try await testers.page(after: first.next ?? "", limit: 2, usersOf: [app])
        #expect(second.testers.map(\.account.name) == ["user3"] && second.next == nil)
        #expect(try await testers.page(after: "", limit: 2, usersOf: []).testers.isEmpty)
        #expect(try await shop.store.accounts.isUser("user1", ofAnyOf: [app]))
        for name in ["other1", "none"] { #expect(try await !shop.store.accounts.isUser(name, ofAnyOf: [app])) }
    }

    @Test func `a cleared tester keeps settings, and is listed once`() async throws {
        let shop = try await TestStore.make()
        _ = try await shop.store.accounts.put(
            "ann", storefront: Storefront(rawValue: "DEU"), paymentMethod: nil, canMakePayments: nil,
            password: "secret",
            interruptsPurchases: true, renewalRate: .monthlyRenewalEveryHour)
        _ = try await shop.store.testers.rename("ann", firstName: "Ann", lastName: "Able")
        let tester = try await shop.store.testers.tester(named: "ann")
        for _ in 1...2 { try await shop.store.testers.clearPurchaseHistories(of: [tester.id]) }

        let testers = try await shop.store.testers.list(limit: 10).items
        let found = try #require(testers.first)
        #expect(testers.count == 1 && found.id == tester.id)
        #expect(found.firstName == "Ann" && found.lastName == "Able")
        #expect(found.account.storefront.rawValue == "DEU" && found.account.interruptsPurchases)
        #expect(found.account.renewalRate == .monthlyRenewalEveryHour)
        #expect(found.renewalRateName == "MONTHLY_RENEWAL_EVERY_ONE_HOUR")
        #expect(try await shop.store.accounts.list(limit: 10).items.count == 3)
        let session = try await shop.store.accounts.signIn(
            account: "ann", password: "secret", deviceID: TestDevice.phone.id, bundleID: TestCatalog.bundleID,
            applicationVersion: nil)
        #expect(session.account.id == found.account.id)
    }

    @Test func `nothing is cleared if one of the testers can't be`() async throws {
        let shop = try await TestStore.make()
        try await shop.buyAndFinish("filter.amber", as: "ann")
        _ = try await shop.store.families.make(organizer: "olivia", members: ["ben"])
        let ann = try await shop.store.testers.tester(named: "ann")
        let ben = try await shop.store.testers.tester(named: "ben")
        let cases: [(Int64, CatalogEditError.Code)] = [(ben.id, .state), (1, .relationshipInvalid)]
        for (id, code) in cases {
            await #expect {
                try await shop.store.testers.clearPurchaseHistories(of: [ann.id, id])
            } throws: {
                ($0 as? CatalogEditError)?.code == code
            }
        }
        #expect(try await shop.restore("ann").count == 1)
    }

    @Test func `purchases of Production can't be cleared`() async throws {
        let shop = try await TestStore.make()
        let production = try await shop.environment("Production")
        await #expect(throws: CatalogEditError.self) {
            try await production.store.testers.clearPurchaseHistories(of: [1])
        }
        #expect(try await production.store.storeOfTesters().environment.id == .sandbox)
    }
}
