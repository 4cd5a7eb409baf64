/// A piece of a JSON document.
enum OpenAPINode: Encodable, Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByStringInterpolation
{
    case string(String)
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case null
    case array([OpenAPINode])
    case object([String: OpenAPINode])

    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(arrayLiteral elements: OpenAPINode...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, OpenAPINode)...) {
        self = .object(Dictionary(elements) { first, _ in first })
    }

    /// The schema of a field that is left out or null.
    static let absent: OpenAPINode = ["type": "null"]

    /// The members of an object; none of anything else.
    var members: [String: OpenAPINode] {
        if case .object(let members) = self { return members }
        return [:]
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .null: try container.encodeNil()
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
