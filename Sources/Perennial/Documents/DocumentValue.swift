/// What can be kept in a document: a compact text of values one after the other, in which the reader must know what
/// comes next.
///
/// A number is its digits and a semicolon; a text its length in bytes, a colon and itself, so that nothing is escaped; a
/// time its seconds as a number, or its milliseconds and a comma where there is a fraction of a second. `~` stands for no
/// and for a value that isn't there, `+` for yes and goes before a value that could be missing and isn't; `=` stands for a
/// value that the reader knows already.
package protocol DocumentValue {
    func write(to document: inout DocumentWriter)
    init(from document: inout DocumentReader) throws(DocumentError)
}

/// Why a document can't be read.
package struct DocumentError: Error, Equatable, CustomStringConvertible {
    /// What was expected.
    package let expected: String
    /// The byte at which it was expected.
    package let position: Int

    package var description: String { "expected \(expected) at byte \(position)" }
}

extension Int64: DocumentValue {
    package func write(to document: inout DocumentWriter) { document.write(number: self) }
    package init(from document: inout DocumentReader) throws(DocumentError) { self = try document.number() }
}

extension Int: DocumentValue {
    package func write(to document: inout DocumentWriter) { document.write(number: Int64(self)) }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        guard let int = Int(exactly: try document.number()) else { throw document.failure("a smaller number") }
        self = int
    }
}

extension Bool: DocumentValue {
    package func write(to document: inout DocumentWriter) { document.write(isThere: self) }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self = document.version == 1 ? try document.number() != 0 : try document.isThere()
    }
}

extension String: DocumentValue {
    package func write(to document: inout DocumentWriter) { document.write(text: self) }
    package init(from document: inout DocumentReader) throws(DocumentError) { self = try document.text() }
}

extension Optional: DocumentValue where Wrapped: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(isThere: self != nil)
        if let self { self.write(to: &document) }
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self = try document.isThere() ? try Wrapped(from: &document) : nil
    }
}

extension Array: DocumentValue where Element: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(number: Int64(count))
        for element in self { element.write(to: &document) }
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self = []
        for _ in 0..<(try document.count()) { append(try Element(from: &document)) }
    }
}

/// Names and numbers are written as what they stand for.
extension DocumentValue where Self: RawRepresentable, RawValue: DocumentValue {
    package func write(to document: inout DocumentWriter) { rawValue.write(to: &document) }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        guard let value = Self(rawValue: try RawValue(from: &document)) else {
            throw document.failure("a known \(Self.self)")
        }
        self = value
    }
}
