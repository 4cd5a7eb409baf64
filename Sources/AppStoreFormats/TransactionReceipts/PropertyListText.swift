/// The old NeXT property list, as far as transaction receipts use it: one dictionary of quoted strings.
///
///     {
///     	"signature" = "…";
///     	"purchase-info" = "…";
///     }
///
/// The spacing is fixed: libraries find values with regular expressions such as `"purchase-info"\s+=\s+"(…)";`.
enum PropertyListText {
    /// The most entries that are read.
    static let maximumEntries = 128

    /// Writes entries in their order.
    static func encode(_ entries: [(key: String, value: String)]) -> [UInt8] {
        var bytes = [UInt8]()
        bytes.append(contentsOf: "{\n".utf8)
        for (key, value) in entries {
            bytes.append(UInt8(ascii: "\t"))
            append(key, to: &bytes)
            bytes.append(contentsOf: " = ".utf8)
            append(value, to: &bytes)
            bytes.append(contentsOf: ";\n".utf8)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Reads a dictionary. An entry that comes twice is refused: two readers could take different ones.
    /// - Throws: ``ReceiptError`` with the code `notAReceipt`.
    static func decode(_ bytes: [UInt8]) throws(ReceiptError) -> [String: String] {
        var reader = PropertyListReader(bytes)
        var entries: [String: String] = [:]
        try reader.expect("{")
        while !reader.take("}") {
            let key = try reader.string()
            try reader.expect("=")
            let value = try reader.string()
            try reader.expect(";")
            guard entries.count < maximumEntries, entries.updateValue(value, forKey: key) == nil else {
                throw reader.failure("an entry twice, or more than \(maximumEntries)")
            }
        }
        guard reader.isAtEnd else { throw reader.failure("something behind the dictionary") }
        return entries
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

private struct PropertyListReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool {
        bytes[position...].allSatisfy(Self.isSpace)
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ character: Unicode.Scalar) throws(ReceiptError) {
        guard take(character) else { throw failure("no '\(character)'") }
    }

    mutating func string() throws(ReceiptError) -> String {
        try expect("\"")
        var text = [UInt8]()
        while position < bytes.count {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") {
                guard let string = String(validating: text, as: UTF8.self) else { throw failure("no UTF-8") }
                return string
            }
            if byte == UInt8(ascii: "\\") {
                guard position < bytes.count else { break }
                byte = bytes[position]
                position += 1
            }
            text.append(byte)
        }
        throw failure("a string without an end")
    }

    func failure(_ what: String) -> ReceiptError {
        ReceiptError(.notAReceipt, subject: "property list", reason: "\(what) at byte \(position)")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
