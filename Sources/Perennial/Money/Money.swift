/// A currency by its ISO 4217 code, such as `USD`.
package struct Currency: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    private let code: PackedCode

    package init(rawValue: String) {
        code = PackedCode(rawValue)
    }

    init(_ code: PackedCode) { self.code = code }

    package var rawValue: String { code.text }

    package static let usd = Currency(rawValue: "USD")
    package static let eur = Currency(rawValue: "EUR")
    package static let jpy = Currency(rawValue: "JPY")

    package var description: String { rawValue }

    /// Digits after the decimal point (ISO 4217 minor unit): 0 for yen, 3 for dinars, 2 for most.
    package var fractionDigits: Int {
        if Self.withoutDecimals.contains(self) { return 0 }
        return Self.withThreeDecimals.contains(self) ? 3 : 2
    }

    /// The smallest amount that can be paid, in milliunits.
    package var smallestAmount: Int64 {
        switch fractionDigits {
        case 0: 1000
        case 3: 1
        default: 10
        }
    }

    private static let withoutDecimals = codes("JPY KRW VND CLP ISK UGX XAF XOF XPF PYG RWF KMF GNF DJF BIF VUV")
    private static let withThreeDecimals = codes("BHD IQD JOD KWD LYD OMR TND")

    private static func codes(_ list: String) -> Set<Currency> {
        Set(list.split(separator: " ").map { Currency(rawValue: String($0)) })
    }

    package static func == (one: Currency, other: Currency) -> Bool { one.code == other.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// An amount of money with its currency, in thousandths of the currency's unit, as in Apple's signed transactions.
package struct Money: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Thousandths of the unit: USD 1.99 is 1990, JPY 300 is 300000.
    package let milliunits: Int64
    package let currency: Currency

    package init(milliunits: Int64, _ currency: Currency) {
        self.milliunits = milliunits
        self.currency = currency
    }

    package static func zero(_ currency: Currency) -> Money { Money(milliunits: 0, currency) }

    /// Parses a decimal with a dot (`"0.99"`, `"12"`); `nil` for any other text, for more than three decimals and for
    /// amounts above a billion units.
    package init?(decimal text: some StringProtocol, _ currency: Currency) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, whole.count <= 9,
            whole.utf8.allSatisfy({ (48...57).contains($0) }),
            let units = Int64(whole)
        else { return nil }
        var thousandths: Int64 = 0
        if parts.count == 2 {
            let fraction = parts[1]
            guard !fraction.isEmpty, fraction.utf8.allSatisfy({ (48...57).contains($0) }),
                fraction.utf8.dropFirst(3).allSatisfy({ $0 == 48 })
            else { return nil }
            for (index, digit) in fraction.utf8.prefix(3).enumerated() {
                thousandths += Int64(digit - 48) * [100, 10, 1][index]
            }
        }
        self.init(milliunits: units * 1000 + thousandths, currency)
    }

    package static func * (money: Money, factor: Int) -> Money {
        Money(milliunits: money.milliunits.clampedMultiplied(by: Int64(factor)), money.currency)
    }

    /// The amount rounded to the nearest coin, half a coin away from zero: for averages, which aren't paid.
    package var inWholeCoins: Money {
        let coin = currency.smallestAmount
        let (half, rest) = (coin / 2, milliunits % coin)
        let whole = milliunits - rest
        guard rest.magnitude >= half.magnitude, rest != 0 else { return Money(milliunits: whole, currency) }
        return Money(milliunits: whole.clampedAdding(rest < 0 ? -coin : coin), currency)
    }

    /// The amount with the currency's number of decimals: `1.99`, `300`.
    package var decimal: String {
        let digits = currency.fractionDigits
        let magnitude = milliunits.magnitude
        let sign = milliunits < 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(magnitude / 1000)" }
        var fraction = String(magnitude % 1000 + 1000).dropFirst()
        if digits < 3, fraction.dropFirst(digits).allSatisfy({ $0 == "0" }) { fraction = fraction.prefix(digits) }
        return "\(sign)\(magnitude / 1000).\(fraction)"
    }

    package var description: String { "\(currency) \(decimal)" }
}
