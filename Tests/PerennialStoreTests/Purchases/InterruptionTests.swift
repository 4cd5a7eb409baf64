import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Interrupted purchases: they fail, and arrive after the customer has acted.
struct InterruptionTests {
    private static func shop(_ engine: Engine = .sqliteInMemory) async throws -> TestStore {
        let shop = try await RenewalTests.shop(engine, kind: .sandbox)
        _ = try await shop.store.accounts.put(
            "ann", storefront: nil, paymentMethod: nil, canMakePayments: nil, password: nil, interruptsPurchases: true)
        return shop
    }

    @Test(arguments: Engine.allCases)
    func `an interrupted purchase arrives after the customer acts`(engine: Engine) async throws {
        let shop = try await Self.shop(engine)
        let refusal = try await shop.refusal(of: "monthly", as: "ann", key: "k")
        #expect(refusal.code == .purchaseInterrupted)
        // The same request gets the same answer.
        #expect(try await shop.refusal(of: "monthly", as: "ann", key: "k").code == .purchaseInterrupted)
        #expect(try await shop.journal().isEmpty)
        let waiting = try await shop.store.purchases.interruptions(bundleID: TestCatalog.bundleID)
        #expect(waiting.map(\.request.productID.rawValue) == ["monthly"])
        #expect(try await shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID).isEmpty)
        let bought = try #require(try await shop.store.purchases.resolveInterruption(waiting[0].id, completed: true))
        #expect(!bought.isFinished)
        #expect(try await shop.store.purchases.interruptions(bundleID: TestCatalog.bundleID).isEmpty)
        #expect(try await shop.store.purchases.resolveInterruption(waiting[0].id, completed: true) == nil)
        #expect(try await RenewalTests.periods(shop, of: "ann").map(\.id) == [bought.id])
    }

    @Test func `an abandoned purchase buys nothing`() async throws {
        let shop = try await Self.shop()
        _ = try await shop.refusal(of: "film.roll", as: "ann")
        let waiting = try await shop.store.purchases.interruptions(bundleID: TestCatalog.bundleID)
        #expect(try await shop.store.purchases.resolveInterruption(waiting[0].id, completed: false) == nil)
        #expect(try await shop.journal().isEmpty)
        await #expect(throws: StoreError(.approvalNotFound, "", "")) {
            try await shop.store.purchases.resolveInterruption(1, completed: true)
        }
    }

    @Test func `interruption affects its account only while switched on`() async throws {
        let shop = try await Self.shop()
        try await shop.buy("film.roll", as: "ben")
        _ = try await shop.store.accounts.put(
            "ann", storefront: nil, paymentMethod: nil, canMakePayments: nil, password: nil, interruptsPurchases: false)
        try await shop.buy("film.roll", as: "ann")
    }
}
