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
}
