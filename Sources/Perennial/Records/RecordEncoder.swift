/// Encodes a record (``RecordCodable``).
package struct RecordEncoder {
    /// A capacity that fits most subscriptions.
    private static let usualCount = 256

    private var bytes: [UInt8] = []
    /// The number of bytes that a later state is expected to add.
    private(set) var expectedGrowth = 0

    package init() { bytes.reserveCapacity(Self.usualCount) }

    /// The text written so far.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func write(_ value: some RecordCodable) { value.write(to: &self) }

    /// Writes a value, abbreviated if it is the one that the decoder knows already.
    mutating func write<Value: RecordCodable & Equatable>(_ value: Value, known: Value) {
        if value == known { write(mark: UInt8(ascii: "=")) } else { value.write(to: &self) }
    }

    mutating func write(mark: UInt8) { bytes.append(mark) }

    /// Writes a time or a duration.
    mutating func write(milliseconds: Int64) {
        guard milliseconds % 1000 != 0 else { return write(number: milliseconds / 1000) }
        append(milliseconds)
        write(mark: UInt8(ascii: ","))
    }

    /// Writes a part that a later state has twice.
    mutating func reserveDouble(_ part: (inout RecordEncoder) -> Void) {
        let start = bytes.count
        part(&self)
        expectedGrowth += bytes.count - start
    }

    /// Writes a part that a later state has with this number of bytes.
    mutating func write(atLeast count: Int, _ part: (inout RecordEncoder) -> Void) {
        let start = bytes.count
        part(&self)
        expectedGrowth += max(0, count - (bytes.count - start))
    }

    /// Ends the record with a full stop, before which a database may put spaces.
    mutating func end() { write(mark: UInt8(ascii: ".")) }

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

    mutating func write(isPresent: Bool) {
        bytes.append(isPresent ? UInt8(ascii: "+") : UInt8(ascii: "~"))
    }

    private mutating func append(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(truncatingIfNeeded: 48 + rest % 10))
            rest /= 10
        } while rest > 0
        var (low, high) = (start, bytes.count - 1)
        while low < high {
            bytes.swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
    }
}
