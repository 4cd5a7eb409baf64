import SwiftASN1
import X509

/// A leaf that a store signs with.
package enum SigningLeaf: String, Sendable, Hashable, CaseIterable {
    /// The leaf that signs transactions, renewal information, app transactions and notifications.
    case transactions
    /// The leaf that signs app receipts and old transaction receipts.
    case receipts
}

/// A certificate that issues others.
package enum IssuingCertificate: String, Sendable, CaseIterable {
    case root
    /// The receipts' root; the same as ``root`` if receipts have none of their own.
    case receiptRoot = "receipt-root"
    case transactions = "transactions-ca"
    case receipts = "receipts-ca"
}

/// The URLs at which verifiers ask about a store's certificates.
///
/// Every certificate but a root states them: a root can't be revoked, only removed by its verifiers (RFC 5280,
/// 4.2.2.1).
package struct CertificateURLs: Sendable, Hashable {
    /// The paths below a server's URL.
    package enum Path {
        package static let status = "ocsp"

        package static func certificate(_ issuer: IssuingCertificate) -> String {
            "certificates/\(issuer.rawValue).cer"
        }
    }

    /// The server's URL, without a slash at its end.
    package let base: String

    package init(base: String) {
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// The extension for certificates of an issuer: its status over OCSP, and the issuer's own certificate.
    func access(issuer: IssuingCertificate) throws -> Certificate.Extension {
        try Certificate.Extension(
            AuthorityInformationAccess([
                .init(method: .ocspServer, location: .uniformResourceIdentifier("\(base)/\(Path.status)")),
                .init(
                    method: .issuingCA, location: .uniformResourceIdentifier("\(base)/\(Path.certificate(issuer))")),
            ]), critical: false)
    }
}
