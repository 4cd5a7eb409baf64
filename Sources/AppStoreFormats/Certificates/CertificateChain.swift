/// The three certificates that signed data of the App Store carries, in DER.
public struct CertificateChain: Sendable, Equatable {
    /// The certificate of the key that signs.
    public let leaf: [UInt8]
    /// The certificate of the key that signed the leaf.
    public let intermediate: [UInt8]
    /// The certificate that verifiers pin.
    public let root: [UInt8]

    /// Creates a chain of three DER encodings, without checks.
    public init(leaf: [UInt8], intermediate: [UInt8], root: [UInt8]) {
        self.leaf = leaf
        self.intermediate = intermediate
        self.root = root
    }

    /// Leaf, intermediate and root: the order on the wire.
    public var certificates: [[UInt8]] { [leaf, intermediate, root] }
}

/// An error of certificates that are not trusted.
///
/// Two errors are equal when their codes are: the subject and the reason are for people.
public struct CertificateChainError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of error, for programs.
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

    /// The kind of error, for programs.
    public let code: Code
    /// The certificate in error.
    public let subject: String
    /// The cause, for people.
    public let reason: String

    init(_ code: Code, subject: String, reason: String) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }

    /// The code, the subject and the reason in one line.
    public var description: String { "\(code.rawValue): \(subject): \(reason)" }

    /// Returns true if both have the same code.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
