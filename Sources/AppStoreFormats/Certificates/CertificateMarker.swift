import SwiftASN1
import X509

/// Extensions that say all by being there: non-critical, with the value NULL. The App Store's, and one of OCSP's.
enum CertificateMarker {
    /// Marks the certificates that sign receipts and transactions.
    static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Marks the authority that issues them.
    static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
    /// Says that nobody need ask about a certificate that answers such questions (RFC 6960, 4.2.2.2.1).
    static let noStatus: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 5]

    static func certificateExtension(_ marker: ASN1ObjectIdentifier) -> Certificate.Extension {
        Certificate.Extension(oid: marker, critical: false, value: [0x05, 0x00])
    }
}
