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

    /// Returns the price points of a currency, lowest first.
    package static func all(in currency: Currency) -> [PricePoint] {
        let scale = scale(of: currency)
        return cents.enumerated().map { index, cents in
            PricePoint(
                number: base + index + 1, price: Money(milliunits: cents * 10 * scale, currency),
                isOnRequest: cents > highestDefault)
        }
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
