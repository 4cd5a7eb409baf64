import Foundation
import Testing

@testable import AppStoreFormats

struct ReceiptVerifierTests {
    private let identities: SigningIdentities
    private let verifier: ReceiptVerifier

    init() throws {
        identities = try TestIdentities.shared
        verifier = try ReceiptVerifier(trustedRoots: [identities.receiptRootCertificate])
    }

    private func error(of bytes: [UInt8], by verifier: ReceiptVerifier? = nil) -> ReceiptError.Code? {
        do throws(ReceiptError) {
            _ = try (verifier ?? self.verifier).verify(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    private func sign(_ receipt: AppReceipt = SampleReceipts.full) throws -> [UInt8] {
        try ReceiptSigner(identities: identities).sign(receipt)
    }

    @Test(arguments: ReceiptDigest.allCases)
    func `what was signed is read again`(digest: ReceiptDigest) throws {
        let bytes = try ReceiptSigner(identities: identities, digest: digest).sign(SampleReceipts.full)
        #expect(SampleReceipts.sorted(try verifier.verify(bytes)) == SampleReceipts.sorted(SampleReceipts.full))
        #expect(try verifier.verify(bytes).bundleID == "com.example.magazine", "from the remembered chain")
    }

    @Test func `a receipt with one bit flipped is refused`() throws {
        let bytes = try sign(SampleReceipts.small)
        #expect(error(of: bytes) == nil)
        let step = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil ? 17 : 1
        for index in stride(from: 0, to: bytes.count, by: step) {
            for bit in [index % 8, (index + 3) % 8] {
                var flipped = bytes
                flipped[index] ^= 1 << UInt8(bit)
                #expect(error(of: flipped) != nil, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test func `a receipt under another root is refused`() throws {
        let other = try ReceiptVerifier(trustedRoots: [try TestIdentities.another.receiptRootCertificate])
        #expect(error(of: try sign(), by: other) == .untrustedChain)
        let both = try ReceiptVerifier(
            trustedRoots: [try TestIdentities.another.receiptRootCertificate, identities.receiptRootCertificate])
        #expect(error(of: try sign(), by: both) == nil)
    }

    @Test func `a receipt stays valid when the leaves are rotated`() throws {
        let before = try sign()
        let rotated = try TestIdentities.rotated
        let after = try ReceiptSigner(identities: rotated).sign(SampleReceipts.full)
        #expect(error(of: before) == nil)
        #expect(error(of: after) == nil)
        #expect(rotated.receiptChain.leaf != identities.receiptChain.leaf)
    }

    @Test func `every certificate must cover the creation date`() throws {
        let limited = try TestIdentities.limited
        let verifier = try ReceiptVerifier(trustedRoots: [limited.receiptRootCertificate])
        func error(createdAt seconds: Double) throws -> ReceiptError.Code? {
            var receipt = SampleReceipts.small
            receipt.creationDate = Date(timeIntervalSince1970: seconds)
            return self.error(of: try ReceiptSigner(identities: limited).sign(receipt), by: verifier)
        }
        #expect(try error(createdAt: 946_684_799) == .expiredCertificate)
        #expect(try error(createdAt: 946_684_800) == nil)
        #expect(try error(createdAt: 2_840_140_801) == .expiredCertificate)
    }

    @Test(arguments: [-1.0, 0, 253_402_300_799])
    func `receipts verify from 1970 to 9999`(seconds: Double) throws {
        var receipt = SampleReceipts.small
        receipt.creationDate = Date(timeIntervalSince1970: seconds)
        #expect(error(of: try sign(receipt)) == (seconds < 0 ? .expiredCertificate : nil))
    }

    // MARK: - Certificates for something else

    private func identities(leaf: CertificateRole, intermediate: CertificateRole) throws -> SigningIdentities {
        let receiptRoot = try #require(identities.receiptRoot)
        let issuer = try receiptRoot.issue("CA", role: intermediate, key: identities.receiptIntermediate.key)
        return SigningIdentities(
            root: identities.root, receiptRoot: receiptRoot,
            transactionIntermediate: identities.transactionIntermediate,
            receiptIntermediate: issuer, transactionLeaf: identities.transactionLeaf,
            receiptLeaf: try issuer.issue("Leaf", role: leaf, key: identities.receiptLeaf.key))
    }

    @Test(arguments: [
        (CertificateRole.root, CertificateRole.intermediate), (.intermediate, .intermediate), (.leaf, .root),
        (.leaf, .leaf),
    ])
    func `certificates without their marker are refused`(leaf: CertificateRole, intermediate: CertificateRole) throws {
        let wrong = try identities(leaf: leaf, intermediate: intermediate)
        let bytes = try ReceiptSigner(identities: wrong).sign(SampleReceipts.small)
        #expect(error(of: bytes) == .wrongCertificatePurpose)
    }

    @Test func `certificates of the right roles are accepted`() throws {
        let right = try identities(leaf: .leaf, intermediate: .intermediate)
        #expect(error(of: try ReceiptSigner(identities: right).sign(SampleReceipts.small)) == nil)
    }

    @Test func `a leaf that another intermediate issued is refused`() throws {
        let other = try TestIdentities.another
        let mixed = SigningIdentities(
            root: identities.root, receiptRoot: identities.receiptRoot,
            transactionIntermediate: identities.transactionIntermediate,
            receiptIntermediate: identities.receiptIntermediate, transactionLeaf: identities.transactionLeaf,
            receiptLeaf: other.receiptLeaf)
        #expect(error(of: try ReceiptSigner(identities: mixed).sign(SampleReceipts.small)) == .untrustedChain)
    }

    @Test func `a refused chain is not remembered`() throws {
        let mixed = try identities(leaf: .leaf, intermediate: .root)
        let bytes = try ReceiptSigner(identities: mixed).sign(SampleReceipts.small)
        #expect(error(of: bytes) == .wrongCertificatePurpose)
        #expect(error(of: bytes) == .wrongCertificatePurpose)
    }

    // MARK: - Bytes that are no receipts

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x00], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x7B, 0x0A], Array("hello".utf8),
            [UInt8](repeating: 0x30, count: 10_000),
        ] as [[UInt8]])
    func `other bytes are no receipt`(bytes: [UInt8]) {
        #expect(error(of: bytes) == .notAReceipt)
    }

    @Test func `nothing larger than the limit is read`() {
        #expect(error(of: [UInt8](repeating: 0x30, count: AppReceipt.maximumSize + 1)) == .tooLarge)
    }

    @Test func `a signed payload of another kind than a receipt is malformed`() throws {
        let bytes = try ReceiptSigner(identities: identities).sign(payload: [0x31, 0x02, 0x05, 0x00])
        #expect(error(of: bytes) == .malformedPayload)
    }

    @Test func `something behind a receipt is refused`() throws {
        #expect(error(of: try sign() + [0x00]) == .notAReceipt)
    }

    // MARK: - Receipts that openssl signs

    private func signWithOpenSSL(_ options: String...) throws -> [UInt8] {
        let openssl = try OpenSSL()
        let chain = identities.receiptChain
        try openssl.write(chain: chain)
        try openssl.write(certificates: [chain.intermediate, chain.root], to: "others.pem")
        try openssl.write(Array(identities.receiptLeaf.keyPEM.utf8), to: "key.pem")
        try openssl.write(SampleReceipts.full.encodedPayload(), to: "payload")
        let arguments =
            [
                "cms", "-sign", "-binary", "-nodetach", "-signer", "leaf.pem", "-inkey", "key.pem", "-certfile",
                "others.pem", "-outform", "DER", "-in", "payload", "-out", "receipt",
            ] + options
        let result = try openssl.run(arguments)
        try #require(result.status == 0, "\(result.output)")
        return try openssl.read("receipt")
    }

    @Test(arguments: ["sha256", "sha1"])
    func `receipts that openssl signs without attributes are accepted`(digest: String) throws {
        let bytes = try signWithOpenSSL("-noattr", "-md", digest)
        #expect(SampleReceipts.sorted(try verifier.verify(bytes)) == SampleReceipts.sorted(SampleReceipts.full))
    }

    @Test func `receipts that openssl signs with attributes are accepted`() throws {
        #expect(error(of: try signWithOpenSSL("-md", "sha256")) == nil)
    }

    @Test func `signed attributes must name the payload's digest`() throws {
        var bytes = try signWithOpenSSL("-md", "sha256")
        let payload = SampleReceipts.full.encodedPayload()
        let start = try #require(bytes.firstRange(of: payload)?.lowerBound)
        // The last octet of the payload is inside a value.
        bytes[start + payload.count - 1] ^= 1
        #expect(error(of: bytes) == .badSignature)
    }

    @Test func `digests that receipts do not use are refused`() throws {
        #expect(error(of: try signWithOpenSSL("-md", "sha512")) == .unsupportedAlgorithm)
    }

    @Test func `indefinite lengths, as Xcode writes them, are told apart`() throws {
        #expect(error(of: try signWithOpenSSL("-stream", "-md", "sha256")) == .indefiniteLength)
    }

    /// sha256WithRSAEncryption in place of rsaEncryption, as other signers name it.
    @Test func `the combined algorithm is accepted if it is the digest's`() throws {
        let plain = ReceiptContainer.rsaEncryption + ReceiptContainer.null
        func replaced(by algorithm: [UInt8]) throws -> [UInt8] {
            var bytes = try sign(SampleReceipts.small)
            // The first places are in the certificates' keys, the last is the signer's.
            let places = bytes.indices.dropLast(plain.count).filter {
                bytes[$0..<$0 + plain.count].elementsEqual(plain)
            }
            let last = try #require(places.last)
            bytes.replaceSubrange(last..<last + algorithm.count, with: algorithm)
            return bytes
        }
        #expect(error(of: try replaced(by: ReceiptContainer.sha256WithRSA)) == nil)
        #expect(error(of: try replaced(by: ReceiptContainer.sha1WithRSA)) == .unsupportedAlgorithm)
    }
}
