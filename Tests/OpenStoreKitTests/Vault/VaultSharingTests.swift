import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

/// Several processes with one folder, as objects without common state.
struct VaultSharingTests {
    private let device: Device
    private var files: FolderStore { device.files }
    private var file: URL { files.folder.appendingPathComponent("vault") }

    init() throws {
        device = try Device()
    }

    private func vault() -> PurchaseVault { VaultSamples.vault(files) }

    @Test func `credits of both processes count`() throws {
        let (first, second) = (vault(), vault())
        try first.put(VaultSamples.payload(1), VaultSamples.payload(2))
        #expect(second.load())
        #expect(try first.credit(100, to: "coins", for: 1))
        #expect(try second.credit(50, to: "coins", for: 2))
        // The second has seen the first's.
        #expect(second.balance("coins").credited == 150)
        #expect(try !first.credit(50, to: "coins", for: 2))
        #expect(first.balance("coins").credited == 150)
        #expect(vault().balance("coins").credited == 150)
        #expect(first.condition == .intact && second.condition == .intact && vault().condition == .intact)
    }

    @Test func `one balance can't be spent twice`() throws {
        let (first, second) = (vault(), vault())
        try first.put(VaultSamples.payload(1))
        try first.credit(100, to: "coins", for: 1)
        #expect(second.balance("coins").available == 100)
        try first.spend(80, from: "coins")
        #expect(throws: PurchaseVaultError.insufficientBalance(available: 20)) { try second.spend(80, from: "coins") }
        try second.spend(20, from: "coins")
        #expect(vault().balance("coins").available == 0)
    }

    @Test func `processes that start together make one key, and lose nothing`() async throws {
        let vaults = (0..<8).map { _ in vault() }
        try await withThrowingTaskGroup { group in
            for (number, vault) in vaults.enumerated() {
                group.addTask {
                    let id = UInt64(number) + 1
                    try vault.put(VaultSamples.payload(id))
                    #expect(try vault.credit(10, to: "coins", for: id))
                }
            }
            try await group.waitForAll()
        }
        let last = vault()
        #expect(last.balance("coins").credited == 80)
        #expect(last.condition == .intact)
    }

    @Test func `a snapshot of one process is read by the other`() throws {
        let (first, second) = (vault(), vault())
        try first.put(VaultSamples.payload(1))
        #expect(second.load())
        first.removeAll()
        try first.put(VaultSamples.payload(2))
        try first.credit(5, to: "coins", for: 2)
        #expect(throws: PurchaseVaultError.unknownTransaction) { try second.credit(1, to: "coins", for: 1) }
        #expect(try !second.credit(5, to: "coins", for: 2))
    }

    @Test func `an older copy put in place of the file takes nothing from a running process`() throws {
        let vault = vault()
        try vault.put(VaultSamples.payload(1), VaultSamples.payload(2))
        let copies = try ["vault", "vault.number"].map { ($0, try #require(try files.read($0))) }
        try vault.credit(100, to: "coins", for: 1)
        for (name, copy) in copies { try files.write(copy, to: name) }
        #expect(try !vault.credit(100, to: "coins", for: 1))
        try vault.credit(10, to: "coins", for: 2)
        #expect(vault.balance("coins").credited == 110)
        #expect(self.vault().balance("coins").credited == 110)
    }

    @Test(arguments: ["damaged", "gone"]) func `a file that is changed under a running process is written anew`(
        how: String
    ) throws {
        let vault = vault()
        try vault.put(VaultSamples.payload(1))
        if how == "gone" {
            try files.remove("vault")
        } else {
            try files.write(Data("nothing".utf8), to: "vault")
        }
        try vault.credit(100, to: "coins", for: 1)
        #expect(vault.condition == .intact)
        #expect(self.vault().balance("coins").credited == 100)
        #expect(self.vault().condition == .intact)
    }

    @Test func `without the lock a credit fails, and signed data is kept until the lock is free`() throws {
        let vault = VaultSamples.vault(FolderStore(folder: files.folder, lockLimit: .zero))
        try vault.put(VaultSamples.payload(1))
        try files.withLock("vault.lock") {
            #expect {
                try vault.credit(100, to: "coins", for: 1)
            } throws: {
                if case .unavailable = $0 as? PurchaseVaultError { true } else { false }
            }
            try vault.put(VaultSamples.payload(2))
            #expect(vault.contents.transaction(2) != nil)
            #expect(self.vault().contents.transaction(2) == nil)
        }
        try vault.credit(100, to: "coins", for: 1)
        #expect(self.vault().contents.transaction(2) != nil)
        #expect(self.vault().balance("coins").credited == 100)
    }

    @Test func `values beside the vault stay readable with two writers`() async throws {
        let store = FakeStore()
        let first = SKPaymentQueue(connection: device.connection(store))
        let second = SKPaymentQueue(connection: device.connection(store))
        let recorders = (Recorder(), Recorder())
        // One after the other: a sign-in of the device ends the other's session at this store.
        first.add(recorders.0)
        await first.settle()
        second.add(recorders.1)
        await second.settle()
        await first.buy("coins")
        await second.buy("filter")
        await first.buy("brush")
        await first.close()
        await second.close()
        let next = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        next.add(recorder)
        await next.settle()
        #expect(
            Set(recorder.log.filter { $0.hasPrefix("purchased") }) == [
                "purchased coins", "purchased filter", "purchased brush",
            ])
        #expect(store.charges == 3)
    }

    // MARK: What is in memory only

    @Test func `a page that couldn't be written stays, whatever the other process writes`() throws {
        let first = VaultSamples.vault(FolderStore(folder: files.folder, lockLimit: .zero))
        let second = vault()
        try first.apply(VaultChanges(revision: "1"))
        var period = VaultSamples.period(3, original: 3, week: 0)
        period.subscriptionGroupIdentifier = "news"
        try files.withLock("vault.lock") {
            try first.apply(
                VaultChanges(
                    transactions: [VaultSamples.change(VaultSamples.payload(1))],
                    subscriptions: [VaultSamples.status(1, of: period)], revision: "2"))
            try first.finish(1)
        }
        try second.put(VaultSamples.payload(2))
        let base = first.base
        #expect(base.contents.revision == "2")
        // The answer to a request that was sent before the other's change was known.
        #expect(throws: OutdatedChanges.self) {
            try first.apply(
                VaultChanges(
                    transactions: [VaultSamples.change(VaultSamples.payload(4))], revision: "3", base: base))
        }
        #expect(first.contents.revision == "1")
        #expect(first.contents.transactions.map(\.id) == [1, 2])
        #expect(first.contents.transaction(1)?.isFinished == true && first.contents.finishing == [1])
        #expect(first.contents.subscriptions.map(\.id) == [3])
        try first.credit(5, to: "coins", for: 2)
        let last = vault()
        #expect(last.contents.transactions.map(\.id) == [1, 2])
        #expect(last.contents.finishing == [1])
        #expect(last.contents.revision == "1")
    }

    @Test func `what the other process knows better isn't overwritten`() throws {
        let first = VaultSamples.vault(FolderStore(folder: files.folder, lockLimit: .zero))
        let second = vault()
        let atlas = VaultSamples.payload(1, "atlas", .nonConsumable)
        try files.withLock("vault.lock") { _ = try first.put(atlas) }
        var refunded = atlas
        refunded.revocationDate = (VaultSamples.start + .minutes(5)).date
        refunded.signedDate = (VaultSamples.start + .minutes(5)).date
        try second.apply(
            VaultChanges(transactions: [VaultSamples.change(refunded, isFinished: true)], revision: "7"))
        try first.put(VaultSamples.payload(2))
        #expect(first.contents.transaction(1)?.revocationDate != nil)
        #expect(first.contents.transaction(1)?.isFinished == true)
        #expect(first.contents.revision == "7")
    }

    @Test func `a list goes on after the other process's write`() throws {
        let (first, second) = (vault(), vault())
        try first.put(VaultSamples.payload(1), VaultSamples.payload(2), VaultSamples.payload(3))
        #expect(second.load())
        try first.apply(
            VaultChanges(
                transactions: [VaultSamples.change(VaultSamples.payload(1))], revision: "1", isComplete: true,
                hasMore: true, base: first.base))
        try second.put(VaultSamples.payload(4))
        try first.put(VaultSamples.payload(5))
        #expect(first.contents.revision == "1")
        let delta = try first.apply(
            VaultChanges(
                transactions: [VaultSamples.change(VaultSamples.payload(2))], revision: "2", base: first.base))
        #expect(delta.removed == [3])
        #expect(vault().contents.transactions.map(\.id) == [1, 2, 4, 5])
    }

    @Test func `listeners hear what the other process has stored`() throws {
        let (first, second) = (vault(), vault())
        let atlas = VaultSamples.payload(1, "atlas", .nonConsumable)
        try first.apply(VaultChanges(transactions: [VaultSamples.change(atlas)], revision: "1"))
        var refunded = atlas
        refunded.revocationDate = (VaultSamples.start + .minutes(5)).date
        try second.apply(
            VaultChanges(
                transactions: [VaultSamples.change(refunded), VaultSamples.change(VaultSamples.payload(2))],
                subscriptions: [VaultSamples.status(1, of: VaultSamples.period(3, original: 3, week: 0))],
                revision: "2"))
        // A change without a delta of its own doesn't swallow it.
        try first.finish(2)
        let delta = try first.apply(VaultChanges())
        #expect(delta.added.map(\.id) == [2])
        #expect(delta.changed.map(\.id) == [1])
        #expect(delta.subscriptions.map(\.id) == [3])
        #expect(try first.apply(VaultChanges()).isEmpty)
    }

    @Test func `purchases of a backup are news to each process when the store has listed them`() throws {
        let source = VaultSamples.vault(MemoryFiles())
        try source.put(
            VaultSamples.payload(1), VaultSamples.payload(2), VaultSamples.payload(3, "filter", .nonConsumable))
        let backup = try source.exportBackup(rounds: 2)
        let (first, second) = (vault(), vault())
        first.setSignatureCheck { _ in true }
        #expect(first.load() && second.load())
        try second.apply(VaultChanges(revision: "1"))
        try first.importBackup(backup)
        // A backup says nothing of what was delivered.
        #expect(try second.apply(VaultChanges()).added.isEmpty)
        #expect(second.undelivered.isEmpty && first.undelivered.isEmpty)
        let delta = try second.apply(
            VaultChanges(
                transactions: [
                    VaultSamples.change(VaultSamples.payload(1), isFinished: true),
                    VaultSamples.change(VaultSamples.payload(2)),
                    VaultSamples.change(VaultSamples.payload(3, "filter", .nonConsumable)),
                ], revision: "2", isComplete: true))
        #expect(delta.added.map(\.id) == [2, 3])
        let news = try first.apply(VaultChanges())
        #expect(news.added.map(\.id) == [2, 3])
        #expect(news.finished == [1])
        #expect(first.undelivered.map(\.id) == [2, 3])
        #expect(try first.apply(VaultChanges()).isEmpty)
    }

    @Test func `an ID of a backup's purchase that the store has sold anew is delivered`() throws {
        let source = VaultSamples.vault(MemoryFiles())
        try source.put(VaultSamples.payload(1))
        let vault = vault()
        vault.setSignatureCheck { _ in true }
        try vault.importBackup(source.exportBackup(rounds: 2))
        let later = VaultSamples.payload(1, at: VaultSamples.start + .days(1))
        let list = VaultChanges(transactions: [VaultSamples.change(later)], revision: "1", isComplete: true)
        #expect(try vault.apply(list).added.map(\.id) == [1])
        #expect(vault.undelivered.map(\.id) == [1])
        #expect(try vault.credit(5, to: "coins", for: 1))
    }

    @Test func `a reader of entitlements doesn't wait for the lock`() throws {
        let now = Mutex(VaultSamples.start)
        var dependencies = DeviceDependencies.test()
        dependencies.now = { now.withLock { $0 } }
        let vault = PurchaseVault(
            owner: VaultSamples.owner, files: FolderStore(folder: files.folder, lockLimit: .seconds(600)),
            dependencies: dependencies)
        try vault.put(VaultSamples.payload(1, "atlas", .nonConsumable))
        now.withLock { $0 = $0 + .days(1) }
        try files.withLock("vault.lock") { #expect(vault.entitlements.map(\.productID) == ["atlas"]) }
    }

    // MARK: Copies

    private var keyFolder: URL { device.folder.appendingPathComponent("state/keys") }

    private func keptOutside() -> PurchaseVault {
        let keys = KeyFolder(folder: keyFolder)
        return VaultSamples.vault(files, protection: PurchaseVault.Protection(storages: [keys], machine: ""))
    }

    @Test(arguments: ["put back", "removed"])
    func `what another process has written isn't undone by an older copy`(how: String) throws {
        let (idle, other) = (keptOutside(), keptOutside())
        try idle.put(VaultSamples.payload(1), VaultSamples.payload(2))
        try idle.credit(100, to: "coins", for: 1)
        let copies = try ["vault", "vault.number"].map { ($0, try #require(try files.read($0))) }
        try other.spend(100, from: "coins")
        for (name, copy) in copies {
            if how == "removed" { try files.remove(name) } else { try files.write(copy, to: name) }
        }
        // The first has the hundred in memory, and less than was written.
        #expect(throws: PurchaseVaultError.self) { try idle.spend(100, from: "coins") }
        #expect(idle.condition == .refused)
        try idle.put(VaultSamples.payload(1))
        #expect(idle.balance("coins").available == 0)
        let next = keptOutside()
        #expect(next.condition == .refused)
        #expect(next.balance("coins").available == 0)
        if how == "put back" { #expect(try files.read("vault.refused") == copies[0].1) }
    }

    @Test func `the number beside the key doesn't go down`() throws {
        let keys = KeyFolder(folder: keyFolder)
        let (first, second) = (keptOutside(), keptOutside())
        try first.put(VaultSamples.payload(1))
        #expect(second.load())
        for id in 2...6 { try first.put(VaultSamples.payload(UInt64(id))) }
        let names = try FileManager.default.contentsOfDirectory(atPath: keyFolder.path)
        let name = try #require(names.first { !$0.hasSuffix(".number") })
        #expect(try keys.secret(of: name)?.number == 6)
        try files.remove("vault")
        // It has the first frame only, and what it writes has a number behind all others.
        try second.put(VaultSamples.payload(7))
        #expect(try #require(keys.secret(of: name)?.number) > 6)
        #expect(second.condition == .refused)
    }
}
