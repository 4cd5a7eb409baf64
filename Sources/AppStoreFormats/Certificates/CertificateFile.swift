import BaseEncoding
import Foundation
import X509

/// Reads the certificates of a file, in DER or PEM.
///
/// A root that a program is told to trust comes in both forms: `.cer` as the store serves it, and `.pem` as other tools want it.
package enum CertificateFile {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// Returns the certificates of a file in DER. A file without a PEM block is taken for DER.
    ///
    /// - Parameter bytes: One certificate in DER, or one or several in PEM.
    /// - Throws: ``CertificateChainError`` `.unreadable` if one of them is not a certificate.
    package static func certificates(in bytes: [UInt8]) throws(CertificateChainError) -> [[UInt8]] {
        let certificates = try blocks(of: String(decoding: bytes, as: UTF8.self)) ?? [bytes]
        for certificate in certificates { _ = try Certificate(der: certificate) }
        return certificates
    }

    /// Returns the decoded PEM blocks of a text; `nil` if it has none.
    private static func blocks(of text: String) throws(CertificateChainError) -> [[UInt8]]? {
        var blocks: [[UInt8]] = []
        var rest = text[...]
        while let start = rest.range(of: begin) {
            guard let stop = rest[start.upperBound...].range(of: end),
                let der = Base64.decode(rest[start.upperBound..<stop.lowerBound].filter { !$0.isWhitespace })
            else {
                throw CertificateChainError(
                    .unreadable, subject: "PEM block \(blocks.count + 1)", reason: "it has no end, or is not base64")
            }
            blocks.append(der)
            rest = rest[stop.upperBound...]
        }
        return blocks.isEmpty ? nil : blocks
    }
}
