/// The parts of a statement's text by which the session decides when it has to run.
struct StatementForm: Sendable {
    /// All names in the text, of tables, columns and functions, and the keywords.
    let names: Set<String>
    /// The table that an `INSERT`, `UPDATE` or `DELETE` changes; `nil` for any other statement.
    let changed: String?
    /// The same table if the statement reads no other one.
    let target: String?
    /// True for an `INSERT` with values.
    let isInsert: Bool
    /// The index of the value that all rows have which the statement reads or changes, marked by `/*only $3*/`; `nil` without a
    /// mark.
    let key: Int?
    /// The parts of an `INSERT` that has nothing but rows of values, as ``BatchInsert`` makes it; `nil` for any other statement.
    let rows: InsertedRows?

    init(_ sql: SQL) {
        let text = sql.text
        let words = Self.words(of: text)
        key = text.firstRange(of: "/*only $").flatMap { Int(text[$0.upperBound...].prefix { $0.isNumber }) }.map {
            $0 - 1
        }
        names = Set(words)
        let isInserting = words.first == "insert" && words.count > 2 && words[1] == "into"
        var readsOthers = names.contains("select")
        switch words.first {
        case "insert" where isInserting: changed = words[2]
        case "update" where words.count > 1:
            changed = words[1]
            readsOthers = readsOthers || names.contains("from")
        case "delete" where words.count > 2 && words[1] == "from":
            changed = words[2]
            readsOthers = readsOthers || names.contains("using")
        default: changed = nil
        }
        target = readsOthers ? nil : changed
        isInsert = isInserting && !readsOthers
        rows = isInsert ? InsertedRows(text) : nil
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
