/// A piece of a JSON document.
enum OpenAPINode: Encodable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByStringInterpolation
{
    case string(String)
    case bool(Bool)
    case array([OpenAPINode])
    case object([String: OpenAPINode])

    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: OpenAPINode...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, OpenAPINode)...) {
        self = .object(Dictionary(elements) { first, _ in first })
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
