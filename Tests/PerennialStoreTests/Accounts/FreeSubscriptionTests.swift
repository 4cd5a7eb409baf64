import AppStoreFormats
import Foundation
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Free subscriptions: on all devices of the account, without expiry, until the app is removed from the last one.
struct FreeSubscriptionTests {
    @Test(arguments: Engine.allCases)
    func `a free subscription lives while any device has the app`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let phone = try await shop.signIn("ann")
        let tablet = try await shop.signIn("ann", device: .tablet)
        let other = try await shop.signIn("ben")
        let sold = try await shop.buyAndFinish("newsletter", as: "ann")
        shop.clock.advance(by: .days(4000))
        #expect(try await current(sold, phone.customer, shop).expiresDate == nil)
        #expect(try await shop.restore("ann").map(\.original.id) == [sold.id])

        try await shop.store.accounts.uninstall(phone.customer)
        #expect(try await current(sold, phone.customer, shop).expiresDate == nil)
        try await shop.store.accounts.uninstall(other.customer)
        #expect(try await current(sold, phone.customer, shop).expiresDate == nil)

        try await shop.store.accounts.uninstall(tablet.customer)
        let ended = try await current(sold, phone.customer, shop)
        #expect(ended.expiresDate == shop.clock.now.wholeSeconds)
        #expect(try await shop.journal().last?.entry.kind == .freeSubscriptionEnded)
        #expect(try await shop.restore("ann").isEmpty)
        let listed = try #require(try await shop.readReceipt(of: "ann").purchases.first)
        #expect(listed.expiresDate == shop.clock.now.wholeSeconds.date)
    }

    @Test func `an uninstalled device's token is refused until the next sign-in`() async throws {
        let shop = try await TestStore.make()
        let phone = try await shop.signIn("ann")
        try await shop.buy("newsletter", as: "ann")
        try await shop.store.accounts.uninstall(phone.customer)
        await #expect(throws: StoreError(.unauthorized, "", "")) {
            try await shop.store.accounts.customer(token: phone.token)
        }
        // A repeated uninstall changes nothing.
        let entries = try await shop.journal().count
        try await shop.store.accounts.uninstall(phone.customer)
        #expect(try await shop.journal().count == entries)
        let again = try await shop.signIn("ann")
        let second = try await shop.buy("newsletter", as: "ann")
        #expect(second.originalID == second.id)
        #expect(try await current(second, again.customer, shop).expiresDate == nil)
    }

    @Test(arguments: Engine.allCases)
    func `two concurrent uninstalls end a free subscription once`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let customers = try await [
            shop.signIn("ann").customer, shop.signIn("ann", device: .tablet).customer,
            shop.signIn("ann", device: .watch).customer,
        ]
        let sold = try await shop.buy("newsletter", as: "ann")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for customer in customers { group.addTask { try await shop.store.accounts.uninstall(customer) } }
            try await group.waitForAll()
        }
        #expect(try await current(sold, customers[0], shop).expiresDate != nil)
        #expect(try await shop.journal().map(\.entry.kind) == [.purchased, .freeSubscriptionEnded])
    }

    @Test func `other purchases outlive the last device's uninstall`() async throws {
        let shop = try await TestStore.make()
        let phone = try await shop.signIn("ann")
        let filter = try await shop.buyAndFinish("filter.amber", as: "ann")
        try await shop.store.accounts.uninstall(phone.customer)
        #expect(try await shop.restore("ann").map(\.original.id) == [filter.id])
    }

    private func current(_ transaction: Transaction, _ customer: Customer, _ shop: TestStore) async throws
        -> Transaction
    {
        try await shop.store.transactions.transaction(transaction.id, of: customer)
    }
}
