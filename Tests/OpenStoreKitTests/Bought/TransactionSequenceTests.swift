import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Testing

@Suite struct TransactionSequenceTests {
    @Test func historyIsNewestFirstWithoutFinishedConsumables() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "atlas"), isFinished: true)
        fixture.store.put(.sold(2, "coins", .consumable, at: SignedStore.start + 1000), isFinished: true)
        fixture.store.put(.sold(3, "gems", .consumable, at: SignedStore.start + 2000))
        fixture.store.put(
            .sold(4, "pearls", .consumable, at: SignedStore.start + 3000) {
                $0.revocationDate = SignedStore.start.date
            }, isFinished: true)
        #expect(await fixture.products(Transaction.all) == ["pearls", "gems", "atlas"])
        #expect(await fixture.products(Transaction.all(for: "atlas")) == ["atlas"])
        #expect(await fixture.products(Transaction.all(for: "coins")).isEmpty)
        #expect(await fixture.products(Transaction.unfinished) == ["gems"])
        try await fixture.run {
            #expect(await Transaction.latest(for: "gems")?.unsafePayloadValue.id == 3)
            #expect(await Transaction.latest(for: "coins") == nil)
            #expect(await Transaction.latest(for: "unknown") == nil)
        }
    }

    @Test func entitlementsAreWhatTheCustomerHasNow() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "atlas"), isFinished: true)
        fixture.store.put(.sold(2, "coins", .consumable))
        fixture.store.put(.sold(3, "pass", .nonRenewingSubscription), isFinished: true)
        fixture.store.put(.sold(4, "globe") { $0.revocationDate = SignedStore.start.date }, isFinished: true)
        fixture.store.put(.period(5), isFinished: true)
        fixture.store.put(.period(6, original: 5, from: SignedStore.start + .days(30)), isFinished: true)
        fixture.store.put(.period(7, product: "weekly") { $0.expiresDate = SignedStore.start.date }, isFinished: true)
        fixture.store.put(.renewal(of: 5), group: "news", status: 1)
        fixture.store.put(.renewal(of: 7, product: "weekly", isOn: false), group: "news", status: 2)
        #expect(await fixture.products(Transaction.currentEntitlements) == ["atlas", "pass", "monthly"])
        #expect(await fixture.products(Transaction.currentEntitlements(for: "atlas")) == ["atlas"])
        try await fixture.run {
            #expect(await Transaction.currentEntitlement(for: "monthly")?.unsafePayloadValue.id == 6)
            #expect(await Transaction.currentEntitlement(for: "weekly") == nil)
            #expect(await Transaction.latest(for: "weekly")?.unsafePayloadValue.id == 7)
        }
    }

    @Test func aRefundRemovesTheEntitlementAfterSynchronization() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "atlas"), isFinished: true)
        #expect(await fixture.products(Transaction.currentEntitlements) == ["atlas"])
        fixture.store.revoke(1)
        // Known for less than half a minute.
        #expect(await fixture.products(Transaction.currentEntitlements) == ["atlas"])
        fixture.connection.invalidate()
        #expect(await fixture.products(Transaction.currentEntitlements).isEmpty)
    }

    @Test func anOldAnswerOfTheStoreIsRenewedByTheNextRead() async throws {
        let fixture = try BoughtFixture()
        #expect(await fixture.products(Transaction.all).isEmpty)
        fixture.store.put(.sold(1, "atlas"))
        fixture.clock.now = SignedStore.start + .minutes(1)
        #expect(await fixture.products(Transaction.all) == ["atlas"])
    }

    @Test func aPeriodEndsByTheStoresClockAndNotTheDevices() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.period(5), isFinished: true)
        fixture.store.put(.renewal(of: 5), group: "news", status: 1)
        // The device is a year ahead of the store.
        fixture.clock.now = SignedStore.start + .days(365)
        #expect(await fixture.products(Transaction.currentEntitlements) == ["monthly"])
    }

    @Test func unverifiedTransactionsAreMarked() async throws {
        let fixture = try BoughtFixture()
        let other = try SignedStore(signer: JWSSigner(identities: SignedStore.otherIdentities))
        fixture.store.put(.sold(1, "atlas"), forged: try other.signed(.sold(1, "atlas")))
        fixture.store.put(.sold(2, "globe"))
        #expect(Set(await fixture.products(Transaction.all)) == ["atlas?", "globe"])
        // Also after a relaunch, from the vault.
        let relaunched = try BoughtFixture(store: fixture.store, device: fixture.device)
        relaunched.store.set { $0.isOffline = true }
        #expect(Set(await relaunched.products(Transaction.all)) == ["atlas?", "globe"])
    }

    @Test func aLongListComesInPages() async throws {
        let fixture = try BoughtFixture()
        fixture.store.set { $0.pageSize = 3 }
        for id in 1...10 { fixture.store.put(.sold(UInt64(id), "issue\(id)", at: SignedStore.start + Int64(id))) }
        #expect(await fixture.products(Transaction.all) == (1...10).reversed().map { "issue\($0)" })
        #expect(fixture.store.count("GET /store/v1/changes") == 4)
    }

    @Test func anEmptiedStoreIsForgotten() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "atlas"))
        fixture.store.put(.period(5))
        fixture.store.put(.renewal(of: 5), group: "news", status: 1)
        #expect(await fixture.products(Transaction.all).count == 2)
        fixture.store.clear()
        fixture.store.put(.sold(9, "globe"))
        await fixture.connection.synchronize()
        #expect(await fixture.products(Transaction.all) == ["globe"])
        try await fixture.run {
            let statuses = try await Product.SubscriptionInfo.status(for: "news")
            #expect(statuses.isEmpty)
            #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "news"))
        }
    }
}
