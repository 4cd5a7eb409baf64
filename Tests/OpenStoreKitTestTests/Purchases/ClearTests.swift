import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Clearing a session")
struct ClearTests {
    @Test("Nothing is left, finished or not")
    func clear() async throws {
        try await Fixtures.withSession { session in
            try await session.buyProduct(identifier: Fixtures.film)
            await (try await session.buyProduct(identifier: Fixtures.silver)).finish()
            try await session.buyProduct(identifier: Fixtures.monthly)
            session.clearTransactions()
            #expect(session.allTransactions().isEmpty)
            for await _ in Transaction.all { Issue.record("a transaction is left") }
            for await _ in Transaction.unfinished { Issue.record("an unfinished transaction is left") }
            for await _ in Transaction.currentEntitlements { Issue.record("an entitlement is left") }
            #expect(try await Product.SubscriptionInfo.status(for: Fixtures.group).isEmpty)
            #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: Fixtures.group))
        }
    }

    @Test("Properties stay, and the next purchase works as the first did")
    func again() async throws {
        try await Fixtures.withSession { session in
            session.storefront = "DEU"
            session.interruptedPurchasesEnabled = true
            session.clearTransactions()
            #expect(session.storefront == "DEU")
            await #expect(throws: SKTestError.self) { try await session.buyProduct(identifier: Fixtures.film) }
            session.interruptedPurchasesEnabled = false
            let bought = try await session.buyProduct(identifier: Fixtures.silver)
            #expect(bought.storefront.countryCode == "DEU")
        }
    }

    @Test("Balances go, and what was credited before stays gone")
    func balances() async throws {
        try await Fixtures.withSession { session in
            let vault = session.connection.vault
            let first = try await session.buyProduct(identifier: Fixtures.film)
            #expect(try vault.credit(24, to: "pictures", for: first.id))
            try vault.spend(4, from: "pictures")
            #expect(vault.balance("pictures").available == 20)
            session.clearTransactions()
            #expect(vault.balance("pictures") == PurchaseVault.Balance(credited: 0, revoked: 0, spent: 0))
            let second = try await session.buyProduct(identifier: Fixtures.film)
            #expect(try vault.credit(24, to: "pictures", for: second.id))
            #expect(vault.balance("pictures").available == 24)
        }
    }

    @Test("A reset changes no transactions")
    func reset() async throws {
        try await Fixtures.withSession { session in
            let bought = try await session.buyProduct(identifier: Fixtures.silver)
            session.resetToDefaultState()
            #expect(session.allTransactions().map(\.identifier) == [UInt(bought.id)])
        }
    }
}
