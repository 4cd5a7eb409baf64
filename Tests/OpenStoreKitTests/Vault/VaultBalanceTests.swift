import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

/// Credits, spending, refunds, and crashes between crediting and finishing.
struct VaultBalanceTests {
    private let files = MemoryFiles()

    @Test func `a purchase is credited once`() throws {
        let vault = VaultSamples.vault(files)
        try vault.put(VaultSamples.payload(1), VaultSamples.payload(2))
        #expect(try vault.credit(100, to: "coins", for: 1))
        #expect(try !vault.credit(100, to: "coins", for: 1))
        #expect(try !vault.credit(100, to: "gems", for: "1"))
        try vault.finish(1)
        #expect(try !vault.credit(100, to: "coins", for: 1))
        let read = VaultSamples.vault(files)
        #expect(try !read.credit(100, to: "coins", for: 1))
        #expect(read.hasCredited(1) && !read.hasCredited(2))
        #expect(read.balances == ["coins": PurchaseVault.Balance(credited: 100, revoked: 0, spent: 0)])
    }

    @Test func `spending survives a launch and stops at the balance`() throws {
        let vault = VaultSamples.vault(files)
        try vault.put(VaultSamples.payload(1))
        try vault.credit(100, to: "coins", for: 1)
        try vault.spend(60, from: "coins")
        let read = VaultSamples.vault(files)
        #expect(throws: PurchaseVaultError.insufficientBalance(available: 40)) { try read.spend(41, from: "coins") }
        try read.spend(40, from: "coins")
        #expect(read.balance("coins").available == 0)
        #expect(throws: PurchaseVaultError.insufficientBalance(available: 0)) { try read.spend(1, from: "gems") }
        #expect(VaultSamples.vault(files).balance("coins").spent == 100)
    }

    @Test func `a refund takes the credit back, also a spent one`() throws {
        let vault = VaultSamples.vault(files)
        try vault.put(VaultSamples.payload(1), VaultSamples.payload(2))
        try vault.credit(100, to: "coins", for: 1)
        try vault.credit(30, to: "coins", for: 2)
        try vault.spend(70, from: "coins")
        var refunded = VaultSamples.payload(1)
        refunded.signedDate += 60
        refunded.revocationDate = refunded.signedDate
        try vault.put(refunded)
        #expect(vault.balance("coins") == PurchaseVault.Balance(credited: 30, revoked: 100, spent: 70))
        #expect(vault.balance("coins").available == 0)
        #expect(throws: PurchaseVaultError.insufficientBalance(available: 0)) { try vault.spend(1, from: "coins") }
        // Reversed by the store.
        refunded.signedDate += 60
        refunded.revocationDate = nil
        try vault.put(refunded)
        #expect(vault.balance("coins").available == 60)
    }

    @Test func `only a verified purchase of the store is credited`() throws {
        let vault = VaultSamples.vault(files)
        var revoked = VaultSamples.payload(2)
        revoked.revocationDate = revoked.signedDate
        try vault.apply(
            VaultChanges(transactions: [
                VaultSamples.change(VaultSamples.payload(1), isVerified: false), VaultSamples.change(revoked),
                VaultSamples.change(VaultSamples.payload(3), isFinished: true),
            ]))
        #expect(throws: PurchaseVaultError.unverifiedTransaction) { try vault.credit(1, to: "coins", for: 1) }
        #expect(throws: PurchaseVaultError.revokedTransaction) { try vault.credit(1, to: "coins", for: 2) }
        #expect(throws: PurchaseVaultError.finishedTransaction) { try vault.credit(1, to: "coins", for: 3) }
        #expect(throws: PurchaseVaultError.unknownTransaction) { try vault.credit(1, to: "coins", for: 4) }
        #expect(throws: PurchaseVaultError.unknownTransaction) { try vault.credit(1, to: "coins", for: "x") }
        #expect(throws: PurchaseVaultError.invalidAmount) { try vault.credit(0, to: "coins", for: 1) }
        #expect(throws: PurchaseVaultError.invalidAmount) { try vault.spend(-5, from: "coins") }
        #expect(vault.balances.isEmpty)
    }

    /// An app that buys, credits, finishes and spends on files that stop working at a step, and is launched again.
    @Test func `a purchase is credited exactly once after a crash at any step`() throws {
        var step = 0
        var crashes = 0
        while true {
            step += 1
            let files = MemoryFiles()
            let crash = CrashPoint(atStep: step)
            /// The store: unfinished until it heard of it.
            let isFinished = Mutex(false)
            func live(_ files: any FileStore) throws {
                let vault = VaultSamples.vault(files)
                let known = isFinished.withLock { $0 }
                try vault.apply(
                    VaultChanges(
                        transactions: [VaultSamples.change(VaultSamples.payload(1), isFinished: known)], revision: "1"))
                for transaction in vault.contents.unfinished {
                    if crash.hasCrashed, files is CrashingFiles { return }
                    guard (try? vault.credit(100, to: "coins", for: transaction.id)) != nil else { return }
                    if crash.hasCrashed, files is CrashingFiles { return }
                    try vault.finish(transaction.id)
                }
                if crash.hasCrashed, files is CrashingFiles { return }
                for id in vault.contents.finishing {
                    isFinished.withLock { $0 = true }
                    vault.acknowledgeFinish(id)
                }
            }
            try live(CrashingFiles(files: files, crash: crash))
            let hasCrashed = crash.hasCrashed
            try live(files)
            try live(files)
            let vault = VaultSamples.vault(files)
            #expect(vault.condition == .intact, "step \(step)")
            #expect(vault.balance("coins").available == 100, "step \(step)")
            #expect(isFinished.withLock { $0 }, "step \(step)")
            guard hasCrashed else { break }
            crashes += 1
        }
        #expect(crashes > 10)
    }

    @Test func `concurrent spending never takes more than there is`() throws {
        let vault = VaultSamples.vault(files)
        try vault.put(VaultSamples.payload(1))
        try vault.credit(100, to: "coins", for: 1)
        let spent = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            if (try? vault.spend(3, from: "coins")) != nil { spent.withLock { $0 += 3 } }
        }
        #expect(spent.withLock { $0 } == 99)
        #expect(VaultSamples.vault(files).balance("coins").available == 1)
    }
}
