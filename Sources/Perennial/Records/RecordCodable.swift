/// A value that can be encoded into a record: a compact text of consecutive values, whose decoder must know the type
/// of the next one.
///
/// A number is its digits and a semicolon. A text is its length in bytes, a colon and the text itself, so nothing is
/// escaped. A time is its seconds as a number, or its milliseconds and a comma if it has a fraction of a second. `~`
/// means false, or a missing value. `+` means true, or precedes an optional value. `=` means a value that the decoder
/// knows already.
package protocol RecordCodable {
    func write(to document: inout RecordEncoder)
    init(from document: inout RecordDecoder) throws(RecordDecodingError)
}

/// The reason why a record can't be decoded.
package struct RecordDecodingError: Error, Equatable, CustomStringConvertible {
    /// The expected text.
    package let expected: String
    /// The position in bytes.
    package let position: Int

    package var description: String { "expected \(expected) at byte \(position)" }
}

extension Int64: RecordCodable {
    package func write(to document: inout RecordEncoder) { document.write(number: self) }
    package init(from document: inout RecordDecoder) throws(RecordDecodingError) { self = try document.number() }
}

extension Int: RecordCodable {
    package func write(to document: inout RecordEncoder) { document.write(number: Int64(self)) }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        guard let int = Int(exactly: try document.number()) else { throw document.failure("a smaller number") }
        self = int
    }
}

extension Bool: RecordCodable {
    package func write(to document: inout RecordEncoder) { document.write(isPresent: self) }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self = document.version == 1 ? try document.number() != 0 : try document.isPresent()
    }
}

extension String: RecordCodable {
    package func write(to document: inout RecordEncoder) { document.write(text: self) }
    package init(from document: inout RecordDecoder) throws(RecordDecodingError) { self = try document.text() }
}

extension Optional: RecordCodable where Wrapped: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(isPresent: self != nil)
        if let self { self.write(to: &document) }
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self = try document.isPresent() ? try Wrapped(from: &document) : nil
    }
}

extension Array: RecordCodable where Element: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(number: Int64(count))
        for element in self { element.write(to: &document) }
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self = []
        for _ in 0..<(try document.count()) { append(try Element(from: &document)) }
    }
}

/// Encodes names and numbers as their raw values.
extension RecordCodable where Self: RawRepresentable, RawValue: RecordCodable {
    package func write(to document: inout RecordEncoder) { rawValue.write(to: &document) }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        guard let value = Self(rawValue: try RawValue(from: &document)) else {
            throw document.failure("a known \(Self.self)")
        }
        self = value
    }
}
