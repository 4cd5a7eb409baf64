/// Why a `.storekit` file can't be read: what is wrong, where, what was expected and what is there.
public struct StoreKitFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, CaseIterable {
        case tooLarge
        case notJSON
        case notAnObject
        case missingKey
        case wrongType
        case unknownProductType
        case malformedPeriod
        case malformedPrice
        case duplicateProductID
        case tooMany
    }

    public let code: Code
    /// Where in the file, such as `subscriptionGroups[0].subscriptions[2].displayPrice`; empty for the file as a whole.
    public let path: String
    /// From 1; for errors of JSON syntax only.
    public let line: Int?
    /// In bytes, from 1; for errors of JSON syntax only.
    public let column: Int?
    public let expected: String
    /// What is there instead; never a part of a private key.
    public let found: String

    init(_ code: Code, path: String, line: Int? = nil, column: Int? = nil, expected: String, found: String) {
        self.code = code
        self.path = path
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
    }

    /// One line: place, what was expected, what was found.
    public var description: String {
        var place = path.isEmpty ? "" : "\(path): "
        if let line, let column { place = "line \(line), column \(column): " }
        return "\(place)expected \(expected), found \(found)"
    }

    /// Errors are equal when their codes are.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// What a `.storekit` file holds beyond what this version understands, and what it leaves out. The file stays as it is
/// when it is written again.
public struct StoreKitFileWarning: Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, CaseIterable {
        case unknownKey
        case newerVersion
        /// A product's type is missing where only one is possible.
        case typeAssumed
    }

    public let code: Code
    /// Where in the file, such as `subscriptionGroups[0].subscriptions[2].fooBar`.
    public let path: String
    public let message: String

    public var description: String { "\(path): \(message)" }
}
