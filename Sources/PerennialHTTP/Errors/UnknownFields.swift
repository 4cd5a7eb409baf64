import Foundation
import Hummingbird
import NIOCore

extension Request {
    /// Refuses a field that a request doesn't have by its name.
    ///
    /// - Parameter value: The decoded body: a structure whose properties are called like its fields.
    /// - Throws: ``APIError`` `malformedRequest` with the field.
    static func refuseUnknownFields(of value: Any, in buffer: ByteBuffer) throws {
        guard let object = try? JSONSerialization.jsonObject(with: Data(buffer.readableBytesView)) as? [String: Any]
        else { return }
        try refuseUnknownFields(of: Mirror(reflecting: value), in: object, below: "")
    }

    private static func refuseUnknownFields(of mirror: Mirror, in object: [String: Any], below parent: String) throws {
        let known = Set(mirror.children.compactMap(\.label))
        if let unknown = object.keys.filter({ !known.contains($0) }).min() {
            let name = String((parent + unknown).prefix(100))
            throw APIError(
                .badRequest, "malformedRequest",
                "\(name) is no field of this request: it has \(known.sorted().joined(separator: ", "))", field: name)
        }
        for child in mirror.children {
            guard let key = child.label, let inner = object[key] else { continue }
            try refuseUnknownFields(of: child.value, inside: inner, below: "\(parent)\(key).")
        }
    }

    /// Looks through lists and objects for structures of the request.
    private static func refuseUnknownFields(of value: Any, inside inner: Any, below parent: String) throws {
        if let object = inner as? [String: Any], let structure = structure(value) {
            try refuseUnknownFields(of: structure, in: object, below: parent)
        } else if let items = inner as? [Any], let list = list(value) {
            for (value, item) in zip(list.children, items) {
                try refuseUnknownFields(of: value.value, inside: item, below: parent)
            }
        }
    }

    /// Looks through an optional; `nil` for a value that is no list.
    private static func list(_ value: Any) -> Mirror? {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.flatMap { list($0.value) } }
        return mirror.displayStyle == .collection ? mirror : nil
    }

    /// Looks through an optional; `nil` for a value that has no properties of its own.
    private static func structure(_ value: Any) -> Mirror? {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.flatMap { structure($0.value) } }
        return mirror.displayStyle == .struct ? mirror : nil
    }
}
