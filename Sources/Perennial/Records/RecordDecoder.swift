/// Decodes a record (``RecordCodable``). Any text ends in a value or in an error.
package struct RecordDecoder {
    private let bytes: [UInt8]
    private var position = 0
    /// The format version, at the beginning of a subscription's record. Version 1 wrote a Boolean as 0 or 1, a time
    /// in milliseconds, and the unit of a period as a text. Version 2 didn't have the paid service.
    var version = RecordDecoder.currentVersion

    static let currentVersion = 3

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Reads the next value.
    package mutating func read<Value: RecordCodable>() throws(RecordDecodingError) -> Value {
        try Value(from: &self)
    }

    /// Reads a value that may be abbreviated as the known one.
    mutating func read<Value: RecordCodable>(known: Value) throws(RecordDecodingError) -> Value {
        guard peek == UInt8(ascii: "=") else { return try Value(from: &self) }
        position += 1
        return known
    }

    var isAtEnd: Bool { position == bytes.count }

    package func expectEnd() throws(RecordDecodingError) {
        guard isAtEnd else { throw failure("the end") }
    }

    /// Reads the padding and the full stop at a record's end. Version 1 had neither.
    mutating func end() throws(RecordDecodingError) {
        guard version > 1 else { return try expectEnd() }
        while peek == UInt8(ascii: " ") { position += 1 }
        guard try mark() == UInt8(ascii: ".") else { throw failure("the end") }
        try expectEnd()
    }

    func failure(_ expected: String) -> RecordDecodingError {
        RecordDecodingError(expected: expected, position: position)
    }

    mutating func mark() throws(RecordDecodingError) -> UInt8 {
        guard let mark = peek else { throw failure("a mark") }
        position += 1
        return mark
    }

    mutating func number() throws(RecordDecodingError) -> Int64 {
        let number = try digits()
        guard try mark() == UInt8(ascii: ";") else { throw failure("a semicolon") }
        return number
    }

    /// Reads a time or a duration.
    mutating func milliseconds() throws(RecordDecodingError) -> Int64 {
        let number = try digits()
        switch try mark() {
        case UInt8(ascii: ","): return number
        case UInt8(ascii: ";"):
            let (milliseconds, isTooLong) = number.multipliedReportingOverflow(by: 1000)
            guard !isTooLong else { throw failure("a time of 64 bits") }
            return milliseconds
        default: throw failure("a semicolon or a comma")
        }
    }

    mutating func text() throws(RecordDecodingError) -> String {
        let count = try digits()
        guard try mark() == UInt8(ascii: ":") else { throw failure("a colon") }
        guard count >= 0, count <= bytes.count - position else { throw failure("\(count) bytes of text") }
        let end = position + Int(count)
        defer { position = end }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    mutating func isPresent() throws(RecordDecodingError) -> Bool {
        switch try mark() {
        case UInt8(ascii: "+"): return true
        case UInt8(ascii: "~"): return false
        default: throw failure("+ or ~")
        }
    }

    /// Reads the number of the following values.
    mutating func count() throws(RecordDecodingError) -> Int {
        let count = try number()
        // Each takes at least a byte, so a wrong count can't make a list longer than the text.
        guard count >= 0, count <= bytes.count - position else { throw failure("\(count) values") }
        return Int(count)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Reads the digits of a number.
    private mutating func digits() throws(RecordDecodingError) -> Int64 {
        let isNegative = peek == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let start = position
        // Accumulates below zero, where the range has one number more.
        var number: Int64 = 0
        while let byte = peek, (48...57).contains(byte) {
            let (shifted, isTooLong) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooLarge) = shifted.subtractingReportingOverflow(Int64(byte - 48))
            guard !isTooLong, !isTooLarge else { throw failure("a number of 64 bits") }
            number = sum
            position += 1
        }
        guard position > start, isNegative || number > .min else { throw failure("a number") }
        return isNegative ? number : -number
    }
}
