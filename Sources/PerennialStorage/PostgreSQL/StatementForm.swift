/// The parts of a statement's text by which the session decides when it has to run.
struct StatementForm: Sendable {
    /// All names in the text, of tables, columns and functions, and the keywords.
    let names: Set<String>
    /// The table that an `INSERT`, `UPDATE` or `DELETE` changes if it reads no other table; `nil` for any other statement.
    let target: String?
    /// True for an `INSERT` with values.
    let isInsert: Bool
    /// The index of the value that all rows have which the statement reads, marked by `/*only $3*/`; `nil` without a mark.
    let key: Int?

    init(_ sql: SQL) {
        let text = sql.text
        let words = Self.words(of: text)
        key = text.firstRange(of: "/*only $").flatMap { Int(text[$0.upperBound...].prefix { $0.isNumber }) }.map {
            $0 - 1
        }
        names = Set(words)
        var target: String?
        switch words.first {
        case "insert" where words.count > 2 && words[1] == "into": target = words[2]
        case "update" where words.count > 1 && !names.contains("from"): target = words[1]
        case "delete" where words.count > 2 && words[1] == "from" && !names.contains("using"): target = words[2]
        default: break
        }
        self.target = names.contains("select") ? nil : target
        isInsert = self.target != nil && words.first == "insert"
    }

    /// Returns the words of a text in lower case, without those in strings and comments.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var bytes = Array(text.utf8)[...]
        func isPartOfName(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        while let byte = bytes.popFirst() {
            if isPartOfName(byte) {
                word.unicodeScalars.append(Unicode.Scalar(byte))
                continue
            }
            if !word.isEmpty { words.append(word.lowercased()) }
            word = ""
            if byte == UInt8(ascii: "'") {
                bytes = bytes.drop { $0 != byte }.dropFirst()
            } else if byte == UInt8(ascii: "/"), bytes.first == UInt8(ascii: "*") {
                let end = [UInt8(ascii: "*"), UInt8(ascii: "/")]
                while !bytes.isEmpty, !bytes.starts(with: end) { bytes.removeFirst() }
                bytes = bytes.dropFirst(end.count)
            }
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        return words
    }
}
