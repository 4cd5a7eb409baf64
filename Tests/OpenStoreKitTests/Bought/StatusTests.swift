import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Testing

@Suite struct StatusTests {
    private func subscribed(_ status: Int = 1, change: (inout RenewalInfoPayload) -> Void = { _ in }) throws
        -> BoughtFixture
    {
        let fixture = try BoughtFixture()
        fixture.store.put(.period(5) { $0.offerType = .introductory }, isFinished: true)
        fixture.store.put(.renewal(of: 5, change: change), group: "news", status: status)
        return fixture
    }

    @Test(arguments: [
        (1, SubscriptionRenewalState.subscribed), (2, .expired), (3, .inBillingRetryPeriod),
        (4, .inGracePeriod), (5, .revoked),
    ])
    func statesAreTheServerAPIs(_ number: Int, _ state: SubscriptionRenewalState) async throws {
        let fixture = try subscribed(number)
        try await fixture.run {
            let statuses = try await Product.SubscriptionInfo.status(for: "news")
            #expect(statuses.map(\.state) == [state])
            let status = try await Product.SubscriptionInfo.status(transactionID: 5)
            #expect(status?.state == state)
            let other = try await Product.SubscriptionInfo.status(for: "other")
            #expect(other.isEmpty)
        }
    }

    @Test func theRenewalHasThePayloadsValues() async throws {
        let renewal = (SignedStore.start + .days(30)).date
        let fixture = try subscribed { payload in
            payload.autoRenewProductId = "yearly"
            payload.renewalDate = renewal
            payload.renewalPrice = 49_990
            payload.currency = "USD"
            payload.priceIncreaseStatus = .pending
            payload.eligibleWinBackOfferIds = ["back"]
            payload.recentSubscriptionStartDate = SignedStore.start.date
        }
        let info = try await fixture.run {
            try #require(await Product.SubscriptionInfo.status(for: "news").first).renewalInfo.payloadValue
        }
        #expect(info.originalTransactionID == 5 && info.currentProductID == "monthly")
        #expect(info.willAutoRenew && info.autoRenewPreference == "yearly")
        #expect(info.renewalDate == renewal && info.renewalPrice == Decimal(string: "49.99"))
        #expect(info.currency?.identifier == "USD" && info.priceIncreaseStatus == .pending)
        #expect(info.eligibleWinBackOfferIDs == ["back"] && !info.isInBillingRetry)
        #expect(info.expirationReason == nil && info.gracePeriodExpirationDate == nil)
        #expect(info.recentSubscriptionStartDate == SignedStore.start.date && info.environment == .xcode)
    }

    @Test func aSubscriptionThatEndsHasAReasonAndNoPreference() async throws {
        let fixture = try subscribed(2) { payload in
            payload.autoRenewStatus = .off
            payload.expirationIntent = .priceIncrease
        }
        let info = try await fixture.run {
            try #require(await Product.SubscriptionInfo.status(for: "news").first).renewalInfo.payloadValue
        }
        #expect(info.autoRenewPreference == nil && info.expirationReason == .didNotConsentToPriceIncrease)
        #expect(info.priceIncreaseStatus == .noIncreasePending)
    }

    @Test func anIntroductoryOfferIsUsedOnce() async throws {
        let fixture = try subscribed()
        try await fixture.run {
            #expect(await !Product.SubscriptionInfo.isEligibleForIntroOffer(for: "news"))
            #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "comics"))
        }
    }

    @Test func allStatusesComeByGroup() async throws {
        let fixture = try subscribed()
        fixture.store.put(.period(8) { $0.subscriptionGroupIdentifier = "comics" })
        fixture.store.put(.renewal(of: 8), group: "comics", status: 4)
        let groups = try await fixture.run {
            var groups: [String] = []
            for await (groupID, statuses) in Product.SubscriptionInfo.Status.all {
                groups.append("\(groupID) \(statuses.map(\.state.rawValue))")
            }
            return groups
        }
        #expect(groups == ["comics [4]", "news [1]"])
    }

    @Test func aStoreThatNeverAnsweredIsANetworkError() async throws {
        let fixture = try BoughtFixture()
        fixture.store.set { $0.isOffline = true }
        try await fixture.run {
            _ = await #expect(throws: StoreKitError.self) { try await Product.SubscriptionInfo.status(for: "news") }
        }
    }

    @Test func anImportedBackupHasStatusesWithoutTheStore() async throws {
        let fixture = try subscribed()
        await fixture.connection.synchronize()
        let backup = try fixture.connection.vault.exportBackup(passphrase: "orchard", rounds: 3)
        let other = try BoughtFixture(store: fixture.store)
        fixture.store.set { $0.isOffline = true }
        try other.connection.vault.importBackup(backup, passphrase: "orchard")
        try await other.run {
            let statuses = try await Product.SubscriptionInfo.status(for: "news")
            #expect(statuses.map(\.state) == [.subscribed])
            let status = try await Product.SubscriptionInfo.status(transactionID: 5)
            #expect(status?.state == .subscribed)
            // What else the customer has used isn't known.
            #expect(await !Product.SubscriptionInfo.isEligibleForIntroOffer(for: "other"))
        }
    }

    @Test func withoutTheStoreASubscriptionEndsWithItsPeriod() async throws {
        let fixture = try subscribed()
        await fixture.connection.synchronize()
        fixture.store.set { $0.isOffline = true }
        fixture.clock.now = SignedStore.start + .days(29)
        #expect(await fixture.products(Transaction.currentEntitlements) == ["monthly"])
        fixture.clock.now = SignedStore.start + .days(31)
        #expect(await fixture.products(Transaction.currentEntitlements).isEmpty)
        try await fixture.run {
            let statuses = try await Product.SubscriptionInfo.status(for: "news")
            #expect(statuses.map(\.state) == [.expired])
        }
    }

    @Test func aSimulatedErrorIsThrown() async throws {
        let fixture = try subscribed()
        fixture.connection.simulatedErrors.set(StoreKitError.unknown, for: .subscriptionStatus)
        try await fixture.run {
            await #expect(throws: StoreKitError.self) { try await Product.SubscriptionInfo.status(for: "news") }
            fixture.connection.simulatedErrors.removeAll()
            let statuses = try await Product.SubscriptionInfo.status(for: "news")
            #expect(statuses.count == 1)
        }
    }
}
