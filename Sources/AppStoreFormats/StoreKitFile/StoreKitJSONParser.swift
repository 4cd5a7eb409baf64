/// Reads JSON strictly (RFC 8259), with limits, and says in which line it goes wrong.
///
/// Foundation's parser loses the digits of numbers and reports no lines on Linux.
struct StoreKitJSONParser {
    /// Deeper nesting is refused; a real file has 9 levels.
    static let maximumDepth = 64

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The value of a whole text.
    /// - Throws: ``StoreKitFileError`` with ``StoreKitFileError/Code/notJSON``, line and column.
    static func value(of bytes: [UInt8]) throws -> StoreKitJSON {
        var parser = StoreKitJSONParser(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
        let value = try parser.value()
        parser.skipWhitespace()
        guard parser.position == bytes.count else { throw parser.failure("the end of the file") }
        return value
    }

    private mutating func value() throws -> StoreKitJSON {
        skipWhitespace()
        guard position < bytes.count else { throw failure("a value") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return .object(try nested { try $0.object() })
        case UInt8(ascii: "["): return .array(try nested { try $0.array() })
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: throw failure("a value")
        }
    }

    private mutating func nested<Value>(_ body: (inout Self) throws -> Value) throws -> Value {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw failure("at most \(Self.maximumDepth) levels of nesting", found: "more")
        }
        position += 1
        return try body(&self)
    }

    private mutating func object() throws -> StoreKitJSON.Object {
        var members: [StoreKitJSON.Object.Member] = []
        var keys: Set<String> = []
        if accept("}") { return StoreKitJSON.Object() }
        repeat {
            skipWhitespace()
            let start = position
            guard peek == UInt8(ascii: "\"") else { throw failure("a key in quotes") }
            let key = try string()
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
        var elements: [StoreKitJSON] = []
        if accept("]") { return [] }
        repeat { elements.append(try value()) } while accept(",")
        guard accept("]") else { throw failure("',' or ']'") }
        return elements
    }

    private mutating func word(_ word: StaticString, _ value: StoreKitJSON) throws -> StoreKitJSON {
        let text = "\(word)"
        guard bytes[position...].starts(with: text.utf8) else { throw failure("a value") }
        position += text.utf8.count
        return value
    }

    private mutating func number() throws -> String {
        let start = position
        if peek == UInt8(ascii: "-") { position += 1 }
        if peek == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if peek == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws {
        let start = position
        while let byte = peek, (48...57).contains(byte) { position += 1 }
        guard position > start else { throw failure("a digit") }
    }
}

// MARK: - Strings

extension StoreKitJSONParser {
    private mutating func string() throws -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw failure("UTF-8", found: "other bytes", at: start)
                }
                return string
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20:
                throw failure("no control characters in a string", found: "one", at: position - 1)
            default: text.append(byte)
            }
        }
        throw failure("the end of a string", at: start)
    }

    private mutating func escape(into text: inout [UInt8]) throws {
        guard let byte = peek else { throw failure("an escaped character") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try escapedScalar()).utf8)
        default: throw failure("an escape that JSON knows", found: "another", at: position - 1)
        }
    }

    private mutating func escapedScalar() throws -> Character {
        let start = position
        var unit = UInt32(truncatingIfNeeded: try hexadecimalUnit())
        if (0xD800..<0xDC00).contains(unit), peek == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        {
            position += 2
            let low = UInt32(truncatingIfNeeded: try hexadecimalUnit())
            guard (0xDC00..<0xE000).contains(low) else {
                throw failure("a surrogate pair", found: "half of one", at: start)
            }
            unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(unit) else {
            throw failure("a surrogate pair", found: "half of one", at: start)
        }
        return Character(scalar)
    }

    private mutating func hexadecimalUnit() throws -> UInt16 {
        guard position + 4 <= bytes.count,
            bytes[position..<position + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw failure("four hexadecimal digits", found: "something else") }
        position += 4
        return unit
    }
}

// MARK: - Position

extension StoreKitJSONParser {
    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        skipWhitespace()
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private func failure(_ expected: String, found: String? = nil, at offset: Int? = nil) -> StoreKitFileError {
        let offset = offset ?? position
        let before = bytes[..<min(offset, bytes.count)]
        let line = 1 + before.count { $0 == 0x0A }
        let column = offset - (before.lastIndex(of: 0x0A) ?? -1)
        return StoreKitFileError(
            .notJSON, path: "", line: line, column: column, expected: expected, found: found ?? character(at: offset))
    }

    private func character(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end of the file" }
        let byte = bytes[offset]
        return (0x21...0x7E).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
    }
}
