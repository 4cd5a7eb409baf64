/// An error of signed data that was not accepted.
///
/// Two errors are equal when their codes are: the subject and the reason are for people.
public struct JWSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of error, for programs.
    public enum Code: String, Sendable, CaseIterable {
        /// The text is longer than ``JWSVerifier/maximumSize``.
        case tooLarge
        /// The text is not a compact JWS with the App Store's header.
        case malformed
        /// The payload is not JSON of the expected kind.
        case malformedPayload
        /// The certificates do not lead to a trusted root.
        case untrustedChain
        /// The certificates are genuine but were not issued to sign transactions.
        case wrongCertificatePurpose
        /// A certificate does not cover the date at which the payload was signed.
        case expiredCertificate
        /// The signature does not fit.
        case badSignature
    }

    /// The kind of error, for programs.
    public let code: Code
    /// The part in error.
    public let subject: String
    /// The cause, for people.
    public let reason: String

    /// Makes an error.
    public init(_ code: Code, subject: String, reason: String) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }

    /// The code, the subject and the reason in one line.
    public var description: String { "\(code.rawValue): \(subject): \(reason)" }

    /// Returns true if both have the same code.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}

extension JWSError {
    /// Converts an error of the certificate chain.
    init(_ error: CertificateChainError) {
        let code: Code =
            switch error.code {
            case .unreadable, .untrusted: .untrustedChain
            case .wrongPurpose: .wrongCertificatePurpose
            case .outsideValidity: .expiredCertificate
            }
        self.init(code, subject: error.subject, reason: error.reason)
    }
}
