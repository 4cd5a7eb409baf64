import Foundation

/// A payload that can be read without a decoder, which takes longer than verifying a signature does.
protocol ScannedPayload: Decodable {
    /// Reads a payload in which nothing is out of the ordinary.
    ///
    /// - Returns: `nil` for anything else, right or wrong: then a decoder says what it is.
    init?(scanning payload: [UInt8])
}

/// The strings, numbers and booleans of a JSON object by their names.
struct ScannedFields {
    private enum Field {
        case string(String)
        case number(Double)
        case bool(Bool)
    }

    /// Whole numbers up to here have a double of their own.
    private static let exactNumbers = -9_007_199_254_740_991.0...9_007_199_254_740_991.0

    private var fields: [String: Field]
    /// Whether every field that was asked for had the type it was asked for in.
    private(set) var isOrdinary = true

    /// - Returns: `nil` for what is no object, and for one with nested values or a name that comes twice.
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
        isOrdinary = false
        return nil
    }

    mutating func bool(_ name: String) -> Bool? {
        guard let field = fields[name] else { return nil }
        if case .bool(let value) = field { return value }
        isOrdinary = false
        return nil
    }

    mutating func date(_ name: String) -> Date? {
        number(name).map { Date(timeIntervalSince1970: $0 / 1000) }
    }

    mutating func integer<Number: FixedWidthInteger>(_ name: String, _ type: Number.Type = Number.self) -> Number? {
        guard let number = number(name) else { return nil }
        if Self.exactNumbers.contains(number), let integer = Number(exactly: number) { return integer }
        isOrdinary = false
        return nil
    }

    mutating func uuid(_ name: String) -> UUID? {
        guard let text = string(name) else { return nil }
        if let uuid = UUID(uuidString: text) { return uuid }
        isOrdinary = false
        return nil
    }

    /// A name or a number of an open set.
    mutating func value<Value: RawRepresentable<String>>(_ name: String) -> Value? {
        string(name).flatMap(Value.init(rawValue:))
    }

    mutating func value<Value: RawRepresentable<Int32>>(_ name: String) -> Value? {
        integer(name).flatMap(Value.init(rawValue:))
    }

    private mutating func number(_ name: String) -> Double? {
        guard let field = fields[name] else { return nil }
        if case .number(let number) = field { return number }
        isOrdinary = false
        return nil
    }
}
