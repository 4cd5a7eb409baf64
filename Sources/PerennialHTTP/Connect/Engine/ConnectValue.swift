import Perennial

/// A value in a document of the App Store Connect API.
enum ConnectValue: Encodable, Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case bool(Bool)
    case null
    case array([ConnectValue])
    case object([String: ConnectValue])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .null: try container.encodeNil()
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

// MARK: - Forms

extension ConnectValue {
    /// A text, or null without one: unset attributes are there.
    static func optional(_ text: String?) -> ConnectValue { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int64?) -> ConnectValue { number.map { .integer($0) } ?? .null }
    static func optional(_ number: Int?) -> ConnectValue { number.map { .integer(Int64($0)) } ?? .null }
    static func optional(_ isTrue: Bool?) -> ConnectValue { isTrue.map { .bool($0) } ?? .null }

    /// A date without a time: `2026-10-03`.
    static func date(_ day: PacificDay?) -> ConnectValue { .optional(day?.description) }

    /// A date with a time, without a fraction and with an offset: `2026-10-03T04:00:00+00:00`. All clients read this form.
    static func dateTime(_ instant: Instant?) -> ConnectValue {
        .optional(instant.map { "\($0.rfc3339().dropLast())+00:00" })
    }

    /// An amount as a decimal text of the shortest form with at least one digit after the point: `24.99`, `499.0`.
    ///
    /// - Parameter milliunits: Thousandths of the currency's unit.
    static func money(milliunits: Int64) -> ConnectValue {
        let magnitude = milliunits.magnitude
        var fraction = String(1000 + magnitude % 1000).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        return .text("\(milliunits < 0 ? "-" : "")\(magnitude / 1000).\(fraction)")
    }

    static func texts(_ texts: some Sequence<String>) -> ConnectValue { .array(texts.map { .text($0) }) }
}
