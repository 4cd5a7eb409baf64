/// A price that the App Store offers to sellers.
///
/// Facts from Apple's announcement of December 2022: prices from 0.29 to 10,000 US dollars; steps of 0.10 up to 10, of
/// 0.50 up to 50, then coarser, of 100 from 1,000 on; endings .99 and .00 everywhere, .90 up to 99.90, .95 up to 49.95.
/// The numbers agree with those in Apple's API examples (10010 is 0.99, 10036 is 2.99). Apple doesn't publish the steps
/// between 50 and 1,000, nor the scale of other currencies: those are this store's.
package struct PricePoint: Hashable, Sendable {
    /// The number in its currency, from 10001.
    package let number: Int
    package let price: Money
    /// True if Apple offers it on request only.
    package let isOnRequest: Bool

    /// The number before the first.
    private static let base = 10_000
    /// The highest price offered without a request, in hundredths of a unit.
    private static let highestDefault: Int64 = 100_000

    /// The number of price points of each currency.
    package static let count = cents.count
    /// The number of price points that are offered without a request: the lowest ones.
    package static let defaultCount = cents.prefix { $0 <= highestDefault }.count

    /// Returns the price points of a currency, lowest first.
    package static func all(in currency: Currency) -> [PricePoint] {
        cents.indices.map { point(at: $0, in: currency) }
    }

    /// Returns a currency's price point by its place among them, lowest first: an index below ``count``.
    package static func point(at index: Int, in currency: Currency) -> PricePoint {
        PricePoint(
            number: base + index + 1, price: Money(milliunits: cents[index] * 10 * scale(of: currency), currency),
            isOnRequest: cents[index] > highestDefault)
    }

    /// Returns a currency's price point by its number; `nil` if there is none.
    package static func point(_ number: Int, in currency: Currency) -> PricePoint? {
        let (index, overflows) = number.subtractingReportingOverflow(base + 1)
        guard !overflows, cents.indices.contains(index) else { return nil }
        return point(at: index, in: currency)
    }

    /// Returns the price point with a price; `nil` for another price.
    package static func point(of price: Money) -> PricePoint? {
        let (wanted, rest) = price.milliunits.quotientAndRemainder(dividingBy: 10 * scale(of: price.currency))
        guard rest == 0 else { return nil }
        var (low, high) = (0, cents.count)
        while low < high {
            let middle = (low + high) / 2
            if cents[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        guard low < cents.count, cents[low] == wanted else { return nil }
        return point(at: low, in: price.currency)
    }

    /// Returns the equal price in another currency. For the price of a price point it is the price of the point with the
    /// same number. A price between two points is scaled and rounded up to the currency's smallest coin.
    package static func equalization(of price: Money, in currency: Currency) -> Money {
        guard price.currency != currency else { return price }
        let (scaled, divisor) = (price.milliunits.clampedMultiplied(by: scale(of: currency)), scale(of: price.currency))
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: divisor)
        return Money(milliunits: rest > 0 ? whole + 1 : whole, currency).roundedUp
    }

    /// The prices at scale 1, in hundredths of a unit, lowest first.
    private static let cents: [Int64] = {
        var all: Set<Int64> = []
        func add(_ first: Int64, through last: Int64, by step: Int64) {
            all.formUnion(stride(from: first, through: last, by: Int64.Stride(step)))
        }
        // Ends of a step: .x9, then .49 and .99, then .99.
        add(29, through: 999, by: 10)
        add(1_049, through: 4_999, by: 50)
        add(5_099, through: 19_999, by: 100)
        add(20_499, through: 49_999, by: 500)
        add(50_999, through: 99_999, by: 1_000)
        add(109_999, through: 999_999, by: 10_000)
        // Whole units, and the endings .90 and .95.
        add(100, through: 20_000, by: 100)
        add(20_500, through: 50_000, by: 500)
        add(51_000, through: 100_000, by: 1_000)
        add(110_000, through: 1_000_000, by: 10_000)
        add(90, through: 9_990, by: 100)
        add(95, through: 4_995, by: 100)
        return all.sorted()
    }()

    /// Returns the factor from the scale of the US dollar, a power of ten near the exchange rate.
    private static func scale(of currency: Currency) -> Int64 { scales[currency] ?? 1 }

    private static let scales: [Currency: Int64] = {
        let groups: [(Int64, String)] = [
            (10, "SEK NOK DKK CZK HKD TWD THB PHP MXN ZAR EGP TRY CNY"), (100, "JPY HUF PKR KZT INR RUB"),
            (1_000, "KRW CLP COP NGN TZS"), (10_000, "IDR VND"),
        ]
        return Dictionary(
            groups.flatMap { scale, codes in
                codes.split(separator: " ").map { (Currency(rawValue: String($0)), scale) }
            }
        ) { first, _ in first }
    }()
}
