/// A value bound to a placeholder: of one of the three column types, or null.
package enum SQLValue: Sendable, Hashable {
    case null
    /// A `BIGINT`.
    case integer(Int64)
    /// A `TEXT`: Unicode without NUL characters.
    case text(String)
    /// A `BYTEA`.
    case blob([UInt8])

    package init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    package init(_ value: Int) { self = .integer(Int64(value)) }
    package init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    package init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }

    /// Makes PostgreSQL's text of an array of numbers; the statement casts it to `BIGINT[]`.
    static func array(_ values: some Sequence<Int64>) -> SQLValue {
        .text("{\(values.lazy.map(String.init).joined(separator: ","))}")
    }

    /// Makes PostgreSQL's text of an array of texts; the statement casts it to `TEXT[]`.
    static func array(texts: some Sequence<String>) -> SQLValue {
        let elements = texts.lazy.map { text in
            "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
        return .text("{\(elements.joined(separator: ","))}")
    }

    /// Makes 1 for true and 0 for false: the engines' own booleans aren't used.
    package init(_ value: Bool) { self = .integer(value ? 1 : 0) }
    package init(_ value: Bool?) { self = value.map { SQLValue($0) } ?? .null }
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self.init(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: UInt8...) { self = .blob(elements) }
}
