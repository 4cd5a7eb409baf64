/// An error of bytes that were not accepted as an app receipt or as an old transaction receipt.
///
/// Two errors are equal when their codes are: the subject and the reason are for people.
public struct ReceiptError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of error, for programs.
    public enum Code: String, Sendable, CaseIterable {
        /// The bytes are larger than ``AppReceipt/maximumSize``.
        case tooLarge
        /// The bytes do not have the container's shape at all.
        case notAReceipt
        /// BER with indefinite lengths, as in the receipts of Xcode's local testing, which no server accepts.
        case indefiniteLength
        /// The container is right, but its payload breaks the receipt's grammar.
        case malformedPayload
        /// A digest or signature algorithm which receipts do not use.
        case unsupportedAlgorithm
        /// The certificates do not lead to a trusted root.
        case untrustedChain
        /// The certificates are genuine but were not issued to sign receipts.
        case wrongCertificatePurpose
        /// A certificate does not cover the receipt's creation date.
        case expiredCertificate
        /// The signature does not fit the content.
        case badSignature
    }

    /// The kind of error, for programs.
    public let code: Code
    /// The part of the receipt that is meant, such as `attribute 1704`.
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

extension ReceiptError {
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
