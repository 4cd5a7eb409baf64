import Perennial
import PerennialStorage

/// The sums of amounts over a span of days, by value of a dimension.
package struct StatisticSums: Sendable {
    package struct Key: Hashable, Sendable {
        package var measure: StatisticMeasure
        /// The value of the dimension; empty for all, and for an unknown one.
        package var value: String
        /// `nil` for counts.
        package var currency: Currency?

        package init(_ measure: StatisticMeasure, _ value: String = "", _ currency: Currency? = nil) {
            self.measure = measure
            self.value = value
            self.currency = currency
        }
    }

    package private(set) var amounts: [Key: Int64] = [:]

    package subscript(measure: StatisticMeasure, value: String, currency: Currency?) -> Int64 {
        amounts[Key(measure, value, currency)] ?? 0
    }

    /// The values that have an amount.
    package var values: Set<String> { Set(amounts.keys.map(\.value)) }

    /// Returns the amounts of a value in each currency, in the order of the currencies, without zeros.
    package func money(_ measure: StatisticMeasure, _ value: String = "") -> [Money] {
        amounts.filter { $0.key.measure == measure && $0.key.value == value && $0.value != 0 }
            .compactMap { key, amount in key.currency.map { Money(milliunits: amount, $0) } }
            .sorted { $0.currency.rawValue < $1.currency.rawValue }
    }

    mutating func add(_ sums: [StatisticTotalsTable.Sum], of measure: StatisticMeasure) {
        for sum in sums {
            let key = Key(measure, sum.value, sum.currency)
            amounts[key] = (amounts[key] ?? 0).clampedAdding(sum.total)
        }
    }
}

extension Statistics {
    /// Adds up measures over days: whole calendar months from the totals of months, the rest from those of days. However long
    /// the span, at most two months of days are read.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func sums(
        of measures: [StatisticMeasure], by dimension: StatisticDimension = .all, _ days: ClosedRange<PacificDay>,
        in bundleID: App.BundleID
    ) async throws -> StatisticSums {
        let app = try await database.read { [self] in try self.app(bundleID, on: $0).app }
        let key = try await rollUps.bringUpToDate(app)
        return try await database.read { [clock] connection in
            let parts = Self.parts(of: days, today: PacificDay(try clock.now(on: connection)))
            var sums = StatisticSums()
            for measure in measures {
                for part in parts {
                    sums.add(
                        try StatisticTotalsTable.sums(
                            of: measure, by: dimension, part.grain, part.periods, key, on: connection), of: measure)
                }
            }
            return sums
        }
    }

    /// A span of days or of whole months.
    struct Part: Equatable {
        var grain: StatisticTotalsTable.Grain
        var periods: ClosedRange<Int64>
    }

    /// Divides days into whole months and the days before and after them. A month is whole from its first day up to today,
    /// since later days have nothing.
    static func parts(of days: ClosedRange<PacificDay>, today: PacificDay) -> [Part] {
        let month = StatisticInterval.month
        let start = month.start(of: days.lowerBound)
        let first = start == days.lowerBound ? start : month.next(after: start)
        let end = days.upperBound.next
        let last = days.upperBound >= today ? month.next(after: month.start(of: days.upperBound)) : month.start(of: end)
        guard first < last else { return [Part(grain: .day, periods: days.lowerBound.number...days.upperBound.number)] }
        let months = StatisticTotalsTable.Grain.month
        var parts = [Part(grain: .month, periods: months.period(of: first)...(months.period(of: last) - 1))]
        if days.lowerBound < first {
            parts.append(Part(grain: .day, periods: days.lowerBound.number...(first.number - 1)))
        }
        if last < end { parts.append(Part(grain: .day, periods: last.number...days.upperBound.number)) }
        return parts
    }
}
