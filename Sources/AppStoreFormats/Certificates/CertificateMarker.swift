import SwiftASN1
import X509

/// The App Store's marker extensions: non-critical, with the value NULL.
enum CertificateMarker {
    /// Marks the certificates that sign receipts and transactions.
    static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Marks the authority that issues them.
    static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    static func certificateExtension(_ marker: ASN1ObjectIdentifier) -> Certificate.Extension {
        Certificate.Extension(oid: marker, critical: false, value: [0x05, 0x00])
    }
}
