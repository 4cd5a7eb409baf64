import Perennial

/// A JSON scalar as text: verifyReceipt writes numbers as strings in most places, as numbers in some, and not
/// everywhere the same in all the years.
struct LooseScalar: Decodable {
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

    /// `true`, `1`, `"true"` and `"1"` are true, their opposites false.
    var flag: Bool? {
        switch text.lowercased() {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }
}

/// An array of objects, or one object in its place; what can't be read is left out.
struct LooseList<Element: Decodable>: Decodable {
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
                guard elements.count < VerifyReceiptResponse.maximumPurchases else {
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

/// A key that is made while decoding.
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
    /// The scalar of the first of these keys that has one.
    func scalar(_ names: String...) -> LooseScalar? {
        for name in names {
            if let value = try? decodeIfPresent(LooseScalar.self, forKey: AnyKey(name)) { return value }
        }
        return nil
    }

    func list<Element: Decodable>(_ name: String, of: Element.Type) throws -> [Element] {
        let key = AnyKey(name)
        guard contains(key), try !decodeNil(forKey: key) else { return [] }
        return try decode(LooseList<Element>.self, forKey: key).elements
    }

    /// Whether any of the three spellings of a date is there.
    func hasDate(_ name: String) -> Bool {
        ["", "_ms", "_pst", "_formatted"].contains { suffix in
            let key = AnyKey(name + suffix)
            return contains(key) && ((try? decodeNil(forKey: key)) == false)
        }
    }

    /// A date from `NAME_ms`, or from `NAME` in milliseconds (old transaction receipts) or in GMT.
    func date(_ name: String) -> Instant? {
        if let text = scalar("\(name)_ms")?.text, let date = ReceiptDate.milliseconds(text) { return date }
        for text in [scalar(name)?.text, scalar("\(name)_formatted")?.text].compactMap(\.self) {
            if let date = ReceiptDate.milliseconds(text) ?? ReceiptDate.gmt(text) { return date }
        }
        return nil
    }
}
