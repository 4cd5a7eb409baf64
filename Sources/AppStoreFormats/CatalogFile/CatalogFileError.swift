/// Why a YAML catalog can't be read: what is wrong, in which line, what was expected and what is there.
public struct CatalogFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, CaseIterable {
        case tooLarge
        case notYAML
        case unknownKey
        case missingKey
        case wrongType
        case malformedValue
        case duplicate
    }

    public let code: Code
    /// `nil` where the file as a whole is meant.
    public let position: CatalogFile.Position?
    public let expected: String
    /// What is there instead; never a secret.
    public let found: String

    init(_ code: Code, at position: CatalogFile.Position?, expected: String, found: String) {
        self.code = code
        self.position = position
        self.expected = expected
        self.found = found
    }

    /// What was expected and what was found, without the place.
    public var reason: String { "expected \(expected), found \(found)" }
    public var description: String {
        position.map { "line \($0.line), column \($0.column): \(reason)" } ?? reason
    }

    /// Errors are equal when their codes are.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
