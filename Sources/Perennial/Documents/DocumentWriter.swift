/// Writes a document; see ``DocumentValue`` for its form.
package struct DocumentWriter {
    /// Most subscriptions fit in.
    private static let usualCount = 256

    private var bytes: [UInt8] = []
    /// Bytes to be left free at the end.
    private var room = 0

    package init() { bytes.reserveCapacity(Self.usualCount) }

    /// What was written so far.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func write(_ value: some DocumentValue) { value.write(to: &self) }

    /// Writes a value that most often is one that the reader knows by then.
    mutating func write<Value: DocumentValue & Equatable>(_ value: Value, known: Value) {
        if value == known { write(mark: UInt8(ascii: "=")) } else { value.write(to: &self) }
    }

    mutating func write(mark: UInt8) { bytes.append(mark) }

    /// Writes a time or a span of time.
    mutating func write(milliseconds: Int64) {
        guard milliseconds % 1000 != 0 else { return write(number: milliseconds / 1000) }
        append(milliseconds)
        write(mark: UInt8(ascii: ","))
    }

    /// Writes a part, and leaves room at the end for as much again.
    mutating func writeTwofold(_ part: (inout DocumentWriter) -> Void) {
        let start = bytes.count
        part(&self)
        room += bytes.count - start
    }

    /// Ends the document, with the room that was left, and as much more that its length is a multiple of `unit`.
    mutating func end(unit: Int) {
        let length = (bytes.count + room + 1 + unit - 1) / unit * unit
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: length - bytes.count - 1))
        write(mark: UInt8(ascii: "."))
    }

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
        var (low, high) = (start, bytes.count - 1)
        while low < high {
            bytes.swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
    }
}
