extension SQL {
    /// Keywords that begin or end transactions, which only the database may do.
    private static let reserved: Set<String> = [
        "ABORT", "BEGIN", "COMMIT", "END", "RELEASE", "ROLLBACK", "SAVEPOINT", "START",
    ]

    /// The numbers of placeholders of statements that were checked.
    private static let checked = StatementFacts<Int>()

    /// Checks for mistakes that the engines report unclearly or differently.
    /// - Returns: The number of placeholders.
    /// - Throws: ``StorageError`` with `statement`.
    func check() throws -> Int { try Self.checked.value(of: self, checkText) }

    private func checkText() throws -> Int {
        guard text.contains(where: { !$0.isWhitespace && $0 != ";" }) else {
            throw StorageError(.statement, text, "The statement is empty.")
        }
        let word = text.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
        guard !Self.reserved.contains(word) else {
            throw StorageError(.statement, text, "A body is a transaction already: it can't begin or end one.")
        }
        return try placeholderCount()
    }

    /// Checks that each placeholder has a value.
    func check(_ values: [SQLValue], placeholders: Int) throws {
        guard values.count == placeholders else {
            throw StorageError(.statement, text, "It has \(placeholders) placeholders and got \(values.count) values.")
        }
    }

    /// Counts the placeholders and checks that they are numbered in the order of their first appearance.
    /// - Throws: ``StorageError`` with `statement`.
    func placeholderCount() throws -> Int {
        var scanner = PlaceholderScanner(text)
        var count = 0
        while let number = try scanner.next() {
            guard number >= 1, number <= count + 1 else {
                throw StorageError(
                    .statement, text,
                    "$\(number) appears where $\(count + 1) is due: placeholders are numbered in order of appearance.")
            }
            count = max(count, number)
        }
        return count
    }
}

/// Finds the placeholders of a statement and skips strings, quoted names and comments.
struct PlaceholderScanner {
    private let text: String
    private let bytes: [UInt8]
    private var position = 0
    /// The byte with which the last placeholder begins.
    private var start = 0

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// Returns the next placeholder: its number, and the bytes of the text that are it.
    mutating func nextPlace() throws -> (number: Int, bytes: Range<Int>)? {
        guard let number = try next() else { return nil }
        return (number, start..<position)
    }

    mutating func next() throws -> Int? {
        while position < bytes.count {
            start = position
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): skip(past: [byte])
            case UInt8(ascii: "-") where follows("-"): skip(past: [UInt8(ascii: "\n")])
            case UInt8(ascii: "/") where follows("*"):
                position += 1
                skip(past: Array("*/".utf8))
            case UInt8(ascii: "$"): return try number()
            case UInt8(ascii: "?"):
                throw StorageError(.statement, text, "A placeholder is $1, $2 and so on, not a question mark.")
            case 0: throw StorageError(.statement, text, "A statement holds no NUL.")
            default: break
            }
        }
        return nil
    }

    private func follows(_ character: Unicode.Scalar) -> Bool {
        position < bytes.count && bytes[position] == UInt8(ascii: character)
    }

    /// Skips to the end of a string, name or comment. A doubled quote is read as an end and a beginning: no difference.
    private mutating func skip(past end: [UInt8]) {
        while position < bytes.count {
            if bytes[position...].starts(with: end) {
                position += end.count
                return
            }
            position += 1
        }
    }

    private mutating func number() throws -> Int {
        var digits = ""
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            digits.unicodeScalars.append(Unicode.Scalar(bytes[position]))
            position += 1
        }
        // Both engines accept far fewer parameters than five digits could count.
        guard digits.count <= 5, let number = Int(digits) else {
            throw StorageError(.statement, text, "A dollar sign outside quotes begins a placeholder: $1, $2, …")
        }
        return number
    }
}
