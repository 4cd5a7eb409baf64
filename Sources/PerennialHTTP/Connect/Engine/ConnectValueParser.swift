import FastJSON

/// Parses JSON into ``ConnectValue``, strictly and with a limit of nesting.
///
/// A price for each storefront is a body of 60 kB with thousands of values. `JSONDecoder` finds the kind of each by trying one
/// after the other, and each failure builds a coding path: nearly half of such a request's time.
struct ConnectValueParser {
    /// The deepest nesting that is read; a request has 6 levels.
    private static let maximumDepth = 64

    private var reader: JSONReader
    private var depth = 0

    /// Parses a whole text.
    ///
    /// - Throws: `JSONSyntaxError`.
    static func value(of bytes: [UInt8]) throws(JSONSyntaxError) -> ConnectValue {
        var parser = ConnectValueParser(reader: JSONReader(bytes))
        let value = try parser.value()
        guard parser.reader.next == nil else { throw parser.reader.error(.end) }
        return value
    }

    /// Parses a value and the whitespace around it.
    private mutating func value() throws(JSONSyntaxError) -> ConnectValue {
        reader.skipWhitespace()
        defer { reader.skipWhitespace() }
        return try bareValue()
    }

    private mutating func bareValue() throws(JSONSyntaxError) -> ConnectValue {
        switch reader.next {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "\""): return .text(try reader.string())
        case UInt8(ascii: "t"):
            try reader.expect(literal: "true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try reader.expect(literal: "false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try reader.expect(literal: "null")
            return .null
        default: return try number()
        }
    }

    /// Parses a number: an integer if it is one that fits, in whatever form it is written.
    private mutating func number() throws(JSONSyntaxError) -> ConnectValue {
        let range = try reader.number()
        if let integer = Int64(String(decoding: reader.bytes[range], as: UTF8.self)) { return .integer(integer) }
        guard let number = reader.value(ofNumber: range), number.isFinite else { throw reader.error(.finiteNumber) }
        return Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }

    /// Parses the members of an object. Of members with the same name the first one counts, as `JSONDecoder` reads them.
    private mutating func members() throws(JSONSyntaxError) -> [String: ConnectValue] {
        var members: [String: ConnectValue] = [:]
        try descend("{")
        if reader.next != UInt8(ascii: "}") {
            repeat {
                reader.skipWhitespace()
                guard reader.next == UInt8(ascii: "\"") else { throw reader.error(.key) }
                let key = try reader.string()
                reader.skipWhitespace()
                try reader.expect(":")
                let member = try value()
                if members[key] == nil { members[key] = member }
            } while reader.take(",")
        }
        try ascend("}")
        return members
    }

    private mutating func elements() throws(JSONSyntaxError) -> [ConnectValue] {
        var elements: [ConnectValue] = []
        try descend("[")
        if reader.next != UInt8(ascii: "]") {
            repeat { elements.append(try value()) } while reader.take(",")
        }
        try ascend("]")
        return elements
    }

    private mutating func descend(_ start: Unicode.Scalar) throws(JSONSyntaxError) {
        try reader.expect(start)
        depth += 1
        guard depth <= Self.maximumDepth else { throw reader.error(.lessNesting) }
        reader.skipWhitespace()
    }

    private mutating func ascend(_ end: Unicode.Scalar) throws(JSONSyntaxError) {
        try reader.expect(end)
        depth -= 1
    }
}
