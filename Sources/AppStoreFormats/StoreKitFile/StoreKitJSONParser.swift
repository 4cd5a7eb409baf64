import FastJSON

/// Parses JSON into ``StoreKitJSON``, strictly and with limits, and reports errors with line and column.
///
/// Foundation's parser loses the digits of numbers and reports no lines on Linux.
struct StoreKitJSONParser {
    /// The deepest nesting that is read; a real file has 9 levels.
    static let maximumDepth = 64

    private var reader: JSONReader
    private var depth = 0

    private init(_ reader: JSONReader) {
        self.reader = reader
    }

    /// Parses a whole text, with or without a byte order mark.
    /// - Throws: ``StoreKitFileError`` with ``StoreKitFileError/Code/notJSON``, line and column.
    static func value(of bytes: [UInt8]) throws -> StoreKitJSON {
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        var parser = StoreKitJSONParser(JSONReader(bytes, at: hasMark ? 3 : 0))
        do {
            let value = try parser.value()
            parser.reader.skipWhitespace()
            guard parser.reader.next == nil else { throw parser.failure("the end of the file") }
            return value
        } catch let error as JSONSyntaxError {
            throw parser.failure(error)
        }
    }

    private mutating func value() throws -> StoreKitJSON {
        reader.skipWhitespace()
        guard let next = reader.next else { throw failure("a value") }
        switch next {
        case UInt8(ascii: "{"): return .object(try nested { try $0.object() })
        case UInt8(ascii: "["): return .array(try nested { try $0.array() })
        case UInt8(ascii: "\""): return .string(try reader.string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(String(decoding: reader.bytes[try reader.number()], as: UTF8.self))
        default: throw failure("a value")
        }
    }

    private mutating func literal(_ literal: StaticString, _ value: StoreKitJSON) throws -> StoreKitJSON {
        try reader.expect(literal: literal)
        return value
    }

    private mutating func nested<Value>(_ body: (inout Self) throws -> Value) throws -> Value {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw failure("at most \(Self.maximumDepth) levels of nesting", found: "more")
        }
        return try body(&self)
    }

    private mutating func object() throws -> StoreKitJSON.Object {
        try reader.expect("{")
        var members: [StoreKitJSON.Object.Member] = []
        var keys: Set<String> = []
        if accept("}") { return StoreKitJSON.Object() }
        repeat {
            reader.skipWhitespace()
            let start = reader.position
            guard reader.next == UInt8(ascii: "\"") else { throw failure("a key in quotes") }
            let key = try reader.string()
            guard keys.insert(key).inserted else {
                throw failure("each key once", found: "'\(key.prefix(60))' a second time", at: start)
            }
            guard accept(":") else { throw failure("':'") }
            members.append(StoreKitJSON.Object.Member(key, try value()))
        } while accept(",")
        guard accept("}") else { throw failure("',' or '}'") }
        return StoreKitJSON.Object(members)
    }

    private mutating func array() throws -> [StoreKitJSON] {
        try reader.expect("[")
        var elements: [StoreKitJSON] = []
        if accept("]") { return [] }
        repeat { elements.append(try value()) } while accept(",")
        guard accept("]") else { throw failure("',' or ']'") }
        return elements
    }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        reader.skipWhitespace()
        return reader.take(character)
    }
}

// MARK: - Errors

extension StoreKitJSONParser {
    /// Converts an error of the reader.
    private func failure(_ error: JSONSyntaxError) -> StoreKitFileError {
        let position = error.position
        return switch error.expected {
        case .literal(_, let start): failure("a value", at: start)
        case .noControlCharacter: failure("no control characters in a string", found: "one", at: position)
        case .escape: failure("an escape that JSON knows", found: "another", at: position)
        case .hexadecimalDigits: failure("four hexadecimal digits", found: "something else", at: position)
        case .surrogatePair: failure("a surrogate pair", found: "half of one", at: position)
        case .utf8(let start): failure("UTF-8", found: "other bytes", at: start)
        case .endOfString(let start): failure("the end of a string", at: start)
        default: failure("\(error.expected)", at: position)
        }
    }

    private func failure(_ expected: String, found: String? = nil, at offset: Int? = nil) -> StoreKitFileError {
        let (bytes, offset) = (reader.bytes, offset ?? reader.position)
        let before = bytes[..<min(offset, bytes.count)]
        let line = 1 + before.count { $0 == 0x0A }
        let column = offset - (before.lastIndex(of: 0x0A) ?? -1)
        return StoreKitFileError(
            .notJSON, path: "", line: line, column: column, expected: expected, found: found ?? character(at: offset))
    }

    private func character(at offset: Int) -> String {
        guard offset < reader.bytes.count else { return "the end of the file" }
        let byte = reader.bytes[offset]
        return (0x21...0x7E).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
    }
}
