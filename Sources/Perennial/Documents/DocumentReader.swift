/// Reads a document; see ``DocumentValue`` for its form. Whatever the text holds, it ends in a value or in an error.
package struct DocumentReader {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The next value, of the type that is asked for.
    package mutating func read<Value: DocumentValue>() throws(DocumentError) -> Value {
        try Value(from: &self)
    }

    package func expectEnd() throws(DocumentError) {
        guard position == bytes.count else { throw failure("the end") }
    }

    func failure(_ expected: String) -> DocumentError { DocumentError(expected: expected, position: position) }

    mutating func number() throws(DocumentError) -> Int64 {
        try number(endedBy: UInt8(ascii: ";"))
    }

    mutating func text() throws(DocumentError) -> String {
        let count = try number(endedBy: UInt8(ascii: ":"))
        guard count >= 0, count <= bytes.count - position else { throw failure("\(count) bytes of text") }
        let end = position + Int(count)
        defer { position = end }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    mutating func isThere() throws(DocumentError) -> Bool {
        guard let mark = peek, mark == UInt8(ascii: "+") || mark == UInt8(ascii: "~") else { throw failure("+ or ~") }
        position += 1
        return mark == UInt8(ascii: "+")
    }

    /// How many values follow.
    mutating func count() throws(DocumentError) -> Int {
        let count = try number()
        // Each takes a byte at least: a wrong number can't make a list longer than the text.
        guard count >= 0, count <= bytes.count - position else { throw failure("\(count) values") }
        return Int(count)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func number(endedBy end: UInt8) throws(DocumentError) -> Int64 {
        let isNegative = peek == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let start = position
        // Counted below zero, where there is room for one number more.
        var number: Int64 = 0
        while let byte = peek, byte != end {
            guard (48...57).contains(byte) else { throw failure("a digit") }
            let (shifted, isTooLong) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooLarge) = shifted.subtractingReportingOverflow(Int64(byte - 48))
            guard !isTooLong, !isTooLarge else { throw failure("a number of 64 bits") }
            number = sum
            position += 1
        }
        guard position > start, position < bytes.count, isNegative || number > .min else { throw failure("a number") }
        position += 1
        return isNegative ? number : -number
    }
}
