import Foundation

/// Extreme values of messages: beyond every integer type, every date and every duration.
package enum ExtremeValues {
    /// Numbers in JSON.
    package static let numbers = [
        "0", "-0", "-1", "0.5", "1e-308", "2147483648", "-2147483649", "9007199254740992", "-9007199254740993",
        "253402300800000", "-62167219200001", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "18446744073709551615", "1e19", "-1e19", "1e308", "-1e308", "1e400", "123456789012345678901234567890",
    ]
    /// Numbers, times and durations in strings, and the one character that databases don't store.
    package static let texts = [
        "", "-1", "0", "2147483648", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e308",
        "NaN", "-Infinity", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+23:59",
        "10000-01-01T00:00:00Z", "P9999Y", "P10001Y", "PT9223372036854775807S", "P-1D",
        "\u{0}",
    ]
}

extension JSONValue {
    /// The keys and indices that lead to a value.
    package typealias Path = [String]

    /// The values that are neither objects nor arrays, with their paths.
    package var leaves: [(path: Path, value: JSONValue)] {
        switch self {
        case .object(let members):
            members.sorted { $0.key < $1.key }.flatMap { key, value in
                value.leaves.map { ([key] + $0.path, $0.value) }
            }
        case .array(let elements):
            elements.enumerated().flatMap { index, value in
                value.leaves.map { (["\(index)"] + $0.path, $0.value) }
            }
        default: [([], self)]
        }
    }

    /// Returns the JSON text with sorted keys, with one value replaced by other text, such as a number beyond every type.
    package func text(replacing path: Path? = nil, by text: String = "") throws -> String {
        if path == [] { return text }
        func rest(_ key: String) -> Path? { path?.first == key ? path.map { Array($0.dropFirst()) } : nil }
        switch self {
        case .object(let members):
            let parts = try members.sorted { $0.key < $1.key }.map { key, value in
                "\(try JSONValue.string(key).text()):\(try value.text(replacing: rest(key), by: text))"
            }
            return "{\(parts.joined(separator: ","))}"
        case .array(let elements):
            let parts = try elements.enumerated().map { try $0.element.text(replacing: rest("\($0.offset)"), by: text) }
            return "[\(parts.joined(separator: ","))]"
        default: return String(decoding: try encoded, as: UTF8.self)
        }
    }

    /// The JSON texts of this value with each leaf replaced by each extreme value of its type, and a description of each.
    package var extremes: [(words: String, isNumber: Bool, text: String)] {
        get throws {
            try leaves.flatMap { path, value in
                var raws = ExtremeValues.numbers.map { ($0, true) }
                let texts = try ExtremeValues.texts.map { (try JSONValue.string($0).text(), false) }
                switch value {
                case .number: raws += texts.prefix(5)
                case .string: raws = raws.suffix(3).map { ($0.0, false) } + texts
                case .bool, .null: raws = raws.suffix(3)
                case .object, .array: raws = []
                }
                return try raws.map { raw, isNumber in
                    ("\(path.joined(separator: ".")): \(raw)", isNumber, try text(replacing: path, by: raw))
                }
            }
        }
    }

    /// Returns the JSON text of an object with members replaced by raw text.
    package func encoded(adding raw: [String: String]) throws -> [UInt8] {
        let kept = JSONValue.object((members ?? [:]).filter { raw[$0.key] == nil })
        let more = try raw.map { "\(try JSONValue.string($0.key).text()):\($0.value)" }
        let text = try kept.text().dropLast()
        return Array("\(text)\(text.count > 1 && !more.isEmpty ? "," : "")\(more.joined(separator: ","))}".utf8)
    }
}
