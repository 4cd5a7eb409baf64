import Foundation
import Hummingbird
import NIOCore

extension Request {
    /// What the body of a control request says. A field that the request doesn't have is refused by its name: an operator
    /// who misspells one would otherwise be told that all is well.
    ///
    /// - Throws: ``APIError`` `malformedRequest` with the field, `bodyTooLarge`.
    func controlJSON<Value: Decodable>(_ type: Value.Type, upTo limit: Int = 65_536) async throws -> Value {
        let buffer = try await collected(upTo: limit)
        let value = try Self.decode(type, from: buffer)
        try Self.refuseUnknownFields(of: [value], in: buffer)
        return value
    }

    /// What the body says, or nothing for an empty one.
    func optionalControlJSON<Value: Decodable>(_ type: Value.Type, upTo limit: Int = 65_536) async throws -> Value? {
        let buffer = try await collected(upTo: limit)
        guard buffer.readableBytes > 0 else { return nil }
        let value = try Self.decode(type, from: buffer)
        try Self.refuseUnknownFields(of: [value], in: buffer)
        return value
    }

    /// - Parameter values: What was decoded of the body: structures whose properties are called like its fields.
    static func refuseUnknownFields(of values: [Any], in buffer: ByteBuffer) throws {
        guard let object = try? JSONSerialization.jsonObject(with: Data(buffer.readableBytesView)) as? [String: Any]
        else { return }
        try refuseUnknownFields(of: values.map { Mirror(reflecting: $0) }, in: object, below: "")
    }

    private static func refuseUnknownFields(
        of mirrors: [Mirror], in object: [String: Any], below parent: String
    ) throws {
        let properties = mirrors.flatMap(\.children)
        let known = Set(properties.compactMap(\.label))
        if let unknown = object.keys.filter({ !known.contains($0) }).min() {
            let name = String((parent + unknown).prefix(100))
            throw APIError(
                .badRequest, "malformedRequest",
                "\(name) is no field of this request: it has \(known.sorted().joined(separator: ", "))", field: name)
        }
        for (key, value) in object {
            guard let inner = value as? [String: Any] else { continue }
            let structures = properties.filter { $0.label == key }.compactMap { structure($0.value) }
            if !structures.isEmpty { try refuseUnknownFields(of: structures, in: inner, below: "\(parent)\(key).") }
        }
    }

    /// What is in an optional; `nil` for what has no properties of its own.
    private static func structure(_ value: Any) -> Mirror? {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.flatMap { structure($0.value) } }
        return mirror.displayStyle == .struct ? mirror : nil
    }
}
