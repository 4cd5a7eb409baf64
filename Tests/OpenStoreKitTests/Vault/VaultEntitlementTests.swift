import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

/// Entitlements without a network.
struct VaultEntitlementTests {
    private let files = MemoryFiles()
    private static let day = Int64.days(1)

    private func entitled(_ days: Int64) -> [String] {
        VaultSamples.vault(files, now: VaultSamples.start + days * Self.day).entitlements.map {
            "\($0.productID) \($0.transactionID)"
        }
    }

    @Test func `non-consumables and non-renewing subscriptions last, consumables don't`() throws {
        try VaultSamples.vault(files).put(
            VaultSamples.payload(1), VaultSamples.payload(2, "filter", .nonConsumable),
            VaultSamples.payload(3, "pass", .nonRenewingSubscription))
        #expect(entitled(1) == ["filter 2", "pass 3"])
        #expect(entitled(4000) == ["filter 2", "pass 3"])
    }

    @Test func `a subscription ends with its period, also without a network`() throws {
        try VaultSamples.vault(files).put(
            VaultSamples.period(1, original: 1, week: 0), VaultSamples.period(2, original: 1, week: 1))
        #expect(entitled(1) == ["weekly 2"])
        let entitlement = try #require(
            VaultSamples.vault(files, now: VaultSamples.start + Self.day).entitlement(to: "weekly"))
        #expect(entitlement.expirationDate == (VaultSamples.start + 14 * Self.day).date)
        #expect(entitlement.originalTransactionID == 1)
        #expect(entitled(13) == ["weekly 2"])
        #expect(entitled(14) == [])
    }

    @Test func `a grace period is part of a subscription`() throws {
        let period = VaultSamples.period(1, original: 1, week: 0)
        try VaultSamples.vault(files).apply(
            VaultChanges(
                transactions: [VaultSamples.change(period)],
                subscriptions: [VaultSamples.status(4, of: period, grace: VaultSamples.start + 10 * Self.day)]))
        #expect(entitled(9) == ["weekly 1"])
        #expect(entitled(10) == [])
    }

    @Test(arguments: [(1, true), (2, false), (3, false), (4, true), (5, false)])
    func `the store's word on a period counts`(status: Int, isEntitled: Bool) throws {
        let period = VaultSamples.period(1, original: 1, week: 0)
        try VaultSamples.vault(files).apply(
            VaultChanges(
                transactions: [VaultSamples.change(period)], subscriptions: [VaultSamples.status(status, of: period)]))
        #expect(entitled(1) == (isEntitled ? ["weekly 1"] : []))
        // A later purchase isn't ended by the word on an earlier period.
        try VaultSamples.vault(files).put(VaultSamples.period(2, original: 1, week: 1))
        #expect(entitled(8) == ["weekly 2"])
    }

    @Test func `revoked and upgraded transactions entitle to nothing`() throws {
        var filter = VaultSamples.payload(2, "filter", .nonConsumable)
        filter.revocationDate = filter.signedDate
        var upgraded = VaultSamples.period(3, original: 3, week: 0)
        upgraded.isUpgraded = true
        try VaultSamples.vault(files).put(filter, upgraded)
        #expect(entitled(1) == [])
    }

    @Test func `a refund arrives with the store's next answer`() throws {
        var filter = VaultSamples.payload(2, "filter", .nonConsumable)
        try VaultSamples.vault(files).apply(
            VaultChanges(transactions: [VaultSamples.change(filter)], revision: "1", confirmedAt: VaultSamples.start))
        #expect(entitled(30) == ["filter 2"])
        #expect(VaultSamples.vault(files).lastConfirmed == VaultSamples.start.date)
        filter.revocationDate = filter.signedDate
        let later = VaultSamples.start + 30 * Self.day
        try VaultSamples.vault(files).apply(
            VaultChanges(transactions: [VaultSamples.change(filter)], revision: "2", confirmedAt: later))
        #expect(entitled(31) == [])
        #expect(VaultSamples.vault(files).lastConfirmed == later.date)
    }

    @Test func `an unverified transaction entitles to nothing`() throws {
        try VaultSamples.vault(files).apply(
            VaultChanges(transactions: [
                VaultSamples.change(VaultSamples.payload(2, "filter", .nonConsumable), isVerified: false)
            ]))
        #expect(entitled(1) == [])
        #expect(VaultSamples.vault(files).contents.currentEntitlements(at: VaultSamples.start).map(\.id) == [2])
    }

    @Test func `a clock that was set back extends nothing`() throws {
        try VaultSamples.vault(files).apply(
            VaultChanges(
                transactions: [VaultSamples.change(VaultSamples.period(1, original: 1, week: 0))], revision: "1",
                confirmedAt: VaultSamples.start + 8 * Self.day))
        #expect(entitled(1) == [])
    }

    @Test func `the store's clock counts, not the device's`() throws {
        // The store's clock is ten days behind the device's.
        let vault = VaultSamples.vault(files, now: VaultSamples.start + 10 * Self.day)
        try vault.apply(
            VaultChanges(
                transactions: [VaultSamples.change(VaultSamples.period(1, original: 1, week: 0))], revision: "1",
                confirmedAt: VaultSamples.start))
        #expect(entitled(10) == ["weekly 1"])
        #expect(entitled(16) == ["weekly 1"])
        #expect(entitled(17) == [])
    }

    @Test func `the time of an answer alone is written only now and then`() throws {
        let vault = VaultSamples.vault(files)
        try vault.apply(VaultChanges(revision: "1", confirmedAt: VaultSamples.start))
        let before = try files.read("vault")
        for minute in 1...14 as ClosedRange<Int64> {
            try vault.apply(VaultChanges(revision: "1", confirmedAt: VaultSamples.start + .minutes(minute)))
        }
        #expect(try files.read("vault") == before)
        #expect(vault.lastConfirmed == (VaultSamples.start + .minutes(14)).date)
        try vault.apply(VaultChanges(revision: "1", confirmedAt: VaultSamples.start + .minutes(15)))
        #expect(VaultSamples.vault(files).lastConfirmed == (VaultSamples.start + .minutes(15)).date)
    }

    // MARK: The store's time over launches

    @Test func `a clock set back after the last answer extends nothing, also after a relaunch`() throws {
        try VaultSamples.vault(files).apply(
            VaultChanges(
                transactions: [VaultSamples.change(VaultSamples.period(1, original: 1, week: 0))], revision: "1",
                confirmedAt: VaultSamples.start))
        #expect(entitled(6) == ["weekly 1"])
        #expect(entitled(8) == [])
        #expect(entitled(1) == [])
        #expect(VaultSamples.vault(files, now: VaultSamples.start).storeTime == VaultSamples.start + 8 * Self.day)
    }

    @Test func `a clock set back extends nothing before the store's first answer`() throws {
        try VaultSamples.vault(files).put(VaultSamples.period(1, original: 1, week: 0))
        #expect(entitled(8) == [])
        #expect(entitled(1) == [])
    }

    @Test func `a clock set back while the app runs extends nothing`() throws {
        let clock = Mutex(VaultSamples.start)
        var dependencies = DeviceDependencies.test()
        dependencies.now = { clock.withLock { $0 } }
        let vault = PurchaseVault(owner: VaultSamples.owner, files: files, dependencies: dependencies)
        try vault.put(VaultSamples.period(1, original: 1, week: 0))
        #expect(vault.entitlement(to: "weekly") != nil)
        // Less than what is written by itself.
        clock.withLock { $0 = VaultSamples.start + .minutes(5) }
        #expect(vault.storeTime == VaultSamples.start + .minutes(5))
        clock.withLock { $0 = VaultSamples.start }
        #expect(vault.storeTime == VaultSamples.start + .minutes(5))
    }

    @Test func `the store's next answer corrects a clock that was ahead`() throws {
        let period = VaultSamples.change(VaultSamples.period(1, original: 1, week: 0))
        try VaultSamples.vault(files).apply(
            VaultChanges(transactions: [period], revision: "1", confirmedAt: VaultSamples.start))
        #expect(entitled(400) == [])
        try VaultSamples.vault(files, now: VaultSamples.start + Self.day).apply(
            VaultChanges(revision: "1", confirmedAt: VaultSamples.start + Self.day))
        #expect(entitled(2) == ["weekly 1"])
    }

    // MARK: Non-renewing subscriptions

    @Test func `a non-renewing subscription ends with its term where that is known`() throws {
        try VaultSamples.vault(files).put(
            VaultSamples.payload(1, "pass.1week", .nonRenewingSubscription, at: VaultSamples.start),
            VaultSamples.payload(2, "pass", .nonRenewingSubscription, at: VaultSamples.start))
        func entitlements(_ days: Int64) -> [PurchaseVault.Entitlement] {
            VaultSamples.vault(files, now: VaultSamples.start + days * Self.day, nonRenewingTerms: .init()).entitlements
        }
        #expect(entitlements(6).map(\.productID) == ["pass.1week", "pass"])
        #expect(entitlements(6).map(\.expirationDate) == [(VaultSamples.start + 7 * Self.day).date, nil])
        #expect(entitlements(7).map(\.productID) == ["pass"])
    }
}
