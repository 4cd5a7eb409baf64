/// A factor such as an exchange rate or a tax rate: a decimal number of nine digits after the point, as an integer.
package struct DecimalRate: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number times a billion.
    package let billionths: Int64

    package static let scale: Int64 = 1_000_000_000
    /// The number of digits that reports have at least.
    private static let reportedDigits = 5
    private static let maximumDigits = 9

    package static let one = DecimalRate(billionths: scale)
    package static let zero = DecimalRate(billionths: 0)

    package init(billionths: Int64) {
        self.billionths = billionths
    }

    /// Parses a decimal with a dot (`0.00817`, `1`); `nil` for any other text, a sign, and more than nine digits on either
    /// side of the dot.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.map({ String($0) }), (1...Self.maximumDigits).contains(whole.count),
            case let fraction = parts.count == 2 ? String(parts[1]) : "0",
            (1...Self.maximumDigits).contains(fraction.count),
            (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) }), let units = Int64(whole),
            let rest = Int64(fraction + String(repeating: "0", count: Self.maximumDigits - fraction.count))
        else { return nil }
        billionths = units * Self.scale + rest
    }

    package init(from decoder: any Decoder) throws {
        billionths = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(billionths)
    }

    /// The number with five digits after the point, or more if it has them: `0.00817`.
    package var description: String {
        var fraction = String((billionths % Self.scale).magnitude + Self.scale.magnitude).dropFirst()
        while fraction.count > Self.reportedDigits, fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(billionths < 0 ? "-" : "")\((billionths / Self.scale).magnitude).\(fraction)"
    }

    package static func < (one: DecimalRate, other: DecimalRate) -> Bool { one.billionths < other.billionths }
}

/// The value of one currency's unit in another for a fiscal month.
package struct ExchangeRate: Hashable, Sendable {
    package var month: FiscalMonth
    package var from: Currency
    package var to: Currency
    package var rate: DecimalRate

    package init(month: FiscalMonth, from: Currency, to: Currency, rate: DecimalRate) {
        self.month = month
        self.from = from
        self.to = to
        self.rate = rate
    }
}

extension Money {
    /// Returns the amount times a rate, in a currency.
    ///
    /// Finance rounds here and nowhere else: half away from zero, to the currency's smallest coin.
    ///
    /// - Returns: `nil` if the result is more than 64 bits hold.
    package func multiplied(by rate: DecimalRate, in currency: Currency) -> Money? {
        let product = milliunits.magnitude.multipliedFullWidth(by: rate.billionths.magnitude)
        let coin = currency.smallestAmount.magnitude
        let divisor = DecimalRate.scale.magnitude * coin
        guard product.high < divisor else { return nil }
        let (quotient, remainder) = divisor.dividingFullWidth(product)
        let coins = remainder >= divisor - remainder ? quotient + 1 : quotient
        let (magnitude, isTooMuch) = coins.multipliedReportingOverflow(by: coin)
        guard !isTooMuch, let amount = Int64(exactly: magnitude) else { return nil }
        return Money(milliunits: (milliunits < 0) == (rate.billionths < 0) ? amount : -amount, currency)
    }
}
