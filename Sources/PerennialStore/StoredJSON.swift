import Foundation

/// JSON documents in columns of the database.
enum StoredJSON {
    /// Returns a value's JSON with sorted keys, so that equal values have equal texts.
    static func text(_ value: some Encodable, escapesSlashes: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = escapesSlashes ? .sortedKeys : [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type = Value.self, from text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
