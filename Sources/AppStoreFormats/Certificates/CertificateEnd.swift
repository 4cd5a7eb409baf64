import Foundation
import Perennial
import X509

/// The end of a certificate's validity.
package struct CertificateEnd: Hashable, Sendable {
    /// The subject's common name, or all of a name without one.
    package let name: String
    package let end: Instant

    /// Reads a certificate; `nil` for bytes that are none.
    package init?(der: [UInt8]) {
        guard let certificate = try? Certificate(der: der) else { return nil }
        let parts = String(describing: certificate.subject).split(separator: ",")
        let common = parts.first { $0.hasPrefix("CN=") }?.dropFirst(3)
        name = String(common ?? parts.first ?? "")
        end = Instant(certificate.notValidAfter)
    }
}
