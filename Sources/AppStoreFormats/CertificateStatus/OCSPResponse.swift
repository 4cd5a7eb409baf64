import Foundation
import Perennial

/// What is known of a certificate.
enum CertificateStatus: Sendable, Equatable {
    case good
    case revoked(Revocation)
    /// We have not issued it.
    case unknown
}

/// The encodings of OCSP's answers (RFC 6960, 4.2).
enum OCSPResponse {
    /// Answers that are no more than a reason.
    enum Failure: UInt8 {
        case malformedRequest = 1
        case internalError = 2
        /// The certificates are another authority's.
        case unauthorized = 6
    }

    /// id-pkix-ocsp-basic, 1.3.6.1.5.5.7.48.1.1, a whole element.
    private static let basicIdentifier: [UInt8] = [0x06, 0x09, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x01]

    static func failure(_ failure: Failure) -> [UInt8] {
        .der(.sequence, .der(.enumerated, [failure.rawValue]))
    }

    /// One certificate's status.
    static func single(
        _ certificate: OCSPRequest.CertificateID, _ status: CertificateStatus, thisUpdate: Instant, nextUpdate: Instant
    ) -> [UInt8] {
        let choice: [UInt8] =
            switch status {
            case .good: [0x80, 0x00]
            case .revoked(let revocation):
                .der(
                    .context1, time(revocation.date),
                    .der(.context0, .der(.enumerated, [UInt8(truncatingIfNeeded: revocation.reason.rawValue)])))
            case .unknown: [0x82, 0x00]
            }
        return .der(
            .sequence, certificate.encoding, choice, time(thisUpdate), .der(.context0, time(nextUpdate)))
    }

    /// What is signed.
    /// - Parameter responderKeyHash: SHA-1 over the responder's key.
    static func data(
        responderKeyHash: [UInt8], producedAt: Instant, singles: [[UInt8]], nonce: [UInt8]?
    ) -> [UInt8] {
        .der(
            .sequence, .der(.context2, .der(.octetString, responderKeyHash)), time(producedAt),
            .der(.sequence, Array(singles.joined())),
            nonce.map { .der(.context1, .der(.sequence, $0)) } ?? [])
    }

    /// The whole answer.
    /// - Parameter algorithm: How it is signed, a whole element.
    static func successful(data: [UInt8], algorithm: [UInt8], signature: [UInt8], certificate: [UInt8]) -> [UInt8] {
        let basic: [UInt8] = .der(
            .sequence, data, algorithm, .der(.bitString, [0], signature),
            .der(.context0, .der(.sequence, certificate)))
        return .der(
            .sequence, .der(.enumerated, [0]),
            .der(.context0, .der(.sequence, basicIdentifier, .der(.octetString, basic))))
    }

    /// `20261121032853Z`, with whole seconds.
    private static func time(_ instant: Instant) -> [UInt8] {
        let text = ReceiptDate.instant(instant.date).rfc3339().prefix(19).filter(\.isNumber)
        return .der(.generalizedTime, Array(text.utf8), [UInt8(ascii: "Z")])
    }
}
