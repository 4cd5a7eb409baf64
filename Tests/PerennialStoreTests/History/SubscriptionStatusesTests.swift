import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Subscription statuses, on every engine.
struct SubscriptionStatusesTests {
    @Test(arguments: Engine.allCases)
    func `statuses come by group with newest period and renewal info`(
        engine: Engine
    ) async throws {
        let shop = try await TestStore.make(on: engine)
        let seller = try await Seller(of: shop)
        let monthly = try await shop.buy("monthly", as: "ann")
        let family = try await shop.buy("family.monthly", as: "ann")
        let roll = try await shop.buy("film.roll", as: "ann")
        try await shop.buy("monthly", as: "ben")
        try await shop.advance(by: .minutes(6))
        let statuses = try await shop.store.history.subscriptionStatuses(ofCustomerOf: roll.id, [], for: seller.caller)
        #expect(statuses.groups.map(\.id) == ["magazine", "family"])
        let items = statuses.groups.map(\.items)
        #expect(items.map { $0.map(\.originalTransactionID) } == [[monthly.id], [family.id]])
        for (item, bought) in zip(items.compactMap(\.first), [monthly, family]) {
            #expect(item.status == .active)
            let transaction = try seller.payload(item.signedTransaction)
            #expect(transaction.originalTransactionId == bought.id.description)
            #expect(transaction.transactionId != bought.id.description)
            #expect(transaction.transactionReason == .renewal)
            let renewal = try seller.renewalInfo(item.signedRenewalInfo)
            #expect(renewal.originalTransactionId == bought.id.description)
            let download = AppTransactionID(account: bought.accountID, app: TestCatalog.magazine().appleID)
            #expect(transaction.appTransactionId == download.description)
            #expect(renewal.appTransactionId == download.description)
        }
    }

    @Test func `statuses can be filtered by each value`() async throws {
        let shop = try await TestStore.make()
        let seller = try await Seller(of: shop)
        let active = try await shop.buy("monthly", as: "active")
        let expired = try await shop.buy("monthly", as: "expired")
        _ = try await shop.store.subscriptions.perform(.expire, on: expired.id)
        let retrying = try await shop.buy("monthly", as: "retrying")
        try await shop.account("retrying", payment: .declined)
        let revoked = try await shop.buy("monthly", as: "revoked")
        try await shop.refund(revoked)
        try await shop.advance(by: .minutes(6))
        let expected: [(Transaction, SubscriptionStatus)] = [
            (active, .active), (expired, .expired), (retrying, .billingRetry), (revoked, .revoked),
        ]
        for (sold, status) in expected {
            for wanted in SubscriptionStatus.allCases {
                let found = try await shop.store.history.subscriptionStatuses(
                    ofCustomerOf: sold.id, [wanted], for: seller.caller)
                #expect(found.groups.flatMap(\.items).map(\.status) == (wanted == status ? [status] : []))
            }
        }
        let several = try await shop.store.history.subscriptionStatuses(
            ofCustomerOf: revoked.id, [.active, .revoked], for: seller.caller)
        #expect(several.groups.map(\.id) == ["magazine"])
    }

    @Test func `a family member's subscription has its own status`() async throws {
        let shop = try await TestStore.make()
        let seller = try await Seller(of: shop)
        _ = try await shop.customer("ann")
        _ = try await shop.customer("ben")
        _ = try await shop.store.families.make(organizer: "ann", members: ["ben"])
        let sold = try await shop.buy("family.monthly", as: "ann")
        let ben = try await shop.customer("ben")
        let download = AppTransactionID(account: ben.key.account, app: ben.key.app)
        let found = try await shop.store.history.subscriptionStatuses(
            ofCustomerOf: TransactionID(rawValue: download.rawValue), [], for: seller.caller)
        let item = try #require(found.groups.first?.items.first)
        #expect(item.originalTransactionID != sold.id)
        #expect(try seller.payload(item.signedTransaction).inAppOwnershipType == .familyShared)
    }
}
