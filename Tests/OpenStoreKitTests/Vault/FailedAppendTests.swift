import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

/// Appends of which everything is in the file, and whose caller is told that they failed: as after a failed `fsync`.
struct FailedAppendTests {
    private let device: Device
    private let disk: LateFailure
    private var files: FolderStore { device.files }

    init() throws {
        device = try Device()
        disk = LateFailure(device.files)
    }

    /// Returns a vault with a balance of 100, and the file's bytes.
    private func filled() throws -> (PurchaseVault, Data) {
        let vault = VaultSamples.vault(disk)
        try vault.put(VaultSamples.payload(1), VaultSamples.payload(2))
        try vault.credit(100, to: "coins", for: 1)
        return (vault, try #require(try files.read("vault")))
    }

    private func spendOnFailingDisk(_ vault: PurchaseVault) {
        disk.isFailing.withLock { $0 = true }
        #expect {
            try vault.spend(100, from: "coins")
        } throws: {
            if case .unavailable = $0 as? PurchaseVaultError { true } else { false }
        }
        disk.isFailing.withLock { $0 = false }
    }

    @Test func `a change that failed isn't made at the next launch`() throws {
        let (vault, before) = try filled()
        spendOnFailingDisk(vault)
        #expect(try files.read("vault") == before)
        #expect(vault.balance("coins").available == 100)
        let next = VaultSamples.vault(files)
        #expect(next.condition == .intact)
        #expect(next.balance("coins").available == 100)
    }

    @Test func `another process goes on before a change that failed`() throws {
        let (vault, _) = try filled()
        let other = VaultSamples.vault(files)
        #expect(other.load())
        spendOnFailingDisk(vault)
        try other.credit(5, to: "coins", for: 2)
        #expect(other.balance("coins").available == 105)
        try vault.spend(1, from: "coins")
        #expect(vault.balance("coins").available == 104)
        let next = VaultSamples.vault(files)
        #expect(next.condition == .intact)
        #expect(next.balance("coins").available == 104)
    }

    @Test func `what the store signed is kept, and written to a new file`() throws {
        let (vault, _) = try filled()
        let old = try #require(files.mark(of: "vault"))
        disk.isFailing.withLock { $0 = true }
        try vault.put(VaultSamples.payload(3))
        disk.isFailing.withLock { $0 = false }
        #expect(vault.contents.transaction(3) != nil)
        #expect(VaultSamples.vault(files).contents.transaction(3) == nil)
        try vault.put(VaultSamples.payload(4))
        #expect(files.mark(of: "vault") != old)
        let next = VaultSamples.vault(files)
        #expect(next.condition == .intact)
        #expect(next.contents.transactions.map(\.id) == [1, 2, 3, 4])
    }

    @Test func `a payment that failed isn't paid at the next launch`() async throws {
        let store = FakeStore()
        let recorder = Recorder(finishes: true)
        let queue = SKPaymentQueue(connection: device.connection(store, files: disk))
        queue.add(recorder)
        await queue.buy("coins")
        #expect(store.charges == 1)
        disk.isFailing.withLock { $0 = true }
        await queue.buy("filter")
        disk.isFailing.withLock { $0 = false }
        #expect(recorder.log.contains("failed filter"))
        await queue.close()
        let next = SKPaymentQueue(connection: device.connection(store))
        let second = Recorder(finishes: true)
        next.add(second)
        await next.settle()
        #expect(second.log.isEmpty)
        #expect(store.charges == 1)
    }

    @Test func `a file is cut off in a copy, and in its place if there is no room`() throws {
        let roomy = FolderStore(folder: files.folder)
        try roomy.write(Data(1...15), to: "file")
        let old = roomy.mark(of: "file")
        try roomy.truncate("file", to: 15)
        #expect(roomy.mark(of: "file") == old)
        try roomy.truncate("file", to: 13)
        #expect(try roomy.read("file") == Data(1...13))
        // Half of the length that it reads, so that no copy fits.
        let small = FolderStore(folder: files.folder, maximumFileBytes: 10)
        try small.truncate("file", to: 12)
        #expect(try small.read("file") == Data(1...12))
        try small.truncate("nothing", to: 1)
    }
}

/// Files whose appends fail after everything was written.
private final class LateFailure: FileStore {
    private let files: FolderStore
    let isFailing = Mutex(false)

    init(_ files: FolderStore) {
        self.files = files
    }

    func append(_ data: Data, to name: String) throws {
        try files.append(data, to: name)
        if isFailing.withLock({ $0 }) { throw FileError(errno: EIO, path: name, doing: "fsync") }
    }

    func truncate(_ name: String, to size: Int) throws { try files.truncate(name, to: size) }
    func read(_ name: String) throws -> Data? { try files.read(name) }
    func write(_ data: Data, to name: String) throws { try files.write(data, to: name) }
    func remove(_ name: String) throws { try files.remove(name) }
    func mark(of name: String) -> FileMark? { files.mark(of: name) }

    func withLock<Value>(_ name: String, waiting waits: Bool, _ body: () throws -> Value) throws -> Value {
        try files.withLock(name, waiting: waits, body)
    }
}
