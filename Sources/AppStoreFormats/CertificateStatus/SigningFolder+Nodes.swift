import Crypto
import Foundation
import X509

/// A certificate as nodes tell each other of it, which have one root and folders of their own.
package struct IssuedCertificate: Sendable, Hashable {
    /// The serial number in hexadecimal digits.
    package let serialNumber: String
    package let issuer: IssuingCertificate
    /// SHA-256 of the public key, which several certificates may have; empty if it isn't known.
    package let keyDigest: [UInt8]

    package init(serialNumber: String, issuer: IssuingCertificate, keyDigest: [UInt8]) {
        self.serialNumber = serialNumber
        self.issuer = issuer
        self.keyDigest = keyDigest
    }

    fileprivate init(_ certificate: Certificate, _ serialNumber: String, _ issuer: IssuingCertificate) {
        self.init(
            serialNumber: serialNumber, issuer: issuer,
            keyDigest: Array(SHA256.hash(data: certificate.publicKey.subjectPublicKeyInfoBytes)))
    }
}

extension SigningLeaf {
    fileprivate var issuer: IssuingCertificate {
        switch self {
        case .transactions: .transactions
        case .receipts: .receipts
        }
    }
}

/// Certificates as nodes with folders of their own tell each other of them.
extension SigningFolder {
    /// The leaf in use.
    package func issued(_ leaf: SigningLeaf) -> IssuedCertificate {
        switch leaf {
        case .transactions:
            IssuedCertificate(identities.transactionLeaf.certificate, serialNumber(of: leaf), leaf.issuer)
        case .receipts: IssuedCertificate(identities.receiptLeaf.certificate, serialNumber(of: leaf), leaf.issuer)
        }
    }

    /// The certificates in use below the roots.
    package var inUse: [IssuedCertificate] {
        let (transactions, receipts) = (identities.transactionIntermediate, identities.receiptIntermediate)
        return SigningLeaf.allCases.map(issued) + [
            IssuedCertificate(transactions.certificate, transactions.serialNumber, .root),
            IssuedCertificate(receipts.certificate, receipts.serialNumber, identities.receiptRootIssuer),
        ]
    }

    /// Returns the revocation of a leaf, issued from this folder or elsewhere.
    ///
    /// - Parameter serialNumber: In hexadecimal digits.
    /// - Returns: `nil` if it isn't revoked, or isn't a leaf of this purpose.
    package func revocation(
        of leaf: SigningLeaf, _ serialNumber: String
    ) throws(SigningIdentitiesError) -> CertificateRevocation? {
        let status = try revocationList.status(of: serialNumber, from: leaf.issuer, in: identities)
        guard case .revoked(let revocation) = status else { return nil }
        return revocation
    }

    /// Returns the issuer of a leaf that was issued from this folder; `nil` if none was.
    package func issuer(ofLeaf serialNumber: String) -> IssuingCertificate? {
        SigningLeaf.allCases.map(\.issuer).first {
            revocationList.isIssued(serialNumber, from: $0, in: identities)
        }
    }

    /// Learns of certificates that other nodes have issued and revoked. A leaf in use is replaced if it is one of the revoked ones, or
    /// has the key of one.
    ///
    /// - Returns: True if a leaf was replaced.
    package mutating func learn(
        _ certificates: [(certificate: IssuedCertificate, revocation: CertificateRevocation?)]
    ) throws(SigningIdentitiesError) -> Bool {
        issuedElsewhere.formUnion(certificates.map(\.certificate))
        let known = try revocations()
        var isReplaced = false
        for (certificate, revocation) in certificates {
            guard let revocation else { continue }
            for leaf in SigningLeaf.allCases where leaf.issuer == certificate.issuer {
                let used = issued(leaf)
                let hasKey = !certificate.keyDigest.isEmpty && used.keyDigest == certificate.keyDigest
                guard hasKey || used.serialNumber == certificate.serialNumber else { continue }
                _ = try revoke(leaf, revocation)
                isReplaced = true
            }
            if known[certificate.serialNumber] == nil { try record(certificate.serialNumber, revocation) }
        }
        return isReplaced
    }

    private mutating func record(
        _ serialNumber: String, _ revocation: CertificateRevocation
    ) throws(SigningIdentitiesError) {
        guard let directory else {
            if revoked[serialNumber] == nil { revoked[serialNumber] = revocation }
            return
        }
        try RevocationList.revoke(serialNumber, revocation, in: directory)
    }
}
