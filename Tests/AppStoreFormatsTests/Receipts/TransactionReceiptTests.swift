import BaseEncoding
import Foundation
import TestRandomness
import Testing

@testable import AppStoreFormats

struct TransactionReceiptTests {
    private let identities: SigningIdentities
    private let signer: TransactionReceiptSigner
    private let verifier: TransactionReceiptVerifier

    init() throws {
        identities = try TestIdentities.shared
        signer = TransactionReceiptSigner(identities: identities)
        verifier = try TransactionReceiptVerifier(trustedRoots: [identities.receiptRootCertificate])
    }

    static func receipt(_ environment: AppStoreEnvironment = .sandbox) -> TransactionReceipt {
        var receipt = TransactionReceipt(
            environment: environment, bundleID: "com.example.magazine", applicationVersion: "42", itemID: 987_654_321,
            productID: "com.example.monthly", transactionID: "1000000171750000",
            originalTransactionID: "1000000171740000", purchaseDate: Date(timeIntervalSince1970: 1_439_452_246),
            originalPurchaseDate: Date(timeIntervalSince1970: 1_439_000_000.123))
        receipt.quantity = 3
        receipt.expiresDate = Date(timeIntervalSince1970: 1_442_130_646)
        receipt.webOrderLineItemID = 1_000_000_030_000_000
        receipt.appItemID = 1_234_567_890
        receipt.versionExternalIdentifier = 870_000_001
        receipt.uniqueIdentifier = "00008030-001A"
        receipt.uniqueVendorIdentifier = "7E3FB20B-4CDB-47CC-936D-99D65F608138"
        receipt.isTrialPeriod = true
        receipt.isInIntroOfferPeriod = true
        return receipt
    }

    private func error(of bytes: [UInt8]) -> ReceiptError.Code? {
        do throws(ReceiptError) {
            _ = try verifier.verify(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: ReceiptDigest.allCases, [AppStoreEnvironment.sandbox, .production])
    func `what was signed is read again`(digest: ReceiptDigest, environment: AppStoreEnvironment) throws {
        let signer = TransactionReceiptSigner(identities: identities, digest: digest)
        let receipt = Self.receipt(environment)
        #expect(try verifier.verify(try signer.sign(receipt)) == receipt)
    }

    @Test func `a consumable has no dates of a subscription`() throws {
        var receipt = Self.receipt()
        receipt.expiresDate = nil
        receipt.isInIntroOfferPeriod = false
        receipt.webOrderLineItemID = nil
        #expect(try verifier.verify(try signer.sign(receipt)) == receipt)
        let keys = try PropertyListText.decode(receipt.encodedPurchaseInfo()).keys
        #expect(keys.filter { $0.hasPrefix("expires-date") || $0 == "is-in-intro-offer-period" } == [])
    }

    /// The two expressions with which the App Store's libraries find the transaction.
    @Test func `the expressions of the official libraries find the transaction`() throws {
        let text = String(decoding: try signer.sign(Self.receipt()), as: UTF8.self)
        let outer = try #require(text.firstMatch(of: #/"purchase-info"\s+=\s+"([a-zA-Z0-9+/=]+)";/#))
        let inner = String(decoding: try #require(Data(base64Encoded: String(outer.1))), as: UTF8.self)
        let match = try #require(inner.firstMatch(of: #/"transaction-id"\s+=\s+"([a-zA-Z0-9+/=]+)";/#))
        #expect(match.1 == "1000000171750000")
    }

    @Test func `purchase information has the keys of genuine receipts`() throws {
        let info = try PropertyListText.decode(Self.receipt().encodedPurchaseInfo())
        let expected = [
            "original-purchase-date": "2015-08-08 02:13:20 Etc/GMT", "original-purchase-date-ms": "1439000000123",
            "original-purchase-date-pst": "2015-08-07 19:13:20 America/Los_Angeles",
            "purchase-date": "2015-08-13 07:50:46 Etc/GMT", "purchase-date-ms": "1439452246000",
            "purchase-date-pst": "2015-08-13 00:50:46 America/Los_Angeles", "expires-date": "1442130646000",
            "expires-date-formatted": "2015-09-13 07:50:46 Etc/GMT",
            "expires-date-formatted-pst": "2015-09-13 00:50:46 America/Los_Angeles",
            "transaction-id": "1000000171750000", "original-transaction-id": "1000000171740000",
            "web-order-line-item-id": "1000000030000000", "product-id": "com.example.monthly", "item-id": "987654321",
            "app-item-id": "1234567890", "version-external-identifier": "870000001", "bid": "com.example.magazine",
            "bvrs": "42", "quantity": "3", "unique-identifier": "00008030-001A",
            "unique-vendor-identifier": "7E3FB20B-4CDB-47CC-936D-99D65F608138", "is-trial-period": "true",
            "is-in-intro-offer-period": "true", "environment": "Sandbox",
        ]
        #expect(info == expected)
    }

    @Test func `only receipts of the sandbox name their environment outside`() throws {
        let sandbox = try PropertyListText.decode(try signer.sign(Self.receipt(.sandbox)))
        let production = try PropertyListText.decode(try signer.sign(Self.receipt(.production)))
        #expect(Set(sandbox.keys) == ["signature", "purchase-info", "environment", "pod", "signing-status"])
        #expect(Set(production.keys) == ["signature", "purchase-info", "pod", "signing-status"])
    }

    @Test func `a receipt of the sandbox cannot be passed off as one of production`() throws {
        let text = String(decoding: try signer.sign(Self.receipt()), as: UTF8.self)
        let stripped = text.replacing("\t\"environment\" = \"Sandbox\";\n", with: "")
        #expect(stripped != text)
        #expect(try verifier.verify(Array(stripped.utf8)).environment == .sandbox)
        let renamed = text.replacing("\"Sandbox\"", with: "\"Production\"")
        #expect(error(of: Array(renamed.utf8)) == .badSignature)
    }

    @Test func `changed purchase information is refused`() throws {
        let entries = try PropertyListText.decode(try signer.sign(Self.receipt()))
        var info = try #require(entries["purchase-info"].flatMap { Base64.decode($0) })
        let signature = try #require(entries["signature"])
        for index in stride(from: 0, to: info.count, by: 29) {
            info[index] ^= 1
            let bytes = PropertyListText.encode([("signature", signature), ("purchase-info", Base64.encode(info))])
            #expect(error(of: bytes) == .badSignature, "byte \(index)")
            info[index] ^= 1
        }
    }

    @Test func `a changed signature is refused`() throws {
        let entries = try PropertyListText.decode(try signer.sign(Self.receipt()))
        var signature = try #require(entries["signature"].flatMap { Base64.decode($0) })
        let info = try #require(entries["purchase-info"])
        for index in stride(from: 0, to: signature.count, by: 41) {
            signature[index] ^= 1
            let bytes = PropertyListText.encode([("signature", Base64.encode(signature)), ("purchase-info", info)])
            #expect(error(of: bytes) != nil, "byte \(index)")
            signature[index] ^= 1
        }
    }

    @Test func `a receipt under another root is refused`() throws {
        let other = TransactionReceiptSigner(identities: try TestIdentities.another)
        #expect(error(of: try other.sign(Self.receipt())) == .untrustedChain)
    }

    @Test func `a receipt stays valid when the leaves are rotated`() throws {
        let rotated = TransactionReceiptSigner(identities: try TestIdentities.rotated)
        #expect(error(of: try rotated.sign(Self.receipt())) == nil)
        #expect(error(of: try signer.sign(Self.receipt())) == nil)
    }

    @Test func `the signature is laid out as documented`() throws {
        let entries = try PropertyListText.decode(try signer.sign(Self.receipt()))
        let bytes = try #require(entries["signature"].flatMap { Data(base64Encoded: $0) })
        let leaf = identities.receiptChain.leaf
        #expect(bytes[0] == 3)
        #expect(Array(bytes[257..<261]) == [0, 0, UInt8(leaf.count >> 8), UInt8(leaf.count & 255)])
        #expect(Array(bytes[261..<261 + leaf.count]) == leaf)
        #expect(Array(bytes.suffix(identities.receiptChain.intermediate.count)) == identities.receiptChain.intermediate)
    }

    @Test(arguments: [
        "", "{", "{}", "{ \"a\" }", "{ \"a\" = \"b\" }", "{ a = b; }", "{ \"a\" = \"b\"; } x", "{ \"a\" = \"b",
        "{ \"a\" = \"\\", "{ \"a\" = \"1\"; \"a\" = \"2\"; }",
        "{ \"signature\" = \"AAAA\"; \"purchase-info\" = \"AAAA\"; }",
    ])
    func `other texts are no receipt`(text: String) {
        #expect(error(of: Array(text.utf8)) == .notAReceipt)
    }

    @Test func `quotes and backslashes survive`() throws {
        let bytes = PropertyListText.encode([("key \"\\", "value \\\" ä")])
        #expect(try PropertyListText.decode(bytes) == ["key \"\\": "value \\\" ä"])
    }

    @Test func `damaged receipts never crash the parser`() throws {
        var generator = SeededGenerator(seed: 4)
        let original = try signer.sign(Self.receipt())
        let info = Self.receipt().encodedPurchaseInfo()
        for number in 0..<4_000 {
            var bytes = number.isMultiple(of: 2) ? original : info
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            if Bool.random(using: &generator) {
                bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            } else {
                bytes.removeSubrange(index...)
            }
            if number.isMultiple(of: 2) {
                _ = try? PropertyListText.decode(bytes)
            } else {
                _ = try? TransactionReceipt(purchaseInfo: bytes)
            }
        }
    }
}
