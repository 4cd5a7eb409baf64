import Perennial
import PerennialStorage

/// The lines of a closing, computed again from the sales of the month, the adjustments and the taxes.
struct RecomputedClosing {
    private struct Amounts: Hashable {
        var units: Int64 = 0
        var earned: Int64 = 0
        var late: Int64 = 0
        var manual: Int64 = 0
        var inputTax: Int64 = 0
        var withholding: Int64 = 0
    }

    private let lines: [RegionSales.Key: Amounts]

    init(
        _ sales: [RegionSales.Key: RegionSales], _ adjustments: [FinanceAdjustmentsTable.Record],
        _ settings: FinanceSettings
    ) {
        var lines = sales.mapValues { Amounts(units: $0.units, earned: $0.earned, late: $0.late) }
        for adjustment in adjustments {
            lines[adjustment.key, default: Amounts()].manual += adjustment.amount.milliunits
        }
        for (key, line) in lines {
            let region = key.region.rawValue
            let taxed = max(0, line.earned + line.late + line.manual)
            lines[key]?.inputTax = -Self.share(
                sales[key]?.commission ?? 0, settings.inputTax[region] ?? 0, key.currency)
            lines[key]?.withholding = -Self.share(taxed, settings.withholding[region] ?? 0, key.currency)
        }
        self.lines = lines.filter { $0.value != Amounts() }
    }

    /// Returns basis points of an amount, rounded to the nearest coin, half a coin away from zero.
    private static func share(_ milliunits: Int64, _ basisPoints: Int64, _ currency: Currency) -> Int64 {
        let (coin, whole) = (currency.smallestAmount, 10_000 * currency.smallestAmount)
        let coins = (milliunits.magnitude * basisPoints.magnitude + whole.magnitude / 2) / whole.magnitude
        return (milliunits < 0 ? -1 : 1) * Int64(coins) * coin
    }

    /// Returns what a closing has otherwise; `nil` if it is right.
    func difference(from closing: MonthClosing) -> String? {
        let closed = Dictionary(
            closing.lines.map { line in
                (
                    line.key,
                    Amounts(
                        units: line.units, earned: line.earned.milliunits, late: line.late.milliunits,
                        manual: line.manual.milliunits, inputTax: line.inputTax.milliunits,
                        withholding: line.withholding.milliunits)
                )
            }
        ) { first, _ in first }.filter { $0.value != Amounts() }
        let wrong = Set(closed.keys).union(lines.keys).filter { closed[$0] != lines[$0] }.min()
        guard let wrong else { return nil }
        func text(_ line: Amounts?) -> String { line.map { "\($0)" } ?? "no line" }
        return "\(wrong.region) (\(wrong.currency)) has \(text(closed[wrong])), the journal gives \(text(lines[wrong]))"
    }
}
