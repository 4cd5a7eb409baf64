import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

/// A proxy that repeats an earlier answer of the store, whose signatures are valid.
struct ReplayTests {
    private let files = MemoryFiles()

    private func refunded(_ payload: TransactionPayload) -> TransactionPayload {
        var refunded = payload
        refunded.signedDate += 60
        refunded.revocationDate = refunded.signedDate
        return refunded
    }

    @Test func `a replayed page undoes no refund, and brings what is new`() throws {
        let vault = VaultSamples.vault(files)
        let atlas = VaultSamples.payload(1, "atlas", .nonConsumable)
        try vault.apply(VaultChanges(transactions: [VaultSamples.change(atlas)], revision: "1"))
        try vault.apply(VaultChanges(transactions: [VaultSamples.change(refunded(atlas))], revision: "2"))
        let delta = try vault.apply(
            VaultChanges(
                transactions: [VaultSamples.change(atlas), VaultSamples.change(VaultSamples.payload(2))],
                revision: "3"))
        #expect(delta.replayed == [1])
        #expect(delta.added.map(\.id) == [2] && delta.changed.isEmpty)
        #expect(vault.contents.transaction(1)?.revocationDate != nil)
        #expect(vault.entitlements.isEmpty)
        // The next request asks for the same changes again.
        #expect(vault.contents.revision == "2")
        #expect(VaultSamples.vault(files).contents.transactions.map(\.revocationDate).first != .some(nil))
        // A refund that is reversed is signed later.
        var reversed = refunded(atlas)
        reversed.signedDate += 60
        reversed.revocationDate = nil
        let later = try vault.apply(VaultChanges(transactions: [VaultSamples.change(reversed)], revision: "3"))
        #expect(later.replayed.isEmpty && later.changed.map(\.id) == [1])
        #expect(vault.entitlements.map(\.productID) == ["atlas"])
    }

    @Test func `a replayed whole list removes nothing`() throws {
        let vault = VaultSamples.vault(files)
        let atlas = VaultSamples.payload(1, "atlas", .nonConsumable)
        try vault.apply(
            VaultChanges(
                transactions: [
                    VaultSamples.change(refunded(atlas)),
                    VaultSamples.change(VaultSamples.payload(2, "filter", .nonConsumable)),
                ],
                revision: "2"))
        let delta = try vault.apply(
            VaultChanges(transactions: [VaultSamples.change(atlas)], revision: "1", isComplete: true))
        #expect(delta.replayed == [1] && delta.removed.isEmpty)
        #expect(vault.entitlements.map(\.productID) == ["filter"])
    }

    @Test func `an older signature of the same facts is no replay`() throws {
        let vault = VaultSamples.vault(files)
        let atlas = VaultSamples.payload(1, "atlas", .nonConsumable)
        var again = atlas
        again.signedDate += 60
        try vault.apply(VaultChanges(transactions: [VaultSamples.change(again)], revision: "1"))
        let delta = try vault.apply(VaultChanges(transactions: [VaultSamples.change(atlas)], revision: "2"))
        #expect(delta.isEmpty && delta.replayed.isEmpty)
        #expect(vault.contents.revision == "2")
        #expect(vault.contents.transaction(1)?.signedDate == VaultSamples.start + 60_001)
    }

    @Test func `a date that isn't proven holds nothing up`() throws {
        let vault = VaultSamples.vault(files)
        let atlas = VaultSamples.payload(1, "atlas", .nonConsumable)
        var forged = atlas
        forged.signedDate = .distantFuture
        forged.revocationDate = atlas.signedDate
        try vault.apply(
            VaultChanges(transactions: [VaultSamples.change(forged, isVerified: false)], revision: "1"))
        let delta = try vault.apply(VaultChanges(transactions: [VaultSamples.change(atlas)], revision: "2"))
        #expect(delta.changed.map(\.id) == [1] && delta.replayed.isEmpty)
        #expect(vault.entitlements.map(\.productID) == ["atlas"])
    }

    @Test func `a replayed status undoes no later one, and no later renewal`() throws {
        let vault = VaultSamples.vault(files, now: VaultSamples.start + .days(8))
        let first = VaultSamples.period(1, original: 1, week: 0)
        let renewal = VaultSamples.period(2, original: 1, week: 1)
        func page(_ revision: String, _ status: Int, _ period: TransactionPayload) throws -> VaultChanges {
            VaultChanges(
                transactions: [VaultSamples.change(period)],
                subscriptions: [try VaultSamples.status(status, of: period)], revision: revision,
                confirmedAt: Instant(period.signedDate))
        }
        try vault.apply(page("1", 1, first))
        try vault.apply(page("2", 1, renewal))
        var cancelled = renewal
        cancelled.signedDate += 60
        cancelled.revocationDate = cancelled.signedDate
        try vault.apply(page("3", 5, cancelled))
        let confirmed = vault.contents.confirmedAt
        for (old, id) in [(renewal, [2, 1] as [UInt64]), (first, [1])] {
            let delta = try vault.apply(page("9", 1, old))
            #expect(delta.replayed == id)
            #expect(delta.subscriptions.isEmpty && delta.changed.isEmpty)
        }
        #expect(vault.contents.subscription(originalID: 1)?.status == 5)
        #expect(vault.contents.revision == "3")
        #expect(vault.contents.confirmedAt == confirmed)
        #expect(vault.entitlements.isEmpty)
    }

    @Test func `an answer that is repeated doesn't set the store's clock back`() throws {
        let now = Mutex(VaultSamples.start)
        var dependencies = DeviceDependencies.test()
        dependencies.now = { now.withLock { $0 } }
        let vault = PurchaseVault(owner: VaultSamples.owner, files: files, dependencies: dependencies)
        let week = VaultSamples.period(1, original: 1, week: 0)
        let page = VaultChanges(
            transactions: [VaultSamples.change(week)], revision: "1", confirmedAt: VaultSamples.start)
        try vault.apply(page)
        #expect(vault.entitlements.count == 1)
        now.withLock { $0 = $0 + .days(8) }
        try vault.apply(VaultChanges(revision: "2", confirmedAt: VaultSamples.start + .days(8)))
        try vault.apply(page)
        #expect(vault.entitlements.isEmpty)
        // A store that was emptied begins at its own time.
        try vault.apply(VaultChanges(revision: "a", isComplete: true, confirmedAt: VaultSamples.start))
        #expect(vault.contents.confirmedAt == VaultSamples.start)
    }

    @Test func `a repeated answer fails a synchronization, and the next one is right`() async throws {
        let store = try SignedStore()
        let proxy = RepeatingProxy(store)
        let device = try Device()
        let connection = try device.signedConnection(
            proxy, roots: [Data(SignedStore.identities.rootCertificate)], clock: .init(SignedStore.start))
        store.put(.sold(1, "atlas"))
        await connection.synchronize()
        #expect(connection.vault.entitlements.map(\.productID) == ["atlas"])
        store.put(refunded(.sold(1, "atlas")))
        await connection.synchronize()
        #expect(connection.vault.entitlements.isEmpty)
        proxy.isRepeating.withLock { $0 = true }
        store.put(.sold(2, "globe"))
        let asked = store.count("GET /store/v1/changes")
        await connection.synchronize()
        #expect(connection.vault.entitlements.isEmpty)
        #expect(connection.transactionSync.isOffline)
        #expect(store.count("GET /store/v1/changes") <= asked + 3)
        proxy.isRepeating.withLock { $0 = false }
        await connection.synchronize()
        #expect(!connection.transactionSync.isOffline)
        #expect(connection.vault.entitlements.map(\.productID) == ["globe"])
    }
}

/// Passes requests on, and repeats the first answer about changes when it is told to.
private final class RepeatingProxy: Transport {
    private let store: SignedStore
    private let first = Mutex<HTTPAnswer?>(nil)
    let isRepeating = Mutex(false)

    init(_ store: SignedStore) {
        self.store = store
    }

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        let answer = try await store.send(call, maximumBytes: maximumBytes)
        guard call.url.path == "/store/v1/changes" else { return answer }
        let recorded = first.withLock { first in
            first = first ?? answer
            return first
        }
        return isRepeating.withLock { $0 } ? recorded ?? answer : answer
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer { try await store.stream(call) }
}
