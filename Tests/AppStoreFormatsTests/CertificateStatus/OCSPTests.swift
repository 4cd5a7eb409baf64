import Foundation
import Perennial
import Testing

@testable import AppStoreFormats

/// openssl asks and judges the answers.
struct OCSPTests {
    let openssl: OpenSSL
    let store: StatusFolder

    init() throws {
        openssl = try OpenSSL()
        store = try StatusFolder()
    }

    /// Lets openssl write a request about a certificate, answers it, and lets openssl say what it makes of the answer.
    /// - Parameter now: openssl compares with the clock on the wall.
    func status(
        of certificate: String, issuer: String, _ options: [String] = [], at now: Instant = Instant(Date())
    ) throws -> String {
        let asking =
            options + ["-issuer", issuer]
            + (certificate.hasPrefix("0x")
                ? ["-serial", certificate] : ["-cert", certificate])
        let asked = try openssl.run(["ocsp"] + asking + ["-reqout", "request.der"])
        #expect(asked.status == 0, "\(asked.output)")
        try openssl.write(
            store.folder.certificateStatus(try openssl.read("request.der"), at: now), to: "response.der")
        // Without the option it would put another nonce into the request that it compares with.
        return try openssl.run(
            ["ocsp"] + asking + [
                "-no_nonce", "-reqin", "request.der", "-respin", "response.der", "-CAfile", "root.pem",
            ]
        ).output
    }

    @Test(arguments: SigningLeaf.allCases, ["-sha1", "-sha256", "-sha384"])
    func `every certificate in use is good, with each hash function`(leaf: SigningLeaf, hash: String) throws {
        let identities = store.folder.identities
        try openssl.write(chain: leaf == .transactions ? identities.transactionChain : identities.receiptChain)
        for (certificate, issuer) in [("leaf.pem", "intermediate.pem"), ("intermediate.pem", "root.pem")] {
            let answer = try status(of: certificate, issuer: issuer, [hash])
            #expect(answer.contains("Response verify OK"), "\(answer)")
            #expect(answer.contains("\(certificate): good"), "\(answer)")
            #expect(!answer.contains("WARNING: no nonce"), "\(answer)")
        }
    }

    /// Apple's library for Node refuses what an issuer signs itself.
    @Test(arguments: SigningLeaf.allCases)
    func `an answer is signed by a responder with the issuer's delegation`(leaf: SigningLeaf) throws {
        let identities = store.folder.identities
        try openssl.write(chain: leaf == .transactions ? identities.transactionChain : identities.receiptChain)
        for (certificate, issuer) in [("leaf.pem", "intermediate.pem"), ("intermediate.pem", "root.pem")] {
            #expect(try status(of: certificate, issuer: issuer).contains("Response verify OK"))
            let text = try openssl.run("ocsp", "-respin", "response.der", "-noverify", "-resp_text").output
            for part in ["Perennial OCSP Responder", "OCSP Signing", "OCSP No Check", "CA:FALSE"] {
                #expect(text.contains(part), "\(part) in \(text)")
            }
        }
    }

    @Test func `a revoked leaf is revoked, with date and reason, and its replacement is good`() throws {
        try openssl.write(chain: store.folder.identities.transactionChain)
        let revocation = CertificateRevocation(date: StatusFolder.now, reason: .keyCompromise)
        let serial = store.folder.serialNumber(of: .transactions)
        #expect(try store.folder.revoke(.transactions, revocation) == serial)
        let answer = try status(of: "leaf.pem", issuer: "intermediate.pem")
        #expect(answer.contains("leaf.pem: revoked"), "\(answer)")
        #expect(answer.contains("Reason: keyCompromise"), "\(answer)")
        #expect(answer.contains("Revocation Time: Nov 21 10:00:00 2026 GMT"), "\(answer)")
        try openssl.write(chain: store.folder.identities.transactionChain)
        #expect(try status(of: "leaf.pem", issuer: "intermediate.pem").contains("leaf.pem: good"))
        #expect(try store.folder.revocations() == [serial: revocation])
    }

    /// The key is the same, so what is said of one holds for the other.
    @Test func `a certificate for receipts from 2050 on has the status of the one it replaces`() throws {
        let late = Date(timeIntervalSince1970: 3_000_000_000)
        let chain = try store.folder.identities.receiptChain(at: late)
        try openssl.write(chain: chain)
        #expect(try status(of: "leaf.pem", issuer: "intermediate.pem").contains("leaf.pem: good"))
        #expect(try status(of: "intermediate.pem", issuer: "root.pem").contains("intermediate.pem: good"))
        _ = try store.folder.revoke(.receipts, CertificateRevocation(date: StatusFolder.now, reason: .keyCompromise))
        #expect(try status(of: "leaf.pem", issuer: "intermediate.pem").contains("leaf.pem: revoked"))
        try openssl.write(chain: try store.folder.identities.receiptChain(at: late))
        #expect(try status(of: "leaf.pem", issuer: "intermediate.pem").contains("leaf.pem: good"))
    }

    @Test func `a number that was never issued is unknown`() throws {
        try openssl.write(chain: store.folder.identities.transactionChain)
        let answer = try status(of: "0x1234567890", issuer: "intermediate.pem")
        #expect(answer.contains("0x1234567890: unknown"), "\(answer)")
        // Another issuer's leaf is none of this one's.
        let receipts = "0x" + store.folder.serialNumber(of: .receipts)
        #expect(try status(of: receipts, issuer: "intermediate.pem").contains(": unknown"))
    }

    @Test func `certificates of another authority get the answer unauthorized`() throws {
        try openssl.write(chain: try TestIdentities.another.transactionChain)
        let answer = try status(of: "leaf.pem", issuer: "intermediate.pem")
        #expect(answer.contains("unauthorized"), "\(answer)")
    }

    @Test func `an answer is good for ten minutes`() throws {
        try openssl.write(chain: store.folder.identities.transactionChain)
        // openssl allows for clocks that differ by five minutes.
        let old = Instant(milliseconds: Instant(Date()).milliseconds - 601_000 - 300_000)
        #expect(try status(of: "leaf.pem", issuer: "intermediate.pem", at: old).contains("Status times invalid"))
        _ = try status(of: "leaf.pem", issuer: "intermediate.pem", at: StatusFolder.now)
        let text = try openssl.run("ocsp", "-respin", "response.der", "-noverify", "-resp_text").output
        #expect(text.contains("This Update: Nov 21 10:00:00 2026 GMT"), "\(text)")
        #expect(text.contains("Next Update: Nov 21 10:10:00 2026 GMT"), "\(text)")
    }

    @Test func `a request without a nonce is answered without one`() throws {
        try openssl.write(chain: store.folder.identities.transactionChain)
        let answer = try status(of: "leaf.pem", issuer: "intermediate.pem", ["-no_nonce"])
        #expect(answer.contains("leaf.pem: good"), "\(answer)")
        #expect(
            !(try openssl.run("ocsp", "-respin", "response.der", "-noverify", "-resp_text").output).contains("Nonce"))
    }

    @Test func `malformed requests are answered as such and never crash the process`() throws {
        try openssl.write(chain: store.folder.identities.transactionChain)
        _ = try status(of: "leaf.pem", issuer: "intermediate.pem")
        let request = try openssl.read("request.der")
        let malformed: [UInt8] = [0x30, 0x03, 0x0A, 0x01, 0x01]
        #expect(store.folder.certificateStatus([], at: StatusFolder.now) == malformed)
        for length in 0..<request.count {
            #expect(store.folder.certificateStatus(Array(request[..<length]), at: StatusFolder.now) == malformed)
        }
        for index in request.indices {
            var changed = request
            changed[index] ^= 0x55
            #expect(store.folder.certificateStatus(changed, at: StatusFolder.now).first == 0x30)
        }
    }

    @Test func `certificates that were replaced stay good`() throws {
        let old = store.folder.identities
        try store.folder.publish(at: CertificateURLs(base: "http://elsewhere.example"))
        #expect(store.folder.identities.transactionChain.leaf != old.transactionChain.leaf)
        for chain in [old.transactionChain, old.receiptChain] {
            try openssl.write(chain: chain)
            #expect(try status(of: "leaf.pem", issuer: "intermediate.pem").contains("leaf.pem: good"))
            #expect(try status(of: "intermediate.pem", issuer: "root.pem").contains("intermediate.pem: good"))
        }
    }
}
