/// Writes a document; see ``DocumentValue`` for its form.
package struct DocumentWriter {
    /// Most subscriptions fit in.
    private static let usualCount = 512

    private var bytes: [UInt8] = []

    package init() { bytes.reserveCapacity(Self.usualCount) }

    /// What was written so far.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func write(_ value: some DocumentValue) { value.write(to: &self) }

    mutating func write(number: Int64) {
        append(number)
        bytes.append(UInt8(ascii: ";"))
    }

    mutating func write(text: String) {
        var text = text
        text.withUTF8 { utf8 in
            append(Int64(utf8.count))
            bytes.append(UInt8(ascii: ":"))
            bytes.append(contentsOf: utf8)
        }
    }

    mutating func write(isThere: Bool) {
        bytes.append(isThere ? UInt8(ascii: "+") : UInt8(ascii: "~"))
    }

    private mutating func append(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(truncatingIfNeeded: 48 + rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}
