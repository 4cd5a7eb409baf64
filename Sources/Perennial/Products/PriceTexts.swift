/// The scheduled prices of a list as one text in documents.
///
/// A change in all storefronts adds a row for each of them, so a schedule is read and written as a whole: rows that follow
/// each other with the same instant and the same flags share them. `1700000000000 p:DEU EUR 8990,USA USD 9990` has two rows.
/// The parts of a row are its storefront or `-`, the currency and the milliunits; the flags are `p` for subscribers who keep
/// their price, `c` for consent, `n` for no consent, or `-`. Groups of rows are separated by `;`.
struct ScheduledPriceTexts: Hashable, Sendable {
    var prices: [ScheduledPrice]
}

extension ScheduledPriceTexts: Codable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let text { try container.encode(text) } else { try container.encode(prices) }
    }

    /// Earlier versions stored an array, whose elements ``ScheduledPrice`` reads.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let text = try? container.decode(String.self) else {
            prices = try container.decode([ScheduledPrice].self)
            return
        }
        guard let prices = Self.prices(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no price schedule")
        }
        self.prices = prices
    }

    /// The rows; `nil` if a code has other characters than letters and digits.
    private var text: String? {
        var writer = PriceTextWriter()
        var last: ScheduledPrice?
        for price in prices {
            if let last, last.at == price.at, last.flags == price.flags {
                writer.append(",")
            } else {
                writer.append(last == nil ? "" : ";")
                writer.append("\(price.at.milliseconds) \(price.flags):")
            }
            guard writer.append(price.price, in: price.storefront) else { return nil }
            last = price
        }
        return writer.text
    }

    private static func prices(_ text: String) -> [ScheduledPrice]? {
        var text = text
        return text.withUTF8 { bytes in
            var reader = PriceTextReader(bytes)
            var prices: [ScheduledPrice] = []
            while !reader.isAtEnd {
                guard let at = reader.number(until: " "), let flags = reader.word(until: ":") else { return nil }
                let instant = Instant(milliseconds: at)
                repeat {
                    guard let (storefront, money) = reader.price() else { return nil }
                    prices.append(ScheduledPrice(at: instant, money, storefront: storefront, flags: flags))
                } while reader.skip(",")
                guard reader.isAtEnd || (reader.skip(";") && !reader.isAtEnd) else { return nil }
            }
            return prices
        }
    }
}

/// The prices of storefronts as one text in documents, in alphabetical order: `DEU EUR 8990,USA USD 9990`.
struct StorefrontPriceTexts: Hashable, Sendable {
    var prices: [Storefront: Money]
}

extension StorefrontPriceTexts: Codable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let text { try container.encode(text) } else { try container.encode(prices) }
    }

    /// Earlier versions stored an array of storefronts and prices in turn.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let text = try? container.decode(String.self) else {
            prices = try container.decode([Storefront: Money].self)
            return
        }
        guard let prices = Self.prices(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no list of prices")
        }
        self.prices = prices
    }

    /// The prices; `nil` if a code has other characters than letters and digits.
    private var text: String? {
        var writer = PriceTextWriter()
        let sorted = prices.map { (name: $0.key.rawValue, price: $0) }.sorted { $0.name < $1.name }
        for (index, (_, price)) in sorted.enumerated() {
            if index > 0 { writer.append(",") }
            guard writer.append(price.value, in: price.key) else { return nil }
        }
        return writer.text
    }

    private static func prices(_ text: String) -> [Storefront: Money]? {
        var text = text
        return text.withUTF8 { bytes in
            var reader = PriceTextReader(bytes)
            var prices: [Storefront: Money] = [:]
            prices.reserveCapacity(bytes.count / 12)
            while !reader.isAtEnd {
                guard case (let storefront?, let money)? = reader.price() else { return nil }
                prices[storefront] = money
                guard reader.isAtEnd || (reader.skip(",") && !reader.isAtEnd) else { return nil }
            }
            return prices
        }
    }
}

private struct PriceTextWriter {
    private(set) var text = ""

    mutating func append(_ part: String) { text += part }

    /// - Returns: False if a code has other characters than letters and digits.
    mutating func append(_ price: Money, in storefront: Storefront?) -> Bool {
        let (place, currency) = (storefront?.rawValue, price.currency.rawValue)
        guard place.map(Self.isPlain) ?? true, Self.isPlain(currency) else { return false }
        text += place ?? "-"
        text += " "
        text += currency
        text += " "
        text += String(price.milliunits)
        return true
    }

    private static func isPlain(_ code: String) -> Bool {
        !code.isEmpty
            && code.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
            }
    }
}

/// Reads the parts of a text from its bytes.
private struct PriceTextReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    /// - Returns: False, and nothing is skipped, if another character is next.
    mutating func skip(_ separator: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: separator) else { return false }
        place += 1
        return true
    }

    /// Reads the characters before a separator, and skips it.
    mutating func word(until separator: Unicode.Scalar) -> String? {
        part(until: separator).map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func number(until separator: Unicode.Scalar) -> Int64? {
        part(until: separator).flatMap { Self.number($0) }
    }

    /// Reads a storefront or `-`, a currency and milliunits.
    mutating func price() -> (Storefront?, Money)? {
        guard let place = part(until: " "), let currency = part(until: " "), let milliunits = milliunits() else {
            return nil
        }
        let isCommon = place.count == 1 && place.first == UInt8(ascii: "-")
        guard isCommon || !place.isEmpty, !currency.isEmpty else { return nil }
        return (
            isCommon ? nil : Storefront(PackedCode(place)),
            Money(milliunits: milliunits, Currency(PackedCode(currency)))
        )
    }

    private mutating func part(until separator: Unicode.Scalar) -> UnsafeBufferPointer<UInt8>? {
        let separator = UInt8(ascii: separator)
        var end = place
        while end < bytes.count, bytes[end] != separator { end += 1 }
        guard end < bytes.count else { return nil }
        defer { place = end + 1 }
        return UnsafeBufferPointer(rebasing: bytes[place..<end])
    }

    /// Reads digits up to the next separator, which stays.
    private mutating func milliunits() -> Int64? {
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: ","), bytes[place] != UInt8(ascii: ";") { place += 1 }
        return Self.number(UnsafeBufferPointer(rebasing: bytes[start..<place]))
    }

    /// Reads an integer without spaces or a plus sign.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = bytes.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for byte in digits {
            guard (48...57).contains(byte) else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.subtractingReportingOverflow(Int64(byte - 48))
            guard !overflow, !carry else { return nil }
            number = sum
        }
        // Collected below zero, where there is one number more.
        if isNegative { return number }
        return number == .min ? nil : -number
    }
}
