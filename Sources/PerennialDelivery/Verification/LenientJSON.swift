import Perennial

/// A JSON scalar as text. verifyReceipt writes numbers as strings in most places and as numbers in others.
struct LenientScalar: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let string = try? container.decode(String.self) {
            text = string
        } else if let number = try? container.decode(Int64.self) {
            text = String(number)
        } else if let flag = try? container.decode(Bool.self) {
            text = flag ? "true" : "false"
        } else {
            let number = try container.decode(Double.self)
            guard let whole = Int64(exactly: number.rounded()) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "a number out of bounds")
            }
            text = String(whole)
        }
    }

    var number: Int64? { Int64(text) }

    /// The scalar as a Boolean: `true`, `1`, `"true"` and `"1"`, or their opposites.
    var flag: Bool? {
        switch text.lowercased() {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }
}

/// An array of objects, or one object in its place. Leaves out unreadable elements.
struct LossyArray<Element: Decodable>: Decodable {
    let elements: [Element]

    private struct Lossy: Decodable {
        let element: Element?

        init(from decoder: any Decoder) throws {
            element = try? Element(from: decoder)
        }
    }

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            var elements: [Element] = []
            while !list.isAtEnd {
                guard elements.count < LenientVerifyReceiptResponse.maximumPurchases else {
                    throw DecodingError.dataCorruptedError(in: list, debugDescription: "too many purchases")
                }
                if let element = try list.decode(Lossy.self).element { elements.append(element) }
            }
            self.elements = elements
        } else {
            elements = [try Element(from: decoder)]
        }
    }
}

/// A coding key of any name.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) {
        stringValue = name
    }

    init?(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}

extension KeyedDecodingContainer<AnyKey> {
    /// Returns the first scalar among some keys.
    func scalar(_ names: String...) -> LenientScalar? {
        for name in names {
            if let value = try? decodeIfPresent(LenientScalar.self, forKey: AnyKey(name)) { return value }
        }
        return nil
    }

    func list<Element: Decodable>(_ name: String, of: Element.Type) throws -> [Element] {
        let key = AnyKey(name)
        guard contains(key), try !decodeNil(forKey: key) else { return [] }
        return try decode(LossyArray<Element>.self, forKey: key).elements
    }

    /// True if a date is there in any spelling.
    func hasDate(_ name: String) -> Bool {
        ["", "_ms", "_pst", "_formatted"].contains { suffix in
            let key = AnyKey(name + suffix)
            return contains(key) && ((try? decodeNil(forKey: key)) == false)
        }
    }

    /// Returns a date from `NAME_ms`, or from `NAME` in milliseconds (old transaction receipts) or in GMT.
    func date(_ name: String) -> Instant? {
        if let text = scalar("\(name)_ms")?.text, let date = LenientDate.milliseconds(text) { return date }
        for text in [scalar(name)?.text, scalar("\(name)_formatted")?.text].compactMap(\.self) {
            if let date = LenientDate.milliseconds(text) ?? LenientDate.gmt(text) { return date }
        }
        return nil
    }
}

/// Reads the spellings of dates in verifyReceipt's answers.
enum LenientDate {
    /// Latest date: 9999-12-31T23:59:59.999Z.
    static let latest: Int64 = 253_402_300_799_999

    /// Reads decimal milliseconds since 1970, without a fraction.
    static func milliseconds(_ text: String) -> Instant? {
        let whole = text.prefix { $0 != "." }
        guard !whole.isEmpty, whole.utf8.count <= 15, whole.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int64(whole), number <= latest
        else { return nil }
        return Instant(milliseconds: number)
    }

    /// Reads `2015-08-13 07:50:46 Etc/GMT`.
    static func gmt(_ text: String) -> Instant? {
        let parts = text.split(separator: " ")
        guard parts.count == 3, parts[2] == "Etc/GMT" else { return nil }
        return Instant(rfc3339: "\(parts[0])T\(parts[1])Z")
    }
}
