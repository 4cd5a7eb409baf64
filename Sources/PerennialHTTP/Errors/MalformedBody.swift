import Foundation
import HTTPTypes
import NIOCore

extension APIError {
    /// - Parameter number: The field that holds a number which nothing of ours holds, if it is one of those.
    init(malformed error: DecodingError, number: () -> String?) {
        let (path, problem): ([any CodingKey], String) =
            switch error {
            case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
            case .typeMismatch(let type, let context): (context.codingPath, "is not \(Self.words(for: type))")
            case .valueNotFound(let type, let context):
                (context.codingPath, "is null; \(Self.words(for: type)) is expected")
            case .dataCorrupted(let context):
                (context.codingPath, context.codingPath.isEmpty ? "" : "has a value it can't have")
            @unknown default: ([], "")
            }
        let field = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        if field.isEmpty, let number = number() {
            self.init(
                .badRequest, "malformedRequest", "\(number) is not a whole number, or too far from 0", field: number,
                skError: 1)
            return
        }
        self.init(
            .badRequest, "malformedRequest",
            field.isEmpty ? "the body is not the JSON object that is expected" : "\(field) \(problem)",
            field: field.isEmpty ? nil : field, skError: 1)
    }

    private static func words(for type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any FixedWidthInteger.Type: "a whole number"
        case is any Collection.Type: "an array"
        default: "an object"
        }
    }
}

/// Finds the field whose number it can't hold, such as a quantity of 1.5. Foundation's decoder says only that there is one.
enum MalformedNumber {
    /// A limit of ours: each number costs reading the body again.
    private static let numbersMaximum = 16
    private static let depthMaximum = 4

    /// - Returns: The field's path with dots; `nil` where the body has another fault.
    static func path<Value: Decodable>(in buffer: ByteBuffer, decodedAs type: Value.Type) -> String? {
        guard var object = (try? JSONSerialization.jsonObject(with: Data(buffer.readableBytesView))) as? [String: Any]
        else { return nil }
        // One after the other becomes a number that any field holds, until they all are held.
        for path in numbers(of: object, depth: 0).prefix(numbersMaximum) {
            object = replacing(path[...], in: object)
            guard !isRefused(object, type) else { continue }
            return path.joined(separator: ".")
        }
        return nil
    }

    private static func numbers(of object: [String: Any], depth: Int) -> [[String]] {
        object.keys.sorted().flatMap { key -> [[String]] in
            switch object[key] {
            case let number as NSNumber where !(number is Bool): [[key]]
            case let inner as [String: Any] where depth < depthMaximum:
                numbers(of: inner, depth: depth + 1).map { [key] + $0 }
            default: []
            }
        }
    }

    private static func replacing(_ path: ArraySlice<String>, in object: [String: Any]) -> [String: Any] {
        guard let key = path.first else { return object }
        var object = object
        if let inner = object[key] as? [String: Any] {
            object[key] = replacing(path.dropFirst(), in: inner)
        } else {
            object[key] = 1
        }
        return object
    }

    /// Returns true if a number is the body's fault.
    private static func isRefused<Value: Decodable>(_ object: [String: Any], _ type: Value.Type) -> Bool {
        do {
            _ = try JSONDecoder().decode(type, from: try JSONSerialization.data(withJSONObject: object))
            return false
        } catch DecodingError.dataCorrupted(let context) {
            return context.codingPath.isEmpty
        } catch {
            return false
        }
    }
}
