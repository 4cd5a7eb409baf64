/// Reads a document; see ``DocumentValue`` for its form. Whatever the text holds, it ends in a value or in an error.
package struct DocumentReader {
    private let bytes: [UInt8]
    private var position = 0
    /// The version of the format, which a subscription's document begins with. Version 1 wrote a truth value as 0 or 1, a time in
    /// milliseconds, and the unit of a period as a text.
    var version = DocumentReader.currentVersion

    static let currentVersion = 2

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The next value, of the type that is asked for.
    package mutating func read<Value: DocumentValue>() throws(DocumentError) -> Value {
        try Value(from: &self)
    }

    /// A value that may be said to be one that is known.
    mutating func read<Value: DocumentValue>(known: Value) throws(DocumentError) -> Value {
        guard peek == UInt8(ascii: "=") else { return try Value(from: &self) }
        position += 1
        return known
    }

    var isAtEnd: Bool { position == bytes.count }

    package func expectEnd() throws(DocumentError) {
        guard isAtEnd else { throw failure("the end") }
    }

    /// The room at a document's end, and the end. Version 1 had neither room nor mark.
    mutating func end() throws(DocumentError) {
        guard version > 1 else { return try expectEnd() }
        while peek == UInt8(ascii: " ") { position += 1 }
        guard try mark() == UInt8(ascii: ".") else { throw failure("the end") }
        try expectEnd()
    }

    func failure(_ expected: String) -> DocumentError { DocumentError(expected: expected, position: position) }

    mutating func mark() throws(DocumentError) -> UInt8 {
        guard let mark = peek else { throw failure("a mark") }
        position += 1
        return mark
    }

    mutating func number() throws(DocumentError) -> Int64 {
        let number = try digits()
        guard try mark() == UInt8(ascii: ";") else { throw failure("a semicolon") }
        return number
    }

    /// A time or a span of time.
    mutating func milliseconds() throws(DocumentError) -> Int64 {
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

    mutating func text() throws(DocumentError) -> String {
        let count = try digits()
        guard try mark() == UInt8(ascii: ":") else { throw failure("a colon") }
        guard count >= 0, count <= bytes.count - position else { throw failure("\(count) bytes of text") }
        let end = position + Int(count)
        defer { position = end }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    mutating func isThere() throws(DocumentError) -> Bool {
        switch try mark() {
        case UInt8(ascii: "+"): return true
        case UInt8(ascii: "~"): return false
        default: throw failure("+ or ~")
        }
    }

    /// How many values follow.
    mutating func count() throws(DocumentError) -> Int {
        let count = try number()
        // Each takes a byte at least: a wrong number can't make a list longer than the text.
        guard count >= 0, count <= bytes.count - position else { throw failure("\(count) values") }
        return Int(count)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// A number, up to what isn't a digit.
    private mutating func digits() throws(DocumentError) -> Int64 {
        let isNegative = peek == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let start = position
        // Counted below zero, where there is room for one number more.
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
