/// Why signing identities could not be made, read or kept.
///
/// Two errors are equal when their codes are: the file and the reason are for people.
public struct SigningIdentitiesError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What to branch on.
    public enum Code: String, Sendable, CaseIterable {
        /// The directory holds no identities.
        case missing
        /// The directory holds keys, but not the index that says which are in use: nothing is written over them.
        case incomplete
        /// A file cannot be read, or does not hold what it should.
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

    /// What to branch on.
    public let code: Code
    /// The file that is wrong.
    public let file: String
    /// What was wrong, for a person to read.
    public let reason: String

    init(_ code: Code, file: String, reason: String) {
        self.code = code
        self.file = file
        self.reason = reason
    }

    /// The code, the file and the reason in one line.
    public var description: String { "\(code.rawValue): \(file): \(reason)" }

    /// Whether both have the same code.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
