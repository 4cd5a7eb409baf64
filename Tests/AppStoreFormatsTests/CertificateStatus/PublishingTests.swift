import Foundation
import Testing

@testable import AppStoreFormats

/// Certificates say where to ask about them.
struct PublishingTests {
    let openssl = Result { try OpenSSL() }

    private func text(_ certificate: [UInt8]) throws -> String {
        let openssl = try openssl.get()
        try openssl.write(certificate, to: "certificate.cer")
        return try openssl.run("x509", "-inform", "DER", "-in", "certificate.cer", "-noout", "-text").output
    }

    @Test func `intermediates and leaves name responder and issuer, the root names nothing`() throws {
        let identities = try StatusFolder().folder.identities
        for (chain, issuer, root) in [
            (identities.transactionChain, "transactions-ca", "root"),
            (identities.receiptChain, "receipts-ca", "receipt-root"),
            (
                try identities.receiptChain(at: Date(timeIntervalSince1970: 4_000_000_000)), "receipts-ca",
                "receipt-root"
            ),
        ] {
            let base = "http://store.example:8080"
            for (certificate, issuer) in [(chain.leaf, issuer), (chain.intermediate, root)] {
                let text = try text(certificate)
                #expect(text.contains("OCSP - URI:\(base)/ocsp\n"), "\(text)")
                #expect(text.contains("CA Issuers - URI:\(base)/certificates/\(issuer).cer\n"), "\(text)")
            }
            #expect(try !text(chain.root).contains("Authority Information Access"))
        }
    }

    @Test func `the same URL changes nothing; another changes certificates and keeps keys`() throws {
        let store = try StatusFolder()
        let first = store.folder.identities
        try store.folder.publish(at: StatusFolder.urls)
        #expect(store.folder.identities.transactionChain == first.transactionChain)
        #expect(try SigningIdentities.load(from: store.directory).receiptChain == first.receiptChain)
        try store.folder.publish(at: CertificateURLs(base: "http://127.0.0.1:9000"))
        let second = store.folder.identities
        #expect(try SigningIdentities.load(from: store.directory).receiptChain == second.receiptChain)
        #expect(second.rootCertificate == first.rootCertificate)
        #expect(second.receiptRootCertificate == first.receiptRootCertificate)
        #expect(second.transactionLeaf.keyPEM == first.transactionLeaf.keyPEM)
        #expect(second.receiptLeaf.keyPEM == first.receiptLeaf.keyPEM)
        #expect(second.transactionChain.leaf != first.transactionChain.leaf)
        #expect(second.transactionChain.intermediate != first.transactionChain.intermediate)
        let keys = try FileManager.default.contentsOfDirectory(atPath: store.directory.path).filter {
            $0.hasSuffix(".pem")
        }
        #expect(keys.count == 6)
    }

    @Test func `signed data stays valid, and new leaves keep the URL`() throws {
        let store = try StatusFolder()
        let verifier = try JWSVerifier(trustedRoots: [store.folder.identities.rootCertificate])
        let payload = Array(#"{"signedDate": 1700000000000}"#.utf8)
        let before = try JWSSigner(identities: store.folder.identities).sign(payload: payload)
        try store.folder.publish(at: CertificateURLs(base: "http://elsewhere.example"))
        #expect(try verifier.verify(before) == payload)
        let after = try JWSSigner(identities: store.folder.identities).sign(payload: payload)
        #expect(try verifier.verify(after) == payload)
        let rotated = try SigningIdentities.rotateLeaves(in: store.directory)
        #expect(try text(rotated.transactionChain.leaf).contains("OCSP - URI:http://elsewhere.example/ocsp\n"))
    }

    @Test func `a crash between the certificates leaves a chain that verifies`() throws {
        let store = try StatusFolder(publishing: false)
        // The state after the first file: a new intermediate above the old leaf.
        let new = try store.folder.identities.reissued(for: StatusFolder.urls)
        try Data(new.transactionIntermediate.encoding).write(
            to: store.directory.appendingPathComponent("transaction-intermediate.cer"))
        let loaded = try SigningIdentities.load(from: store.directory)
        let openssl = try openssl.get()
        try openssl.write(chain: loaded.transactionChain)
        let result = try openssl.run(
            "verify", "-x509_strict", "-CAfile", "root.pem", "-untrusted", "intermediate.pem", "leaf.pem")
        #expect(result.status == 0, "\(result.output)")
        try store.folder.publish(at: StatusFolder.urls)
        #expect(try text(store.folder.identities.transactionChain.leaf).contains("OCSP - URI"))
    }
}
