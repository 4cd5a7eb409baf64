/// Why certificates were not trusted.
///
/// Two errors are equal when their codes are: the subject and the reason are for people.
public struct CertificateChainError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What to branch on.
    public enum Code: String, Sendable, CaseIterable {
        /// The bytes are not a certificate.
        case unreadable
        /// The certificates do not lead to a trusted root.
        case untrusted
        /// A certificate was not issued for this purpose: a marker or a basic constraint is missing.
        case wrongPurpose
        /// A certificate does not cover the instant asked for.
        case outsideValidity
    }

    /// What to branch on.
    public let code: Code
    /// The certificate that is meant.
    public let subject: String
    /// What was wrong, for a person to read.
    public let reason: String

    init(_ code: Code, subject: String, reason: String) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }

    /// The code, the subject and the reason in one line.
    public var description: String { "\(code.rawValue): \(subject): \(reason)" }

    /// Whether both have the same code.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
