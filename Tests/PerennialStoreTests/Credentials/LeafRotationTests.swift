import AppStoreFormats
import Foundation
import PerennialStore
import TestSupport
import Testing

/// Stored keys, and receipts across a replacement of the leaves.
struct LeafRotationTests {
    @Test func `receipts verify across a leaf rotation`() async throws {
        let folder = URL(filePath: try TemporaryFolder.make()).appending(path: "keys")
        let made = try SigningIdentities.loadOrMake(in: folder)
        let before = try await TestStore.make(signing: Signing(made))
        let sold = try await before.buy("filter.amber", as: "ann")
        let old = try await before.receipt(of: "ann")
        let oldTransaction = try await before.transactionReceipt(of: sold, as: "ann")

        let rotated = try SigningIdentities.rotateLeaves(in: folder)
        #expect(rotated.receiptChain.leaf != made.receiptChain.leaf)
        #expect(rotated.rootCertificate == made.rootCertificate)
        #expect(rotated.receiptRootCertificate == made.receiptRootCertificate)
        let after = try await TestStore.open(before.database, signing: Signing(rotated), seed: 2)
        #expect(try await after.verify(old)["status"] == 0)
        #expect(try await after.verify(oldTransaction)["status"] == 0)
        // Stored receipts stay as they are; the next one is signed with the new leaf.
        #expect(try await after.receipt(of: "ann") == old)
        try await after.finish(sold, as: "ann")
        let new = try await after.receipt(of: "ann")
        #expect(Data(new).range(of: Data(rotated.receiptChain.leaf)) != nil)
        #expect(Data(new).range(of: Data(made.receiptChain.leaf)) == nil)
        #expect(try await after.verify(new)["status"] == 0)
        #expect(try await before.verify(new)["status"] == 0)
        #expect(try modes(in: folder).filter { $0.key.hasSuffix(".pem") }.values.allSatisfy { $0 == 0o600 })
    }

    @Test func `key files are readable by their owner only`() throws {
        let folder = URL(filePath: try TemporaryFolder.make()).appending(path: "keys")
        _ = try SigningIdentities.loadOrMake(in: folder)
        let modes = try modes(in: folder)
        let keys = modes.filter { $0.key.hasSuffix(".pem") }
        #expect(keys.count == 6)
        #expect(keys.values.allSatisfy { $0 == 0o600 })
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }

    private func modes(in folder: URL) throws -> [String: Int] {
        let manager = FileManager.default
        return try Dictionary(
            uniqueKeysWithValues: manager.contentsOfDirectory(atPath: folder.path).map { name in
                let attributes = try manager.attributesOfItem(atPath: folder.appending(path: name).path)
                return (name, (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0)
            })
    }
}
