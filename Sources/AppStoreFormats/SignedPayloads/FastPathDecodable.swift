import FastJSON
import Foundation

/// A payload that has a fast path around `JSONDecoder`, which takes longer than verifying a signature.
protocol FastPathDecodable: Decodable {
    /// Reads a payload that has the usual form.
    ///
    /// - Returns: `nil` for any other form, valid or not; the caller decodes it with `JSONDecoder`, or reports its error.
    init?(fastPath payload: [UInt8])
}

/// The members of a flat JSON object by name: strings, numbers and booleans.
struct FlatJSONFields {
    private enum Field {
        case string(String)
        case number(Double)
        case bool(Bool)
    }

    /// The whole numbers that a double represents exactly.
    private static let exactNumbers = -9_007_199_254_740_991.0...9_007_199_254_740_991.0

    private var fields: [String: Field]
    /// True while every field that was read had the type it was read as.
    private(set) var isFastPath = true

    /// Scans an object.
    /// - Returns: `nil` if the bytes are not an object, or if it has nested values or a repeated name.
    init?(_ json: [UInt8]) {
        var fields: [String: Field] = [:]
        fields.reserveCapacity(40)
        var nulls: Set<String> = []
        var isFlat = true
        var scanner = JSONScanner(json)
        let isScanned: Void? = try? scanner.scanEveryMember { name, value in
            let field: Field
            switch value {
            case .string(let text): field = .string(text)
            case .number(let number): field = .number(number)
            case .bool(let bool): field = .bool(bool)
            case .null:
                if !nulls.insert(name).inserted { isFlat = false }
                return
            case .strings, .nested:
                isFlat = false
                return
            }
            if fields.updateValue(field, forKey: name) != nil { isFlat = false }
        }
        guard isScanned != nil, isFlat, nulls.allSatisfy({ fields[$0] == nil }) else { return nil }
        self.fields = fields
    }

    mutating func string(_ name: String) -> String? {
        guard let field = fields[name] else { return nil }
        if case .string(let text) = field { return text }
        isFastPath = false
        return nil
    }

    mutating func bool(_ name: String) -> Bool? {
        guard let field = fields[name] else { return nil }
        if case .bool(let value) = field { return value }
        isFastPath = false
        return nil
    }

    mutating func date(_ name: String) -> Date? {
        number(name).map { Date(timeIntervalSince1970: $0 / 1000) }
    }

    mutating func integer<Number: FixedWidthInteger>(_ name: String, _ type: Number.Type = Number.self) -> Number? {
        guard let number = number(name) else { return nil }
        if Self.exactNumbers.contains(number), let integer = Number(exactly: number) { return integer }
        isFastPath = false
        return nil
    }

    mutating func uuid(_ name: String) -> UUID? {
        guard let text = string(name) else { return nil }
        if let uuid = UUID(uuidString: text) { return uuid }
        isFastPath = false
        return nil
    }

    /// Reads a value of an open set of strings.
    mutating func value<Value: RawRepresentable<String>>(_ name: String) -> Value? {
        string(name).flatMap(Value.init(rawValue:))
    }

    mutating func value<Value: RawRepresentable<Int32>>(_ name: String) -> Value? {
        integer(name).flatMap(Value.init(rawValue:))
    }

    private mutating func number(_ name: String) -> Double? {
        guard let field = fields[name] else { return nil }
        if case .number(let number) = field { return number }
        isFastPath = false
        return nil
    }
}
