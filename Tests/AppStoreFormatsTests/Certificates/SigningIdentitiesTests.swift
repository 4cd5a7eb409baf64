import Foundation
import Testing

@testable import AppStoreFormats

struct SigningIdentitiesTests {
    enum Purpose: CaseIterable {
        case transactions, receipts

        func chain(of identities: SigningIdentities) -> CertificateChain {
            self == .transactions ? identities.transactionChain : identities.receiptChain
        }
    }

    @Test(arguments: Purpose.allCases)
    func `openssl verifies both chains by the strict rules`(purpose: Purpose) throws {
        let openssl = try OpenSSL()
        try openssl.write(chain: purpose.chain(of: try TestIdentities.shared))
        let result = try openssl.run(
            "verify", "-x509_strict", "-purpose", "any", "-CAfile", "root.pem", "-untrusted", "intermediate.pem",
            "leaf.pem")
        #expect(result.status == 0, "\(result.output)")
    }

    /// The first and the last second of ``SigningIdentities/validity``, and what lies just outside.
    @Test(arguments: Purpose.allCases)
    func `openssl finds both chains valid at all times at which they sign`(purpose: Purpose) throws {
        let identities = try TestIdentities.shared
        let validity = identities.validity
        #expect(validity.lowerBound.timeIntervalSince1970 == 0)
        #expect(validity.upperBound.timeIntervalSince1970 == 253_402_300_798)
        let openssl = try OpenSSL()
        try openssl.write(chain: purpose.chain(of: identities))
        for (second, isValid) in [
            (0, true), (946_684_799, true), (4_102_444_800, true), (253_402_300_798, true), (253_402_300_799, false),
        ] {
            let result = try openssl.run(
                "verify", "-x509_strict", "-attime", "\(second)", "-CAfile", "root.pem", "-untrusted",
                "intermediate.pem", "leaf.pem")
            #expect((result.status == 0) == isValid, "at \(second): \(result.output)")
        }
    }

    @Test func `nothing under a root that ends is valid for longer`() throws {
        let limited = try TestIdentities.limited
        let span = (
            limited.validity.lowerBound.timeIntervalSince1970, limited.validity.upperBound.timeIntervalSince1970
        )
        #expect(span == (946_684_800, 2_840_140_799))
        let rotated = try limited.withNewLeaves()
        #expect(rotated.validity == limited.validity)
    }

    @Test func `there is one root for both chains`() throws {
        let identities = try TestIdentities.shared
        #expect(identities.transactionChain.root == identities.receiptChain.root)
        #expect(identities.rootCertificate == identities.receiptChain.root)
    }

    /// What openssl prints of each certificate.
    struct Expectation: Sendable, CustomTestStringConvertible {
        let purpose: Purpose
        /// 0 for the leaf, 1 for the intermediate, 2 for the root.
        let index: Int
        let subject: String
        let contains: [String]

        var testDescription: String { subject }
    }

    static let always = ["Basic Constraints: critical", "Key Usage: critical", "Key Identifier", "Not Before: Jan  1"]
    static let authority = ["CA:TRUE", "Certificate Sign, CRL Sign"]
    static let expectations = [
        Expectation(
            purpose: .transactions, index: 2, subject: "Perennial Root CA",
            contains: authority + ["P-384", "ecdsa-with-SHA384"]),
        Expectation(
            purpose: .transactions, index: 1, subject: "Perennial Transactions CA",
            contains: authority + ["P-384", "ecdsa-with-SHA384", "pathlen:0", "1.2.840.113635.100.6.2.1:"]),
        Expectation(
            purpose: .transactions, index: 0, subject: "Perennial Transaction Signing",
            contains: ["P-256", "ecdsa-with-SHA384", "CA:FALSE", "Digital Signature", "1.2.840.113635.100.6.11.1:"]),
        Expectation(
            purpose: .receipts, index: 1, subject: "Perennial Receipts CA",
            contains: authority + ["2048 bit", "ecdsa-with-SHA384", "pathlen:0", "1.2.840.113635.100.6.2.1:"]),
        Expectation(
            purpose: .receipts, index: 0, subject: "Perennial Receipt Signing",
            contains: [
                "2048 bit", "sha256WithRSAEncryption", "CA:FALSE", "Digital Signature", "1.2.840.113635.100.6.11.1:",
            ]),
    ]

    @Test(arguments: expectations)
    func `each certificate has its key, its constraints and its marker`(_ expectation: Expectation) throws {
        let openssl = try OpenSSL()
        let chain = expectation.purpose.chain(of: try TestIdentities.shared)
        try openssl.write(chain.certificates[expectation.index], to: "certificate.cer")
        let text = try openssl.run("x509", "-inform", "DER", "-in", "certificate.cer", "-noout", "-text").output
        for part in expectation.contains + Self.always + [expectation.subject] {
            #expect(text.contains(part), "no \(part) in \(text)")
        }
    }

    @Test func `every certificate has a serial number of its own`() throws {
        let identities = try TestIdentities.shared
        let certificates = identities.transactionChain.certificates + identities.receiptChain.certificates
        let serials = try certificates.map { try CertificateIdentity(certificate: $0).serialNumber }
        #expect(Set(serials).count == 5)
        #expect(serials.allSatisfy { (3...10).contains($0.count) && $0[2] & 0x80 == 0 }, "positive, 64 bits at most")
    }
}
