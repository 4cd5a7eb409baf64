/// An error in a YAML catalog: its kind, its line, the expected value and the value found.
public struct CatalogFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of error, for programs.
    public enum Code: String, Sendable, CaseIterable {
        /// The file is larger than the limit.
        case tooLarge
        /// The text is not YAML.
        case notYAML
        /// A key is unknown.
        case unknownKey
        /// A required key is missing.
        case missingKey
        /// A value has another YAML type than its key requires.
        case wrongType
        /// A value has the right type, but not the required form.
        case malformedValue
        /// An identifier or key comes twice.
        case duplicate
    }

    /// The kind of error, for programs.
    public let code: Code
    /// `nil` where the file as a whole is meant.
    public let position: CatalogFile.Position?
    /// The expected value, for people.
    public let expected: String
    /// The value found; never a secret.
    public let found: String

    init(_ code: Code, at position: CatalogFile.Position?, expected: String, found: String) {
        self.code = code
        self.position = position
        self.expected = expected
        self.found = found
    }

    /// The expected value and the value found, without the position.
    public var reason: String { "expected \(expected), found \(found)" }
    /// The position and the reason in one line.
    public var description: String {
        position.map { "line \($0.line), column \($0.column): \(reason)" } ?? reason
    }

    /// Errors are equal when their codes are.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    /// Hashes the code, by which errors are equal.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
