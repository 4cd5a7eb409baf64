import Crypto
import CryptoExtras
import Foundation
import Perennial
import X509

/// A leaf that a pinned root vouches for. The instant at which it must be valid is checked for each use.
struct VerifiedChain: Sendable {
    let identity: CertificateIdentity
    /// The leaf's subject, for messages.
    let subject: String
    /// The leaf's key, if it is an RSA key.
    let rsaKey: _RSA.Signing.PublicKey?
    /// The leaf's key, if it is on the curve P-256.
    let p256Key: P256.Signing.PublicKey?
    /// Leaf and intermediate with the times they are valid. A pinned root's own dates don't count: it is trusted as a
    /// name and a key (RFC 5280, 6.1.1).
    private let validities: [(subject: String, notBefore: Date, notAfter: Date)]

    init(identity: CertificateIdentity, leaf: Certificate, intermediate: Certificate) {
        self.identity = identity
        subject = String(describing: leaf.subject)
        rsaKey = _RSA.Signing.PublicKey(leaf.publicKey)
        p256Key = P256.Signing.PublicKey(leaf.publicKey)
        validities = [leaf, intermediate].map {
            (String(describing: $0.subject), $0.notValidBefore, $0.notValidAfter)
        }
    }

    /// Checks that leaf and intermediate cover an instant.
    func check(at instant: Date) throws(CertificateChainError) {
        // Compared as numbers, so that a date which is none is refused as well.
        let seconds = instant.timeIntervalSince1970
        for (subject, notBefore, notAfter) in validities
        where !(notBefore.timeIntervalSince1970 <= seconds && seconds <= notAfter.timeIntervalSince1970) {
            let (from, to, at) = (Self.text(notBefore), Self.text(notAfter), Self.text(instant))
            throw CertificateChainError(
                .outsideValidity, subject: subject, reason: "valid from \(from) to \(to), not at \(at)")
        }
    }

    /// A date in words; Foundation's own description stops the process for dates that no calendar holds.
    private static func text(_ date: Date) -> String {
        ReceiptDate.instant(date).rfc3339()
    }
}
