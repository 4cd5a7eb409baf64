import Foundation
import OpenStoreKit
import Perennial
import Testing

/// Keys in a folder of the user's, outside of the app's folder.
struct KeyFolderTests {
    private let device: Device
    private let files = MemoryFiles()
    private let folder: URL

    init() throws {
        device = try Device()
        folder = device.folder.appendingPathComponent("state/keys")
    }

    private func vault(_ files: MemoryFiles? = nil, secrets: (any VaultSecrets)? = nil) -> PurchaseVault {
        var protection = PurchaseVault.Protection(storages: [secrets ?? KeyFolder(folder: folder)], machine: "")
        protection.longestBlock = .seconds(60)
        return VaultSamples.vault(files ?? self.files, protection: protection)
    }

    private static let names = ["vault", "vault.number", "device.key"]

    /// Returns a copy of all files of the app's folder.
    private func copy() throws -> [(String, Data)] {
        try Self.names.map { ($0, try #require(try files.read($0), "\($0)")) }
    }

    /// Name of the only key.
    private var name: String {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return try #require(names.first { !$0.hasSuffix(".number") })
        }
    }

    @Test func `the key is outside of the app's folder, for its owner only`() throws {
        try vault().put(VaultSamples.payload(1))
        let name = try self.name
        let path = folder.appendingPathComponent(name).path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let secret = try #require(try KeyFolder(folder: folder).secret(of: name))
        for (_, content) in try copy() { #expect(content.range(of: secret.key) == nil) }
        #expect(vault().contents.transactions.map(\.id) == [1])
    }

    @Test func `an older vault with its number and its key file is refused and rebuilt`() throws {
        let first = vault()
        try first.put(VaultSamples.payload(1))
        try first.credit(100, to: "coins", for: 1)
        try first.finish(1)
        let older = try copy()
        try first.spend(100, from: "coins")
        for (name, content) in older { try files.write(content, to: name) }
        let second = vault()
        #expect(second.condition == .refused)
        #expect(second.balance("coins").available == 0)
        try second.apply(
            VaultChanges(
                transactions: [VaultSamples.change(VaultSamples.payload(1), isFinished: true)], revision: "1",
                isComplete: true))
        #expect(second.condition == .rebuilt)
        // Finished, so that its amount isn't credited again.
        #expect(throws: PurchaseVaultError.finishedTransaction) { try second.credit(100, to: "coins", for: 1) }
        #expect(second.balance("coins").available == 0)
    }

    @Test func `the last state that comes back is accepted`() throws {
        let first = vault()
        try first.put(VaultSamples.payload(1))
        let last = try copy()
        for name in Self.names { try files.remove(name) }
        for (name, content) in last { try files.write(content, to: name) }
        #expect(vault().condition == .intact)
    }

    @Test func `two folders of one owner have keys of their own`() throws {
        let others = MemoryFiles()
        try vault().put(VaultSamples.payload(1))
        try vault(others).put(VaultSamples.payload(2))
        #expect(vault().contents.transactions.map(\.id) == [1])
        #expect(vault(others).contents.transactions.map(\.id) == [2])
    }

    @Test(arguments: ["../../device.key", "/etc/passwd", "abcd", ""])
    func `a note with another name is a new key`(name: String) throws {
        try vault().put(VaultSamples.payload(1))
        try files.write(Data("the key is in the user's key folder: \(name)\n".utf8), to: "device.key")
        #expect(vault().condition == .refused)
    }

    @Test func `a damaged or removed key is a refused vault`() throws {
        try vault().put(VaultSamples.payload(1))
        let name = try self.name
        try Data("no key".utf8).write(to: folder.appendingPathComponent(name))
        #expect(vault().condition == .refused)
    }

    /// The largest number would leave none for the next write.
    @Test(arguments: [nil, "", "twelve", "18446744073709551615", "9223372036854775808"])
    func `a number that is gone or damaged is behind`(text: String?) throws {
        let first = vault()
        try first.put(VaultSamples.payload(1))
        let number = folder.appendingPathComponent(try name + ".number")
        if let text { try Data(text.utf8).write(to: number) } else { try FileManager.default.removeItem(at: number) }
        #expect(vault().contents.transactions.map(\.id) == [1])
        // Written again with the vault's.
        #expect(try KeyFolder(folder: folder).secret(of: name)?.number == 1)
    }

    @Test func `a key with a number that none follows is a damaged one`() throws {
        try vault().put(VaultSamples.payload(1))
        let name = try self.name
        let secret = try #require(try KeyFolder(folder: folder).secret(of: name))
        let text = "\(secret.key.base64EncodedString()) \(UInt64.max)"
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        let second = vault()
        #expect(second.condition == .refused)
        try second.put(VaultSamples.payload(2))
        #expect(vault().contents.transactions.map(\.id) == [2])
    }

    @Test func `a key of another storage isn't replaced while that one is away`() throws {
        let keyring = Keyring()
        try vault(secrets: keyring).put(VaultSamples.payload(1))
        #expect(vault().condition == .unreadable)
        #expect(vault(secrets: keyring).contents.transactions.map(\.id) == [1])
    }
}
