import Perennial
import PerennialSimulation

/// Invented exchange rates of a fiscal month.
struct SeedRates: Encodable {
    struct Rate: Encodable {
        var month: String
        var from: String
        var to: String
        var rate: String
    }

    var rates: [Rate]

    /// Rates to US dollars in billionths, about those of 2026.
    private static let usual: [(currency: String, billionths: Int64)] = [
        ("AUD", 655_000_000), ("BRL", 182_000_000), ("CAD", 729_000_000), ("EUR", 1_094_000_000),
        ("GBP", 1_283_000_000), ("JPY", 6_630_000), ("KRW", 724_000),
    ]

    /// Creates the rates of a month, within three percent of the usual ones.
    init(_ month: FiscalMonth, seed: UInt64) {
        var random = SeededRandom(seed: seed &+ UInt64(bitPattern: month.number))
        rates = Self.usual.map { currency, billionths in
            let change = Int64(random.next() % 61) - 30
            return Rate(
                month: month.description, from: currency, to: "USD",
                rate: Self.decimal(billionths / 1000 * (1000 + change)))
        }
    }

    private static func decimal(_ billionths: Int64) -> String {
        let (whole, fraction) = billionths.quotientAndRemainder(dividingBy: 1_000_000_000)
        var digits = String(fraction + 1_000_000_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return digits.isEmpty ? "\(whole)" : "\(whole).\(digits)"
    }
}

extension SeedRun {
    /// Closes the fiscal months that end before an instant, each with its exchange rates, so that they have financial reports.
    mutating func closeMonths(before time: Instant, seed: UInt64) async throws {
        while nextMonth.lastDay.end <= time {
            let month = nextMonth
            nextMonth = month.next
            try await advance(to: month.lastDay.end)
            let _: StoreAnswer<SeedMessages.Done> = try await client.post(
                "control/v1/finance/rates", SeedRates(month, seed: seed))
            do {
                try await client.post("control/v1/finance/months/\(month)/close")
                counts.closedMonths += 1
            } catch let error as StoreClientError where error.code == .refused {
                // The environment's owner closes its months, or one was passed over.
                counts.refused += 1
            }
        }
    }
}
