import BaseEncoding

/// A position in a buffer that has room for every write: ``JSONWriter`` reserves it, and debug builds check it.
struct JSONCursor {
    /// The most characters that a 64-bit number takes in decimal.
    static let maximumDigits = 20

    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var position: Int

    init(buffer: UnsafeMutableBufferPointer<UInt8>, position: Int) {
        self.buffer = buffer
        self.position = position
    }

    @inline(__always)
    mutating func write(_ byte: UInt8) {
        buffer[position] = byte
        position += 1
    }

    mutating func write(_ text: StaticString) {
        guard text.hasPointerRepresentation else { return text.withUTF8Buffer { write($0) } }
        write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
        guard let source = text.baseAddress, let target = buffer.baseAddress else { return }
        assert(position + text.count <= buffer.count)
        (target + position).update(from: source, count: text.count)
        position += text.count
    }

    mutating func write(base64 bytes: [UInt8]) {
        position += Base64.write(
            bytes, as: .standard, to: UnsafeMutableBufferPointer(rebasing: buffer.suffix(from: position)))
    }

    mutating func write(decimal value: Int64) {
        if value < 0 { write(UInt8(ascii: "-")) }
        let start = position
        var rest = value.magnitude
        repeat {
            write(UInt8(truncatingIfNeeded: 48 + rest % 10))
            rest /= 10
        } while rest > 0
        buffer[start..<position].reverse()
    }

    /// Writes a number of bytes that a closure puts into the buffer.
    mutating func write(count: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        fill(UnsafeMutableBufferPointer(rebasing: buffer[position..<(position + count)]))
        position += count
    }

    /// Writes text with the escapes that RFC 8259 requires.
    mutating func write(escaping text: UnsafeBufferPointer<UInt8>) {
        for character in text {
            switch character {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                write(UInt8(ascii: "\\"))
                write(character)
            case 0x0A: write("\\n" as StaticString)
            case 0x0D: write("\\r" as StaticString)
            case 0x09: write("\\t" as StaticString)
            case 0..<0x20:
                write("\\u00" as StaticString)
                write(Hexadecimal.digit(character >> 4))
                write(Hexadecimal.digit(character & 15))
            default: write(character)
            }
        }
    }
}
