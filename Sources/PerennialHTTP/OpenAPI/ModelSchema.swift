import Foundation

/// A message whose JSON schema follows from the fields that it decodes, and from their constraints.
protocol Model: Decodable, Sendable {
    /// The constraints by the names of the fields. A test finds names that no field has.
    static var constraints: [String: Constraint] { get }
    /// A constraint of several fields together.
    static var rule: Constraint? { get }
}

extension Model {
    static var constraints: [String: Constraint] { [:] }
    static var rule: Constraint? { nil }
}

/// A type that says its JSON schema itself.
protocol SchemaProviding {
    static func schema(_ use: SchemaUse) throws -> OpenAPINode
    /// Any value, to go on with where one is decoded.
    static var sample: Self { get }
}

/// The side that writes what a schema describes.
enum SchemaUse: Sendable {
    /// A client does: `null` is the same as leaving a field out.
    case request(refusesUnknownFields: Bool)
    /// The server does: fields without a value are left out.
    case answer
}

/// Makes schemas by having types decode from nothing, and recording the fields that they ask for.
enum ModelSchema {
    struct Undescribed: Error, CustomStringConvertible {
        let description: String
    }

    static func schema<Value: Decodable>(of type: Value.Type, _ use: SchemaUse) throws -> OpenAPINode {
        try describe(type, use).schema
    }

    fileprivate static func describe<Value: Decodable>(
        _ type: Value.Type, _ use: SchemaUse
    ) throws -> (schema: OpenAPINode, sample: Value) {
        if let provider = type as? any SchemaProviding.Type {
            guard let sample = provider.sample as? Value else { throw Undescribed(description: "\(type)") }
            return (try provider.schema(use), sample)
        }
        let recorder = FieldRecorder(use)
        let sample = try Value(from: recorder)
        let constraints = (type as? any Model.Type)?.constraints ?? [:]
        if let stray = constraints.keys.first(where: { name in !recorder.fields.contains { $0.name == name } }) {
            throw Undescribed(description: "\(type) has no field \(stray)")
        }
        let schema = recorder.schema(constraints)
        return ((type as? any Model.Type)?.rule?.apply(to: schema) ?? schema, sample)
    }
}

/// A decoder that has every field, and notes their names and types.
private final class FieldRecorder: Decoder {
    struct Field {
        var name: String
        var schema: OpenAPINode
        var isRequired: Bool
    }

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let use: SchemaUse
    private(set) var fields: [Field] = []
    /// The field of which it has just been asked whether it is null: only optional ones are.
    private var optional: String?

    init(_ use: SchemaUse) { self.use = use }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RecordingContainer<Key>(recorder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw ModelSchema.Undescribed(description: "an array that says no schema")
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw ModelSchema.Undescribed(description: "a value that says no schema")
    }

    func asksForNull(_ name: String) { optional = name }

    func record(_ name: String, _ schema: OpenAPINode) {
        fields.append(Field(name: name, schema: schema, isRequired: optional != name))
        optional = nil
    }

    /// The schema of an object with the recorded fields.
    func schema(_ constraints: [String: Constraint]) -> OpenAPINode {
        var properties: [String: OpenAPINode] = [:]
        for field in fields {
            let schema = constraints[field.name]?.apply(to: field.schema) ?? field.schema
            if case .request = use, !field.isRequired {
                properties[field.name] = Self.nullable(schema)
            } else {
                properties[field.name] = schema
            }
        }
        var object: [String: OpenAPINode] = ["type": "object", "properties": .object(properties)]
        let required = fields.filter(\.isRequired).map(\.name)
        if !required.isEmpty { object["required"] = .array(required.map { .string($0) }) }
        if case .request(refusesUnknownFields: true) = use { object["additionalProperties"] = false }
        return .object(object)
    }

    private static func nullable(_ schema: OpenAPINode) -> OpenAPINode {
        guard case .string(let type)? = schema.members["type"] else { return ["anyOf": [schema, ["type": "null"]]] }
        var members = schema.members
        members["type"] = [.string(type), "null"]
        if case .array(let values)? = members["enum"] { members["enum"] = .array(values + [.null]) }
        return .object(members)
    }
}

private struct RecordingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: FieldRecorder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool {
        recorder.asksForNull(key.stringValue)
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let (schema, sample) = try ModelSchema.describe(type, recorder.use)
        recorder.record(key.stringValue, schema)
        return sample
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw ModelSchema.Undescribed(description: "\(key.stringValue) is nested")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw ModelSchema.Undescribed(description: "\(key.stringValue) is nested")
    }

    func superDecoder() throws -> any Decoder { throw ModelSchema.Undescribed(description: "super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw ModelSchema.Undescribed(description: "super") }
}

extension String: SchemaProviding {
    static func schema(_ use: SchemaUse) -> OpenAPINode {
        guard case .request = use else { return ["type": "string"] }
        return ["type": "string", "pattern": .string(QueryParameter.storable)]
    }

    static var sample: String { "" }
}

extension Bool: SchemaProviding {
    static func schema(_ use: SchemaUse) -> OpenAPINode { ["type": "boolean"] }
    static var sample: Bool { false }
}

extension Double: SchemaProviding {
    static func schema(_ use: SchemaUse) -> OpenAPINode { ["type": "number"] }
    static var sample: Double { 0 }
}

extension SchemaProviding where Self: FixedWidthInteger {
    static var sample: Self { 0 }

    /// The range is the type's: a number beyond it is refused.
    static func schema(_ use: SchemaUse) -> OpenAPINode {
        if case .answer = use { return ["type": "integer"] }
        return [
            "type": "integer", "minimum": .integer(Int64(clamping: min)), "maximum": .unsigned(UInt64(clamping: max)),
        ]
    }
}

extension Int: SchemaProviding {}
extension Int64: SchemaProviding {}
extension UInt64: SchemaProviding {}

extension Array: SchemaProviding where Element: Decodable {
    static func schema(_ use: SchemaUse) throws -> OpenAPINode {
        ["type": "array", "items": try ModelSchema.schema(of: Element.self, use)]
    }
    static var sample: [Element] { [] }
}

extension Dictionary: SchemaProviding where Key == String, Value: Decodable {
    static func schema(_ use: SchemaUse) throws -> OpenAPINode {
        ["type": "object", "additionalProperties": try ModelSchema.schema(of: Value.self, use)]
    }
    static var sample: [String: Value] { [:] }
}

/// A message of Apple's inside one of ours; Apple's documents describe it.
struct AppleMessage: Codable, Sendable, SchemaProviding {
    private struct Unread: Error {}

    private let value: any Encodable & Sendable

    init(_ value: any Encodable & Sendable) { self.value = value }

    init(from decoder: any Decoder) throws { throw Unread() }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    static func schema(_ use: SchemaUse) -> OpenAPINode { ["$ref": .string(OpenAPIDocument.appleMessage)] }
    static var sample: AppleMessage { AppleMessage([String: String]()) }
}
