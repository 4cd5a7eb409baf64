import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Testing

/// Signed transactions, over changes and launches.
struct VaultChangesTests {
    private let files = MemoryFiles()

    @Test func `signed texts are given back byte by byte after a launch`() throws {
        let first = VaultSamples.vault(files)
        let signed = VaultSamples.jws(VaultSamples.payload(1))
        // Another spelling of the last character: a text that its decoded parts don't give back.
        let odd = String(VaultSamples.jws(VaultSamples.payload(2)).dropLast()) + "x"
        let delta = try first.apply(
            VaultChanges(
                transactions: [signed, odd].map {
                    VaultChanges.Transaction(signed: $0, isFinished: false, isVerified: true)
                },
                revision: "r1"))
        #expect(delta.added.map(\.id) == [1, 2])
        let second = VaultSamples.vault(files)
        #expect(second.condition == .intact)
        #expect(second.contents.transactions.map(\.jws) == [signed, odd])
        #expect(second.contents.transactions == first.contents.transactions)
        #expect(second.contents.revision == "r1")
        #expect(try second.contents.transaction(1)?.decoded() == VaultSamples.payload(1))
    }

    @Test func `all facts survive a launch`() throws {
        var payload = VaultSamples.period(3, original: 2, week: 1)
        payload.appAccountToken = UUID()
        payload.revocationDate = (VaultSamples.start + 5).date
        payload.isUpgraded = true
        payload.inAppOwnershipType = .familyShared
        payload.quantity = 3
        let first = VaultSamples.vault(files)
        try first.apply(
            VaultChanges(
                transactions: [VaultSamples.change(payload, isFinished: true, isVerified: false)],
                subscriptions: [VaultSamples.status(4, of: payload, grace: VaultSamples.start + 9)],
                revision: "a", confirmedAt: VaultSamples.start))
        let contents = VaultSamples.vault(files).contents
        let read = try #require(contents.transaction(3))
        #expect(read == first.contents.transaction(3))
        #expect(read.appAccountToken == payload.appAccountToken)
        #expect(read.isUpgraded && read.isFamilyShared && read.isFinished && !read.isVerified)
        #expect(read.quantity == 3 && read.originalID == 2 && read.kind == .autoRenewable && read.groupID == "news")
        #expect(read.revocationDate == VaultSamples.start + 5)
        #expect(contents.subscriptions == first.contents.subscriptions)
        #expect(contents.subscription(originalID: 2)?.gracePeriodExpirationDate == VaultSamples.start + 9)
        #expect(contents.confirmedAt == VaultSamples.start)
    }

    @Test func `transactions are in the order of their purchase dates`() throws {
        let vault = VaultSamples.vault(files)
        try vault.put(VaultSamples.payload(5), VaultSamples.payload(9))
        try vault.put(VaultSamples.payload(7))
        #expect(vault.contents.transactions.map(\.id) == [5, 7, 9])
        #expect(vault.contents.latest(of: "coins")?.id == 9)
        for id in [5, 7, 9] as [UInt64] { #expect(vault.contents.transaction(id)?.id == id) }
        #expect(VaultSamples.vault(files).contents.transactions.map(\.id) == [5, 7, 9])
    }

    @Test func `a transaction signed again with the same facts is no change`() throws {
        let vault = VaultSamples.vault(files)
        var payload = VaultSamples.payload(1)
        try vault.put(payload)
        payload.signedDate += 60
        #expect(try vault.put(payload).isEmpty)
        #expect(vault.contents.transaction(1)?.signedDate == VaultSamples.start + 60_001)
        payload.revocationDate = payload.signedDate
        #expect(try vault.put(payload).changed.map(\.id) == [1])
        #expect(vault.contents.unfinished.isEmpty)
    }

    @Test func `an older answer of a purchase doesn't undo a refund`() throws {
        let vault = VaultSamples.vault(files)
        let payload = VaultSamples.payload(1)
        var refunded = payload
        refunded.signedDate += 60
        refunded.revocationDate = refunded.signedDate
        try vault.apply(VaultChanges(transactions: [VaultSamples.change(refunded)], revision: "2"))
        #expect(try vault.put(payload).isEmpty)
        #expect(vault.contents.transaction(1)?.revocationDate != nil)
    }

    @Test func `a complete list forgets the others after its last page`() throws {
        let vault = VaultSamples.vault(files)
        try vault.apply(
            VaultChanges(
                transactions: [1, 2, 3].map { VaultSamples.change(VaultSamples.payload($0)) },
                subscriptions: [VaultSamples.status(1, of: VaultSamples.period(8, original: 8, week: 0))], revision: "a"
            ))
        let first = try vault.apply(
            VaultChanges(
                transactions: [VaultSamples.change(VaultSamples.payload(3))], revision: "b", isComplete: true,
                hasMore: true))
        #expect(first.isEmpty)
        #expect(vault.contents.revision == "b")
        #expect(vault.contents.transactions.count == 3)
        // A crash here starts the list again.
        #expect(VaultSamples.vault(files).contents.revision == nil)
        // A purchase between the pages stays.
        try vault.put(VaultSamples.payload(5))
        let last = try vault.apply(
            VaultChanges(transactions: [VaultSamples.change(VaultSamples.payload(4))], revision: "c"))
        #expect(last.added.map(\.id) == [4])
        #expect(last.removed == [1, 2])
        #expect(last.removedSubscriptions == [8])
        let read = VaultSamples.vault(files).contents
        #expect(read.transactions.map(\.id) == [3, 4, 5])
        #expect(read.subscriptions.isEmpty)
        #expect(read.revision == "c")
    }

    @Test func `a finished transaction stays finished until the store knows it`() throws {
        let vault = VaultSamples.vault(files)
        try vault.put(VaultSamples.payload(1))
        #expect(try vault.finish(1).finished == [1])
        #expect(try vault.finish(1).isEmpty)
        let second = VaultSamples.vault(files)
        #expect(second.contents.finishing == [1])
        #expect(second.contents.unfinished.isEmpty)
        #expect(second.records.map(\.transactionIdentifier) == ["1"])
        // The store's answer was on its way.
        #expect(try second.put(VaultSamples.payload(1)).isEmpty)
        #expect(second.contents.transaction(1)?.isFinished == true)
        second.acknowledgeFinish(1)
        #expect(VaultSamples.vault(files).contents.finishing.isEmpty)
    }

    @Test func `a transaction that another device finished is reported`() throws {
        let vault = VaultSamples.vault(files)
        try vault.put(VaultSamples.payload(1))
        let delta = try vault.apply(
            VaultChanges(
                transactions: [VaultSamples.change(VaultSamples.payload(1), isFinished: true)], revision: "2"))
        #expect(delta.finished == [1])
        #expect(delta.added.isEmpty && delta.changed.isEmpty)
    }

    @Test func `an ID of an emptied store is another transaction`() throws {
        let vault = VaultSamples.vault(files)
        try vault.put(VaultSamples.payload(1))
        try vault.finish(1)
        let later = VaultSamples.payload(1, at: VaultSamples.start + .days(1))
        let delta = try vault.apply(
            VaultChanges(transactions: [VaultSamples.change(later)], revision: "b", isComplete: true))
        #expect(delta.added.map(\.id) == [1])
        #expect(vault.contents.unfinished.map(\.id) == [1])
        #expect(vault.contents.finishing.isEmpty)
    }

    @Test(arguments: ["", "a.b.c", "a.b", "e30.e30.e30", "e30.!!.e30"])
    func `a text that isn't a transaction is rejected`(text: String) throws {
        let vault = VaultSamples.vault(files)
        let delta = try vault.apply(
            VaultChanges(transactions: [
                VaultChanges.Transaction(signed: text, isFinished: false, isVerified: true),
                VaultSamples.change(VaultSamples.payload(1)),
            ]))
        #expect(delta.rejected == [text])
        #expect(vault.contents.transactions.map(\.id) == [1])
    }

    @Test func `many changes are compacted and read back`() throws {
        let vault = VaultSamples.vault(files)
        for id in 1...900 as ClosedRange<UInt64> { try vault.put(VaultSamples.payload(id)) }
        for id in 1...900 as ClosedRange<UInt64> { try vault.finish(id) }
        for id in 1...900 as ClosedRange<UInt64> { vault.acknowledgeFinish(id) }
        let size = try #require(try files.read("vault")).count
        // 900 transactions of about 600 bytes, and as much again in changes at most.
        #expect(size < 1_500_000)
        let read = VaultSamples.vault(files).contents
        #expect(read.transactions == vault.contents.transactions)
        #expect(read.transactions.count == 900 && read.finishing.isEmpty)
    }

    @Test func `removing everything leaves an empty vault`() throws {
        let vault = VaultSamples.vault(files)
        try vault.put(VaultSamples.payload(1))
        try vault.credit(5, to: "coins", for: 1)
        vault.removeAll()
        #expect(vault.contents.transactions.isEmpty)
        let read = VaultSamples.vault(files)
        #expect(read.condition == .intact)
        #expect(read.contents.transactions.isEmpty && read.balance("coins").credited == 0)
    }

    /// Applies the answer of a purchase, which has no status, and returns the vault's.
    private func status(
        after payload: TransactionPayload, grace: Instant? = nil, isInRetry: Bool? = nil, in vault: PurchaseVault
    ) throws -> Int? {
        try vault.apply(
            VaultChanges(
                transactions: [VaultSamples.change(payload)],
                subscriptions: [VaultSamples.status(nil, of: payload, grace: grace, isInRetry: isInRetry)]))
        return vault.contents.subscription(originalID: UInt64(payload.originalTransactionId) ?? 0)?.status
    }

    @Test func `a purchase's answer that arrives after its period doesn't subscribe`() throws {
        let now = VaultSamples.start + .days(9)
        let vault = VaultSamples.vault(files, now: now)
        #expect(try status(after: VaultSamples.period(1, original: 1, week: 0), in: vault) == 1)
        try vault.apply(VaultChanges(revision: "a", confirmedAt: now))
        #expect(try status(after: VaultSamples.period(2, original: 2, week: 0), in: vault) == 2)
        #expect(try status(after: VaultSamples.period(3, original: 3, week: 1), in: vault) == 1)
        var refunded = VaultSamples.period(4, original: 4, week: 1)
        refunded.revocationDate = now.date
        #expect(try status(after: refunded, in: vault) == 5)
        let lapsed = VaultSamples.period(5, original: 5, week: 0)
        #expect(try status(after: lapsed, isInRetry: true, in: vault) == 3)
        let paused = VaultSamples.period(6, original: 6, week: 0)
        #expect(try status(after: paused, grace: now + 1, isInRetry: true, in: vault) == 4)
        let unpaid = VaultSamples.period(7, original: 7, week: 0)
        #expect(try status(after: unpaid, grace: now, isInRetry: true, in: vault) == 3)
    }

    @Test func `an older answer doesn't replace what the store said later`() throws {
        let now = VaultSamples.start + .days(9)
        let vault = VaultSamples.vault(files, now: now)
        let (first, renewal) = (
            VaultSamples.period(1, original: 1, week: 0), VaultSamples.period(2, original: 1, week: 1)
        )
        try vault.apply(
            VaultChanges(
                transactions: [first, renewal].map { VaultSamples.change($0) },
                subscriptions: [VaultSamples.status(5, of: renewal)], revision: "a", confirmedAt: now))
        #expect(try status(after: first, in: vault) == 5)
        #expect(vault.contents.subscription(originalID: 1)?.transactionID == 2)
        // A later purchase counts.
        #expect(try status(after: VaultSamples.period(3, original: 1, week: 2), in: vault) == 1)
        #expect(vault.contents.subscription(originalID: 1)?.transactionID == 3)
    }
}
