import Foundation
import Testing
import X509

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
    @Test func `openssl finds the chain of signed data valid at every date it signs`() throws {
        let identities = try TestIdentities.shared
        let validity = identities.validity
        #expect(validity.lowerBound.timeIntervalSince1970 == 0)
        #expect(validity.upperBound.timeIntervalSince1970 == 253_402_300_798)
        let openssl = try OpenSSL()
        try openssl.write(chain: identities.transactionChain)
        for (second, isValid) in [
            (0, true), (946_684_799, true), (4_102_444_800, true), (253_402_300_798, true), (253_402_300_799, false),
        ] {
            let result = try openssl.run(
                "verify", "-x509_strict", "-attime", "\(second)", "-CAfile", "root.pem", "-untrusted",
                "intermediate.pem", "leaf.pem")
            #expect((result.status == 0) == isValid, "at \(second): \(result.output)")
        }
    }

    /// Strict readers of receipts know no other form of a date: GeneralizedTime, which begins with 2050, is not read.
    @Test(arguments: [0, 946_684_799, 1_800_000_000, 2_524_607_998])
    func `before 2050 all dates of a receipt's chain are written as UTCTime`(second: Int) throws {
        let date = Date(timeIntervalSince1970: Double(second))
        let chain = try TestIdentities.shared.receiptChain(at: date)
        #expect(chain == (try TestIdentities.shared.receiptChain))
        let openssl = try OpenSSL()
        try openssl.write(chain: chain)
        for file in ["leaf.pem", "intermediate.pem", "root.pem"] {
            let text = try openssl.run("asn1parse", "-in", file).output
            #expect(text.contains("UTCTIME") && !text.contains("GENERALIZEDTIME"), "\(text)")
        }
        let result = try openssl.run(
            "verify", "-x509_strict", "-attime", "\(second)", "-CAfile", "root.pem", "-untrusted", "intermediate.pem",
            "leaf.pem")
        #expect(result.status == 0, "\(result.output)")
    }

    /// The root's own end is left out, as RFC 5280 has it (6.1.1): openssl has no option for that but to trust the
    /// intermediate.
    @Test(arguments: [2_524_607_999, 2_524_608_000, 4_102_444_800, 253_402_300_798])
    func `from 2050 on a receipt's chain has the same keys and is valid`(second: Int) throws {
        let identities = try TestIdentities.shared
        let chain = try identities.receiptChain(at: Date(timeIntervalSince1970: Double(second)))
        #expect(chain.root == identities.receiptRootCertificate)
        #expect(chain == (try identities.receiptChain(at: Date(timeIntervalSince1970: 3_000_000_000))), "made once")
        let (leaf, intermediate) = (try Certificate(der: chain.leaf), try Certificate(der: chain.intermediate))
        #expect(leaf.publicKey == identities.receiptLeaf.certificate.publicKey)
        #expect(intermediate.publicKey == identities.receiptIntermediate.certificate.publicKey)
        let openssl = try OpenSSL()
        try openssl.write(chain: chain)
        for arguments in [
            ["-attime", "\(second)", "-partial_chain", "-CAfile", "intermediate.pem"],
            ["-no_check_time", "-CAfile", "root.pem", "-untrusted", "intermediate.pem"],
        ] {
            let result = try openssl.run(["verify", "-x509_strict"] + arguments + ["leaf.pem"])
            #expect(result.status == 0, "\(result.output)")
        }
    }

    @Test func `another process makes the same late certificates`() throws {
        let identities = try TestIdentities.shared
        let again = SigningIdentities(
            root: identities.root, receiptRoot: identities.receiptRoot,
            transactionIntermediate: identities.transactionIntermediate,
            receiptIntermediate: identities.receiptIntermediate, transactionLeaf: identities.transactionLeaf,
            receiptLeaf: identities.receiptLeaf)
        let date = Date(timeIntervalSince1970: 3_000_000_000)
        #expect(try again.receiptChain(at: date) == identities.receiptChain(at: date))
        let rotated = try identities.withNewLeaves([.receipts])
        #expect(try rotated.receiptChain(at: date).leaf != identities.receiptChain(at: date).leaf)
    }

    @Test(arguments: [1, 0x7F, 0x80, 0x1234, 0x80_0000_0000_0000, 0x0180_0000_0000_0000, UInt64(Int64.max)])
    func `a late certificate's serial number leads back to the other's`(number: UInt64) throws {
        let key = try TestIdentities.shared.receiptLeaf.key
        let certificate = try TestIdentities.shared.receiptIntermediate.issue(
            "One", role: .leaf, key: key, serialNumber: Certificate.SerialNumber(number))
        let late = try TestIdentities.shared.receiptIntermediate.issue(
            "One", role: .leaf, key: key, serialNumber: LateSerialNumber.of(certificate.certificate))
        #expect(late.serialNumber != certificate.serialNumber)
        #expect(LateSerialNumber.original(of: late.serialNumber) == certificate.serialNumber)
        #expect(LateSerialNumber.original(of: certificate.serialNumber) == certificate.serialNumber)
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

    @Test func `signed data and receipts have a root each`() throws {
        let identities = try TestIdentities.shared
        #expect(identities.rootCertificate == identities.transactionChain.root)
        #expect(identities.receiptRootCertificate == identities.receiptChain.root)
        #expect(identities.rootCertificate != identities.receiptRootCertificate)
    }

    /// The properties of a certificate as openssl prints them.
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
            purpose: .receipts, index: 2, subject: "Perennial Receipt Root CA",
            contains: authority + ["2048 bit", "sha256WithRSAEncryption", "Not After : Dec 31 23:59:59 2049 GMT"]),
        Expectation(
            purpose: .receipts, index: 1, subject: "Perennial Receipts CA",
            contains: authority + ["2048 bit", "sha256WithRSAEncryption", "pathlen:0", "1.2.840.113635.100.6.2.1:"]),
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
        #expect(Set(serials).count == 6)
        #expect(serials.allSatisfy { (3...10).contains($0.count) && $0[2] & 0x80 == 0 }, "positive, 64 bits at most")
    }
}
