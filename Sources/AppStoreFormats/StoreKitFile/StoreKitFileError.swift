/// An error in a `.storekit` file: its kind, its place, the expected value and the value found.
public struct StoreKitFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of message, for programs.
    public enum Code: String, Sendable, CaseIterable {
        /// The file is larger than the limit.
        case tooLarge
        /// The text is not JSON.
        case notJSON
        /// The text is JSON, but not an object.
        case notAnObject
        /// A required key is missing.
        case missingKey
        /// A value has another JSON type than its key requires.
        case wrongType
        /// A product type is unknown, or not allowed in its array.
        case unknownProductType
        /// A period is not an ISO 8601 duration.
        case malformedPeriod
        /// A price is not a decimal in quotes.
        case malformedPrice
        /// Two products have the same ID.
        case duplicateProductID
        /// A limit on the number of elements is exceeded.
        case tooMany
    }

    /// The kind of message, for programs.
    public let code: Code
    /// The path in the file, such as `subscriptionGroups[0].subscriptions[2].displayPrice`; empty for the file as a
    /// whole.
    public let path: String
    /// The line, from 1; for errors of JSON syntax only.
    public let line: Int?
    /// The column in bytes, from 1; for errors of JSON syntax only.
    public let column: Int?
    /// The expected value, for people.
    public let expected: String
    /// The value found; never a part of a private key.
    public let found: String

    init(_ code: Code, path: String, line: Int? = nil, column: Int? = nil, expected: String, found: String) {
        self.code = code
        self.path = path
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
    }

    /// The place, the expected value and the value found in one line.
    public var description: String {
        var place = path.isEmpty ? "" : "\(path): "
        if let line, let column { place = "line \(line), column \(column): " }
        return "\(place)expected \(expected), found \(found)"
    }

    /// Errors are equal when their codes are.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    /// Hashes the code, by which errors are equal.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// A warning about a part of a `.storekit` file that this version doesn't understand, or that is missing. The part
/// stays unchanged when the file is written again.
public struct StoreKitFileWarning: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of message, for programs.
    public enum Code: String, Sendable, CaseIterable {
        /// A key is unknown.
        case unknownKey
        /// The file has a newer version than the newest known.
        case newerVersion
        /// A product's type is missing where only one is possible.
        case typeAssumed
    }

    /// The kind of message, for programs.
    public let code: Code
    /// The path in the file, such as `subscriptionGroups[0].subscriptions[2].fooBar`.
    public let path: String
    /// The warning, for people.
    public let message: String

    /// The path and the message in one line.
    public var description: String { "\(path): \(message)" }
}
