import CryptoExtras
import Foundation
import Perennial
import Testing
import X509

@testable import AppStoreFormats

/// Signing identities of a store in memory, whose receipt keys are made while the store starts.
struct MemoryIdentitiesTests {
    private static let urls = CertificateURLs(base: "http://store.example")

    @Test func `the receipts' certificates follow from the root and state the URLs`() throws {
        var folder = SigningFolder(inMemory: try SigningIdentities.makeDeferringReceipts())
        let root = folder.identities.receiptRootCertificate
        try folder.publish(at: Self.urls)
        #expect(folder.identities.receiptRootCertificate == root)
        let identities = folder.identities
        #expect(identities.receiptLeaf.access == (try Self.urls.access(issuer: .receipts)))
        #expect(identities.receiptIntermediate.access == (try Self.urls.access(issuer: .receiptRoot)))
        let receipt = try ReceiptSigner(identities: identities).sign(payload: [0x31, 0])
        let chain = try ParsedReceiptContainer(receipt).certificates
        #expect(chain == identities.receiptChain.certificates && chain.last == root)
        let keys = [
            identities.receiptRoot?.key.publicKey.pkcs1PEMRepresentation,
            identities.receiptIntermediate.key.publicKey.pkcs1PEMRepresentation,
            identities.receiptLeaf.key.publicKey.pkcs1PEMRepresentation,
        ]
        #expect(Set(keys).count == 3)
    }

    @Test func `publishing the same URLs again keeps the certificates`() throws {
        var folder = SigningFolder(inMemory: try TestIdentities.shared)
        try folder.publish(at: Self.urls)
        let first = folder.identities
        try folder.publish(at: Self.urls)
        #expect(folder.identities.receiptChain == first.receiptChain)
        #expect(folder.identities.transactionChain == first.transactionChain)
    }

    @Test(arguments: SigningLeaf.allCases)
    func `a revoked leaf is replaced and stays known`(leaf: SigningLeaf) throws {
        var folder = SigningFolder(inMemory: try TestIdentities.shared)
        let revocation = CertificateRevocation(date: Instant(seconds: 1_700_000_000), reason: .superseded)
        let old = try folder.revoke(leaf, revocation)
        #expect(folder.serialNumber(of: leaf) != old)
        #expect(try folder.revocations() == [old: revocation])
        let list = RevocationList(replaced: [try TestIdentities.shared], revocations: [old: revocation])
        let issuer: IssuingCertificate = leaf == .transactions ? .transactions : .receipts
        #expect(try list.status(of: old, from: issuer, in: folder.identities) == .revoked(revocation))
        let new = folder.serialNumber(of: leaf)
        #expect(try list.status(of: new, from: issuer, in: folder.identities) == .good)
        #expect(try list.status(of: "0102", from: issuer, in: folder.identities) == .unknown)
        #expect(try !folder.catchUp())
    }
}
