import Foundation
import Testing

@testable import AppStoreFormats

/// openssl judges the receipts that we sign.
struct ReceiptSigningTests {
    @Test(arguments: ReceiptDigest.allCases, ["cms", "smime"])
    func `openssl verifies our receipts`(digest: ReceiptDigest, command: String) throws {
        let openssl = try OpenSSL()
        let identities = try TestIdentities.shared
        let receipt = SampleReceipts.full
        try openssl.write(chain: identities.receiptChain)
        try openssl.write(try ReceiptSigner(identities: identities, digest: digest).sign(receipt), to: "receipt")
        let result = try openssl.run(
            command, "-verify", "-binary", "-inform", "DER", "-in", "receipt", "-CAfile", "root.pem", "-purpose", "any",
            "-out", "payload")
        #expect(result.status == 0, "\(result.output)")
        #expect(try openssl.read("payload") == receipt.encodedPayload())
    }

    @Test func `openssl refuses our receipts under another root`() throws {
        let openssl = try OpenSSL()
        try openssl.write(chain: try TestIdentities.another.receiptChain)
        let bytes = try ReceiptSigner(identities: try TestIdentities.shared).sign(SampleReceipts.small)
        try openssl.write(bytes, to: "receipt")
        let result = try openssl.run(
            "cms", "-verify", "-binary", "-inform", "DER", "-in", "receipt", "-CAfile", "root.pem", "-purpose", "any",
            "-out", "payload")
        #expect(result.status != 0)
    }

    /// The container of a genuine receipt, line by line: depth, tag and value as `openssl asn1parse` prints them.
    @Test(arguments: [(ReceiptDigest.sha256, "sha256"), (.sha1, "sha1")])
    func `the container has the shape of genuine receipts`(digest: ReceiptDigest, name: String) throws {
        let openssl = try OpenSSL()
        let bytes = try ReceiptSigner(identities: try TestIdentities.shared, digest: digest).sign(SampleReceipts.full)
        try openssl.write(bytes, to: "receipt")
        let output = try openssl.run("asn1parse", "-inform", "DER", "-in", "receipt").output
        let lines = output.split(separator: "\n").compactMap { line -> String? in
            guard let depth = line.firstMatch(of: /d=(\d+) .*?(prim|cons): (.*)/), let level = Int(depth.1) else {
                return nil
            }
            // The contents of the certificates and of the issuer's name don't belong to the container.
            return level <= 5
                ? "\(level) \(depth.2) \(depth.3.replacing(/\s+/, with: " ").replacing(/\[HEX DUMP\].*/, with: ""))"
                : nil
        }
        let certificate = ["4 cons SEQUENCE", "5 cons SEQUENCE", "5 cons SEQUENCE", "5 prim BIT STRING"]
        let expected =
            [
                "0 cons SEQUENCE", "1 prim OBJECT :pkcs7-signedData", "1 cons cont [ 0 ]", "2 cons SEQUENCE",
                "3 prim INTEGER :01", "3 cons SET", "4 cons SEQUENCE", "5 prim OBJECT :\(name)", "5 prim NULL",
                "3 cons SEQUENCE", "4 prim OBJECT :pkcs7-data", "4 cons cont [ 0 ]", "5 prim OCTET STRING",
                "3 cons cont [ 0 ]",
            ] + certificate + certificate + certificate + [
                "3 cons SET", "4 cons SEQUENCE", "5 prim INTEGER :01", "5 cons SEQUENCE", "5 cons SEQUENCE",
                "5 cons SEQUENCE", "5 prim OCTET STRING",
            ]
        let found = lines.map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(found == expected)
        #expect(output.contains("rsaEncryption"))
        #expect(!output.contains("inf  "), "definite lengths only")
    }

    @Test func `leaf, intermediate and root are embedded in this order`() throws {
        let identities = try TestIdentities.shared
        let container = try ParsedReceiptContainer(
            try ReceiptSigner(identities: identities).sign(SampleReceipts.small))
        #expect(container.certificates == identities.receiptChain.certificates)
        #expect(container.signedAttributes == nil)
        #expect(container.signature.count == 256)
    }

    @Test func `the same receipt gives the same bytes`() throws {
        let signer = ReceiptSigner(identities: try TestIdentities.shared)
        #expect(try signer.sign(SampleReceipts.full) == signer.sign(SampleReceipts.full))
    }
}
