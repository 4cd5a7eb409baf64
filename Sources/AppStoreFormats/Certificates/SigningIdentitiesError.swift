/// An error of signing identities that could not be created, read or written.
///
/// Two errors are equal when their codes are: the file and the reason are for people.
public struct SigningIdentitiesError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of error, for programs.
    public enum Code: String, Sendable, CaseIterable {
        /// The directory holds no identities.
        case missing
        /// The directory has keys, but not the index that names those in use. The keys are not overwritten.
        case incomplete
        /// A file cannot be read, or has other contents than it must.
        case unreadable
        /// A key does not belong to its certificate.
        case keyMismatch
        /// A certificate was not issued by the one above it.
        case brokenChain
        /// A file cannot be written.
        case unwritable
        /// A key or a certificate could not be made.
        case generationFailed
    }

    /// The kind of error, for programs.
    public let code: Code
    /// The file in error.
    public let file: String
    /// The cause, for people.
    public let reason: String

    init(_ code: Code, file: String, reason: String) {
        self.code = code
        self.file = file
        self.reason = reason
    }

    /// The code, the file and the reason in one line.
    public var description: String { "\(code.rawValue): \(file): \(reason)" }

    /// Returns true if both have the same code.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
