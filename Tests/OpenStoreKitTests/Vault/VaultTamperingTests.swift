import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

/// Files that were changed, cut, copied or rolled back, and disks that fail.
struct VaultTamperingTests {
    private let files = MemoryFiles()

    /// Writes a vault of three frames.
    private func fill() throws {
        let vault = VaultSamples.vault(files)
        try vault.put(VaultSamples.payload(1))
        try vault.put(VaultSamples.payload(2))
        try vault.credit(100, to: "coins", for: 2)
        #expect(vault.balance("coins").available == 100)
    }

    private func bytes(_ name: String) throws -> Data { try #require(try files.read(name)) }

    @Test(arguments: ["vault", "vault.number"], [1, 0x80] as [UInt8])
    func `a change of any byte is detected`(name: String, flip: UInt8) throws {
        try fill()
        let intact = try bytes(name)
        for position in intact.indices {
            var changed = intact
            changed[position] ^= flip
            try files.write(changed, to: name)
            let vault = VaultSamples.vault(files)
            #expect(vault.condition == .refused, "byte \(position)")
            #expect(vault.contents.transactions.isEmpty && vault.balance("coins").available == 0)
            #expect(vault.refusalReason?.contains("vault") == true)
        }
        try files.write(intact, to: name)
        #expect(VaultSamples.vault(files).condition == .intact)
    }

    @Test func `a cut at any place is detected`() throws {
        try fill()
        let intact = try bytes("vault")
        for count in 0..<intact.count {
            try files.write(intact.prefix(count), to: "vault")
            #expect(VaultSamples.vault(files).condition == .refused, "\(count) bytes")
        }
    }

    @Test func `a frame that wasn't acknowledged may be torn`() throws {
        try fill()
        let before = try bytes("vault")
        let number = try bytes("vault.number")
        try VaultSamples.vault(files).spend(30, from: "coins")
        let after = try bytes("vault")
        try files.write(number, to: "vault.number")
        for count in before.count...after.count {
            try files.write(after.prefix(count), to: "vault")
            let vault = VaultSamples.vault(files)
            #expect(vault.condition == .intact, "\(count) bytes")
            #expect(vault.balance("coins").available == (count == after.count ? 70 : 100), "\(count) bytes")
        }
        // The torn end is gone after the next write.
        try files.write(after.dropLast(), to: "vault")
        try VaultSamples.vault(files).spend(10, from: "coins")
        #expect(VaultSamples.vault(files).balance("coins").available == 90)
    }

    @Test func `an older file is detected`() throws {
        try fill()
        let old = try bytes("vault")
        try VaultSamples.vault(files).spend(100, from: "coins")
        try files.write(old, to: "vault")
        let vault = VaultSamples.vault(files)
        #expect(vault.condition == .refused)
        #expect(vault.balance("coins").available == 0)
    }

    @Test func `a missing file is detected`() throws {
        try fill()
        try files.remove("vault")
        #expect(VaultSamples.vault(files).condition == .refused)
    }

    @Test func `frames can't be left out or swapped`() throws {
        try fill()
        let third = try bytes("vault")
        let other = MemoryFiles()
        try other.write(try bytes("device.key"), to: "device.key")
        let second = VaultSamples.vault(other)
        try second.put(VaultSamples.payload(1))
        let first = try #require(try other.read("vault")).count
        try second.put(VaultSamples.payload(2))
        let middle = try #require(try other.read("vault")).count - first
        let left = third.prefix(first) + third.dropFirst(first + middle)
        try files.write(Data(left), to: "vault")
        #expect(VaultSamples.vault(files).condition == .refused)
    }

    @Test func `a copy of another owner is detected, even with its key`() throws {
        try fill()
        let vault = VaultSamples.vault(files, owner: "com.example.magazine\u{0}bob@example.com\u{0}device")
        #expect(vault.condition == .refused)
        #expect(vault.refusalReason?.contains("another device, app or account") == true)
    }

    @Test func `a copy on another machine is detected`() throws {
        let here = PurchaseVault.Protection(secrets: nil, machine: "here")
        try VaultSamples.vault(files, protection: here).put(VaultSamples.payload(1))
        #expect(VaultSamples.vault(files, protection: here).condition == .intact)
        let there = PurchaseVault.Protection(secrets: nil, machine: "there")
        #expect(VaultSamples.vault(files, protection: there).condition == .refused)
    }

    @Test func `a refused vault is rebuilt from the store, and its file kept`() throws {
        try fill()
        var changed = try bytes("vault")
        changed[changed.count / 2] ^= 1
        try files.write(changed, to: "vault")
        let vault = VaultSamples.vault(files)
        #expect(vault.condition == .refused)
        #expect(try bytes("vault.refused") == changed)
        // Written meanwhile, and still refused after a launch.
        try vault.put(VaultSamples.payload(3))
        let second = VaultSamples.vault(files)
        #expect(second.condition == .refused)
        #expect(second.contents.revision == nil)
        try second.apply(
            VaultChanges(
                transactions: [
                    VaultSamples.change(VaultSamples.payload(1), isFinished: true),
                    VaultSamples.change(VaultSamples.payload(3)),
                ],
                revision: "9", isComplete: true))
        #expect(second.condition == .rebuilt)
        let third = VaultSamples.vault(files)
        #expect(third.condition == .intact)
        #expect(third.contents.transactions.map(\.id) == [1, 3])
        // What was finished was delivered: it isn't credited again.
        #expect(throws: PurchaseVaultError.finishedTransaction) { try third.credit(100, to: "coins", for: 1) }
    }

    @Test func `a file of a later version is refused`() throws {
        try fill()
        // Without its key a new one is made, to which the old file is another device's.
        try files.remove("device.key")
        #expect(VaultSamples.vault(files).condition == .refused)
    }

    @Test func `nothing readable is in the file`() throws {
        let vault = VaultSamples.vault(files)
        try vault.put(VaultSamples.payload(1, "unmistakable"))
        try vault.credit(5, to: "unmistakable", for: 1)
        for name in ["vault", "vault.number"] {
            #expect(try bytes(name).range(of: Data("unmistakable".utf8)) == nil)
        }
    }

    // MARK: Failing disks

    @Test func `what the store signed stays in memory while the disk is full`() throws {
        let disk = FullDisk(files)
        let vault = VaultSamples.vault(disk)
        try vault.put(VaultSamples.payload(1))
        disk.isFull.withLock { $0 = true }
        #expect(try vault.put(VaultSamples.payload(2)).added.map(\.id) == [2])
        #expect(throws: PurchaseVaultError.self) { try vault.credit(1, to: "coins", for: 2) }
        #expect(vault.balance("coins").credited == 0)
        #expect(VaultSamples.vault(files).contents.transactions.map(\.id) == [1])
        disk.isFull.withLock { $0 = false }
        try vault.credit(1, to: "coins", for: 2)
        let read = VaultSamples.vault(files)
        #expect(read.condition == .intact)
        #expect(read.contents.transactions.map(\.id) == [1, 2])
        #expect(read.balance("coins").available == 1)
    }

    @Test(arguments: ["vault", "vault.number", "device.key"])
    func `a vault that can't be read now is not empty`(name: String) throws {
        try fill()
        let vault = VaultSamples.vault(StumblingFiles(files, failures: [name: 2]))
        #expect(!vault.load())
        #expect(throws: FileError.self) { try vault.put(VaultSamples.payload(3)) }
        #expect(vault.contents.transactions.count == 2)
        #expect(vault.condition == .intact)
    }
}

/// Files on a disk that can be full: half of what is appended is written then.
final class FullDisk: FileStore {
    private let files: any FileStore
    let isFull = Mutex(false)

    init(_ files: any FileStore) {
        self.files = files
    }

    private var error: FileError { FileError(errno: ENOSPC, path: "vault", doing: "write") }

    func read(_ name: String) throws -> Data? { try files.read(name) }

    func write(_ data: Data, to name: String) throws {
        if isFull.withLock({ $0 }) { throw error }
        try files.write(data, to: name)
    }

    func append(_ data: Data, to name: String) throws {
        if isFull.withLock({ $0 }) {
            try files.append(data.prefix(data.count / 2), to: name)
            throw error
        }
        try files.append(data, to: name)
    }

    func remove(_ name: String) throws { try files.remove(name) }
}
