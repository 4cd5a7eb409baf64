/// Reads the members of one JSON object (RFC 8259), strictly, without building a tree.
///
/// Nested values are checked and skipped, except an array of strings. Nesting is bounded.
package struct JSONScanner {
    /// A member's value.
    package enum Value {
        case string(String)
        case number(Double)
        case bool(Bool)
        case null
        /// An array of one or more strings and nothing else.
        case strings([String])
        /// Any other array or object.
        case nested

        /// The number, if the value is one.
        package var number: Double? {
            guard case .number(let number) = self else { return nil }
            return number
        }

        /// The text, if the value is a string.
        package var string: String? {
            guard case .string(let text) = self else { return nil }
            return text
        }
    }

    /// The deepest nesting of arrays and objects that is read.
    package static let maximumDepth = 64

    private var reader: JSONReader

    /// Creates a scanner of bytes that hold one object.
    package init(_ bytes: [UInt8]) {
        reader = JSONReader(bytes)
    }

    /// Scans the object and passes each member to a closure, in order.
    ///
    /// Of members with the same name, only the first is passed, as `JSONDecoder` reads them.
    /// - Throws: ``JSONSyntaxError`` for bytes that are not one JSON object, after the members before the error were passed.
    package mutating func scanObject(
        _ member: (_ key: String, _ value: Value) -> Void
    ) throws(JSONSyntaxError) {
        var seen: Set<String> = []
        try scanEveryMember { key, value in
            if seen.insert(key).inserted { member(key, value) }
        }
    }

    /// Scans the object and passes every member to a closure, members with the same name too, for formats that refuse
    /// those.
    /// - Throws: ``JSONSyntaxError`` for bytes that are not one JSON object, after the members before the error were passed.
    package mutating func scanEveryMember(
        _ member: (_ key: String, _ value: Value) -> Void
    ) throws(JSONSyntaxError) {
        reader.skipWhitespace()
        try scanMembers(depth: 1, member)
        reader.skipWhitespace()
        guard reader.next == nil else { throw reader.error(.end) }
    }

    private mutating func scanMembers(
        depth: Int, _ member: (_ key: String, _ value: Value) -> Void
    ) throws(JSONSyntaxError) {
        try reader.expect("{")
        reader.skipWhitespace()
        if reader.take("}") { return }
        while true {
            reader.skipWhitespace()
            guard reader.next == UInt8(ascii: "\"") else { throw reader.error(.key) }
            let key = try reader.string()
            reader.skipWhitespace()
            try reader.expect(":")
            reader.skipWhitespace()
            member(key, try scanValue(depth: depth))
            reader.skipWhitespace()
            if reader.take("}") { return }
            try reader.expect(",")
        }
    }

    private mutating func scanValue(depth: Int) throws(JSONSyntaxError) -> Value {
        switch reader.next {
        case UInt8(ascii: "\""): return .string(try reader.string())
        case UInt8(ascii: "t"): return try scan("true", .bool(true))
        case UInt8(ascii: "f"): return try scan("false", .bool(false))
        case UInt8(ascii: "n"): return try scan("null", .null)
        case UInt8(ascii: "{"):
            guard depth < Self.maximumDepth else { throw reader.error(.lessNesting) }
            try scanMembers(depth: depth + 1) { _, _ in }
            return .nested
        case UInt8(ascii: "["):
            guard depth < Self.maximumDepth else { throw reader.error(.lessNesting) }
            return try scanArray(depth: depth + 1)
        default: return .number(try scanNumber())
        }
    }

    private mutating func scanArray(depth: Int) throws(JSONSyntaxError) -> Value {
        try reader.expect("[")
        reader.skipWhitespace()
        if reader.take("]") { return .nested }
        var strings: [String]? = []
        while true {
            reader.skipWhitespace()
            if case .string(let string) = try scanValue(depth: depth) {
                strings?.append(string)
            } else {
                strings = nil
            }
            reader.skipWhitespace()
            if reader.take("]") { return strings.map { .strings($0) } ?? .nested }
            try reader.expect(",")
        }
    }

    private mutating func scan(_ literal: StaticString, _ value: Value) throws(JSONSyntaxError) -> Value {
        try reader.expect(literal: literal)
        return value
    }

    /// Scans a number as the nearest double.
    private mutating func scanNumber() throws(JSONSyntaxError) -> Double {
        let range = try reader.number()
        guard let number = reader.value(ofNumber: range), number.isFinite else {
            throw reader.error(.finiteNumber)
        }
        return number
    }
}
