/// Reads DER one element at a time, without building a tree and without recursion.
///
/// It supports the parts that receipts use: single-byte tags, definite lengths of at most four octets, and no element
/// that reaches beyond its parent. Elements are ranges of the bytes, so that nothing is copied. SwiftASN1's parser
/// builds a tree of every node first, which takes eleven times as long (docs/decisions/0012-one-json-and-base64.md).
struct DERReader {
    /// One element: a tag with the range of its content and of its whole encoding.
    struct Element {
        let tag: UInt8
        let content: Range<Int>
        let encoding: Range<Int>
    }

    /// The bytes read from, shared and never changed.
    let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) {
        self.init(bytes, in: 0..<bytes.count)
    }

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position == end }

    /// The tag of the next element, without moving on.
    var nextTag: UInt8? { position < end ? bytes[position] : nil }

    /// Reads an element of any tag.
    mutating func next(_ subject: @autoclosure () -> String) throws(ReceiptError) -> Element {
        let start = position
        guard end - start >= 2 else {
            throw ReceiptError(.notAReceipt, subject: subject(), reason: "the bytes end where an element should begin")
        }
        let tag = bytes[start]
        guard tag & 0x1F != 0x1F else {
            throw ReceiptError(.notAReceipt, subject: subject(), reason: "the tag at \(start) has more than one octet")
        }
        let (length, contentStart) = try length(at: start + 1, subject())
        guard length <= end - contentStart else {
            throw ReceiptError(
                .notAReceipt, subject: subject(), reason: "the element at \(start) is longer than what is around it")
        }
        position = contentStart + length
        return Element(tag: tag, content: contentStart..<position, encoding: start..<position)
    }

    /// Reads an element which must have a tag.
    mutating func next(_ tag: DERTag, _ subject: @autoclosure () -> String) throws(ReceiptError) -> Element {
        let element = try next(subject())
        guard element.tag == tag.rawValue else {
            throw ReceiptError(
                .notAReceipt, subject: subject(),
                reason: "expected \(tag) and found the tag \(element.tag) at \(element.encoding.lowerBound)")
        }
        return element
    }

    /// Reads an element which must have a tag, and enters it.
    mutating func enter(_ tag: DERTag, _ subject: @autoclosure () -> String) throws(ReceiptError) -> DERReader {
        DERReader(bytes, in: try next(tag, subject()).content)
    }

    /// Reads an INTEGER of up to 64 bits.
    mutating func integer(_ subject: @autoclosure () -> String) throws(ReceiptError) -> Int64 {
        let content = try next(.integer, subject()).content
        guard (1...8).contains(content.count) else {
            throw ReceiptError(
                .malformedPayload, subject: subject(), reason: "an integer of \(content.count) octets")
        }
        var value: Int64 = bytes[content.lowerBound] & 0x80 == 0 ? 0 : -1
        for byte in bytes[content] { value = value << 8 | Int64(byte) }
        return value
    }

    /// Reads a receipt's attribute in its usual form at once, `SEQUENCE { INTEGER, INTEGER, OCTET STRING }` with short
    /// lengths: a receipt has twenty for each purchase.
    /// - Returns: `nil` for any other form, right or wrong; then nothing was read.
    mutating func shortAttribute() -> (type: Int64, value: Range<Int>)? {
        let start = position
        let found = bytes.withUnsafeBufferPointer { bytes -> (type: Int64, value: Range<Int>)? in
            guard end - start >= 2, bytes[start] == DERTag.sequence.rawValue, bytes[start + 1] < 0x80 else {
                return nil
            }
            let stop = start + 2 + Int(bytes[start + 1])
            let typeStart = start + 4
            guard stop <= end, stop - typeStart >= 1, bytes[start + 2] == DERTag.integer.rawValue else { return nil }
            let typeCount = Int(bytes[start + 3])
            let version = typeStart + typeCount
            guard (1...4).contains(typeCount), stop - version >= 5, bytes[typeStart] < 0x80,
                bytes[version] == DERTag.integer.rawValue, bytes[version + 1] == 1,
                bytes[version + 3] == DERTag.octetString.rawValue, bytes[version + 4] < 0x80,
                version + 5 + Int(bytes[version + 4]) == stop
            else { return nil }
            let type = bytes[typeStart..<version].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            return (type, (version + 5)..<stop)
        }
        if let found { position = found.value.upperBound }
        return found
    }

    /// The content of the one short element that a range consists of; `nil` if it is anything else.
    func shortContent(of range: Range<Int>, _ isWanted: (UInt8) -> Bool) -> Range<Int>? {
        guard range.count >= 2, isWanted(bytes[range.lowerBound]), Int(bytes[range.lowerBound + 1]) == range.count - 2,
            range.count - 2 < 0x80
        else { return nil }
        return (range.lowerBound + 2)..<range.upperBound
    }

    /// Reads an element that must have a known encoding.
    mutating func expect(_ encoding: [UInt8], _ subject: @autoclosure () -> String) throws(ReceiptError) {
        let element = try next(subject())
        guard bytes[element.encoding].elementsEqual(encoding) else {
            throw ReceiptError(.notAReceipt, subject: subject(), reason: "not the expected value")
        }
    }

    func expectEnd(_ subject: @autoclosure () -> String) throws(ReceiptError) {
        guard isAtEnd else {
            throw ReceiptError(
                .notAReceipt, subject: subject(), reason: "\(end - position) octets too many at \(position)")
        }
    }

    /// Reads the length bytes at an index; returns the length and the index of the content.
    private func length(
        at index: Int, _ subject: @autoclosure () -> String
    ) throws(ReceiptError) -> (length: Int, contentStart: Int) {
        let first = bytes[index]
        if first < 0x80 { return (Int(first), index + 1) }
        guard first != 0x80 else {
            throw ReceiptError(
                .indefiniteLength, subject: subject(),
                reason: "BER with indefinite lengths, as in the receipts of Xcode's local testing")
        }
        let count = Int(first & 0x7F)
        guard count <= 4, end - (index + 1) >= count else {
            throw ReceiptError(.notAReceipt, subject: subject(), reason: "a length of \(count) octets at \(index)")
        }
        var length = 0
        for byte in bytes[(index + 1)..<(index + 1 + count)] { length = length << 8 | Int(byte) }
        // DER has one encoding for each length: a receipt must not have a twin which verifies as well.
        guard length >= 0x80, count == 1 || length >> (8 * (count - 1)) != 0 else {
            throw ReceiptError(.notAReceipt, subject: subject(), reason: "a length at \(index) is not the shortest")
        }
        return (length, index + 1 + count)
    }
}

/// The DER tags of receipts.
enum DERTag: UInt8, CustomStringConvertible {
    case integer = 0x02
    case octetString = 0x04
    case null = 0x05
    case objectIdentifier = 0x06
    case utf8String = 0x0C
    case ia5String = 0x16
    case sequence = 0x30
    case set = 0x31
    /// `[0]`, constructed.
    case context0 = 0xA0

    var description: String {
        switch self {
        case .integer: "INTEGER"
        case .octetString: "OCTET STRING"
        case .null: "NULL"
        case .objectIdentifier: "OBJECT IDENTIFIER"
        case .utf8String: "UTF8String"
        case .ia5String: "IA5String"
        case .sequence: "SEQUENCE"
        case .set: "SET"
        case .context0: "[0]"
        }
    }
}
