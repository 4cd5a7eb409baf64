/// Appends the DER of receipts to bytes.
extension [UInt8] {
    /// Appends a tag and a length; the content follows.
    mutating func appendDERHeader(_ tag: DERTag, length: Int) {
        append(tag.rawValue)
        if length < 0x80 {
            append(UInt8(truncatingIfNeeded: length))
            return
        }
        let count = DERLength.lengthOctets(for: length)
        append(0x80 | UInt8(truncatingIfNeeded: count))
        for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: length >> shift))
        }
    }

    /// Appends a whole element.
    mutating func appendDER(_ tag: DERTag, _ content: some Collection<UInt8>) {
        appendDERHeader(tag, length: content.count)
        append(contentsOf: content)
    }

    /// Appends an INTEGER in the fewest bytes.
    mutating func appendDER(integer value: Int64) {
        let count = DERLength.octets(of: value)
        append(DERTag.integer.rawValue)
        append(UInt8(truncatingIfNeeded: count))
        for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> Int64(shift)))
        }
    }

    /// Encodes an element with others as its content.
    static func der(_ tag: DERTag, _ parts: [UInt8]...) -> [UInt8] {
        let length = parts.reduce(0) { $0 + $1.count }
        var bytes = [UInt8]()
        bytes.reserveCapacity(length + 6)
        bytes.appendDERHeader(tag, length: length)
        for part in parts { bytes.append(contentsOf: part) }
        return bytes
    }
}

/// The sizes of encoded lengths and integers, in bytes.
enum DERLength {
    /// The bytes of a length in its long form, without the leading one.
    static func lengthOctets(for length: Int) -> Int {
        (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
    }

    /// The bytes of a whole element with content of a size.
    static func element(content: Int) -> Int {
        1 + (content < 0x80 ? 1 : 1 + lengthOctets(for: content)) + content
    }

    /// The content bytes of an INTEGER.
    static func octets(of value: Int64) -> Int {
        let magnitude = value < 0 ? ~value : value
        return (Int64.bitWidth - magnitude.leadingZeroBitCount) / 8 + 1
    }
}

/// Collects the elements of a SET OF and writes them in DER's order: sorted by their encoded bytes.
///
/// All elements share one buffer, so that a receipt with a thousand purchases costs a few allocations a purchase.
struct DERSetBuilder {
    private var buffer: [UInt8] = []
    private var elements: [Range<Int>] = []

    init(capacity: Int) {
        buffer.reserveCapacity(capacity)
        elements.reserveCapacity(32)
    }

    /// Adds the bytes that `write` appends as one element.
    mutating func add(_ write: (inout [UInt8]) -> Void) {
        let start = buffer.count
        write(&buffer)
        elements.append(start..<buffer.count)
    }

    /// The SET's whole encoding.
    func encoded() -> [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(buffer.count + 6)
        bytes.appendDERHeader(.set, length: buffer.count)
        buffer.withUnsafeBufferPointer { buffer in
            let sorted = elements.sorted { one, other in
                buffer[one].lexicographicallyPrecedes(buffer[other])
            }
            for element in sorted { bytes.append(contentsOf: buffer[element]) }
        }
        return bytes
    }
}
