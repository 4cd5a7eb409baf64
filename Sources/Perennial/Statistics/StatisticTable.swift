/// One number of a statistic.
package enum StatisticValue: Hashable, Sendable {
    case count(Int64)
    /// Thousandths of the unit of the row's currency.
    case money(Int64)
    /// Hundredths of a percent.
    case percent(Int64)

    /// Returns a share in hundredths of a percent, rounded to the nearest; `nil` of nothing.
    package static func share(_ part: Int64, of whole: Int64) -> StatisticValue? {
        guard whole > 0 else { return nil }
        return .percent(Int64(nearest: Double(part) / Double(whole) * 10_000))
    }
}

/// A statistic in numbers: rows by period, value of the dimension, and currency.
package struct StatisticTable: Hashable, Sendable {
    package enum Unit: String, Sendable, CaseIterable {
        case count
        case money
        case percent
    }

    package struct Column: Hashable, Sendable {
        package var name: String
        package var unit: Unit

        package init(_ name: String, _ unit: Unit) {
            self.name = name
            self.unit = unit
        }
    }

    package struct Row: Hashable, Sendable {
        /// The first day of the period, or its month.
        package var period: String
        /// The value of the dimension; empty for all, and for an unknown one.
        package var group: String
        /// The currency of the money in the row; `nil` if it has none.
        package var currency: Currency?
        /// A value for each column; `nil` where it is the share of nothing.
        package var values: [StatisticValue?]
    }

    package var statistic: Statistic
    package var dimension: StatisticDimension
    package var columns: [Column]
    package var rows: [Row]
}

/// The amounts from which a statistic is computed, by period.
package struct StatisticSeries: Sendable {
    package struct Key: Hashable, Sendable {
        package var measure: StatisticMeasure
        package var group: String
        package var currency: Currency?

        package init(_ measure: StatisticMeasure, group: String, currency: Currency?) {
            self.measure = measure
            self.group = group
            self.currency = currency
        }
    }

    package let periods: StatisticPeriods
    /// Amounts of each period, with the sum of all earlier ones first.
    private var amounts: [Key: [Int64]] = [:]

    package init(_ periods: StatisticPeriods) {
        self.periods = periods
    }

    /// Adds an amount of a period.
    ///
    /// - Parameter period: The index of the period; `nil` for one before the first.
    package mutating func add(_ amount: Int64, _ key: Key, in period: Int?) {
        amounts[key, default: Array(repeating: 0, count: periods.count + 1)][period.map { $0 + 1 } ?? 0] += amount
    }

    /// The series in which numbers that last have their value at the end of each period.
    package var accumulated: StatisticSeries {
        var series = self
        for (key, amounts) in amounts where key.measure.isStock {
            var sum: Int64 = 0
            series.amounts[key] = amounts.map {
                sum += $0
                return sum
            }
        }
        return series
    }

    /// Returns an accumulated series with all money in one currency, each period at a rate of its own.
    ///
    /// - Parameter convert: Converts an amount at the rate of a period.
    package func converted(
        to currency: Currency, _ convert: (Money, Int) throws -> Money
    ) rethrows -> StatisticSeries {
        var series = StatisticSeries(periods)
        for (key, amounts) in amounts {
            for (index, amount) in amounts.enumerated().dropFirst() where amount != 0 {
                guard let original = key.currency else {
                    series.add(amount, key, in: index - 1)
                    continue
                }
                let money = try convert(Money(milliunits: amount, original), index - 1)
                series.add(
                    money.milliunits, Key(key.measure, group: key.group, currency: currency), in: index - 1)
            }
        }
        return series
    }

    /// A value of the dimension, with a currency of its money.
    fileprivate struct RowKey: Hashable {
        var group: String
        var currency: Currency?
    }

    /// The rows of each period, in order.
    fileprivate func rowKeys(isMoney: Bool) -> [RowKey] {
        let keys = amounts.keys.filter { $0.measure.isMoney == isMoney }
        return Set(keys.map { RowKey(group: $0.group, currency: $0.currency) }).sorted {
            ($0.group, $0.currency?.rawValue ?? "") < ($1.group, $1.currency?.rawValue ?? "")
        }
    }

    fileprivate func amount(_ measure: StatisticMeasure, _ row: RowKey, _ period: Int) -> Int64 {
        let key = Key(measure, group: row.group, currency: measure.isMoney ? row.currency : nil)
        return amounts[key]?[period + 1] ?? 0
    }
}

extension StatisticTable {
    /// Computes a statistic from an accumulated series. Retention is computed from cohorts instead.
    package init(_ statistic: Statistic, by dimension: StatisticDimension, _ series: StatisticSeries) {
        let columns = statistic.columns
        var keys = series.rowKeys(isMoney: statistic.isMoney)
        if keys.isEmpty, dimension == .all, !statistic.isMoney {
            keys = [StatisticSeries.RowKey(group: "", currency: nil)]
        }
        var rows: [Row] = []
        for period in 0..<series.periods.count {
            for key in keys {
                let values = columns.map { column in column.value { series.amount($0, key, period) } }
                // A value of the dimension without anything in the period has no row.
                guard dimension == .all || values.contains(where: { $0?.isZero == false }) else { continue }
                rows.append(
                    Row(
                        period: series.periods.name(period), group: key.group, currency: key.currency,
                        values: values))
            }
        }
        self.init(
            statistic: statistic, dimension: dimension, columns: columns.map { Column($0.name, $0.unit) }, rows: rows)
    }
}

extension StatisticValue {
    fileprivate var isZero: Bool {
        switch self {
        case .count(let amount), .money(let amount), .percent(let amount): amount == 0
        }
    }
}

/// A column of a statistic: a formula over the amounts of a period.
private struct StatisticFormula {
    typealias Amounts = (StatisticMeasure) -> Int64

    var name: String
    var unit: StatisticTable.Unit
    var value: (Amounts) -> StatisticValue?

    static func count(_ name: String, _ value: @escaping (Amounts) -> Int64) -> StatisticFormula {
        StatisticFormula(name: name, unit: .count) { .count(value($0)) }
    }

    static func money(_ name: String, _ value: @escaping (Amounts) -> Int64) -> StatisticFormula {
        StatisticFormula(name: name, unit: .money) { .money(value($0)) }
    }

    static func share(
        _ name: String, of part: @escaping (Amounts) -> Int64, in whole: @escaping (Amounts) -> Int64
    ) -> StatisticFormula {
        StatisticFormula(name: name, unit: .percent) { .share(part($0), of: whole($0)) }
    }

    /// Returns money for each of a number of customers.
    static func average(
        _ name: String, _ money: StatisticMeasure, per count: StatisticMeasure
    ) -> StatisticFormula {
        StatisticFormula(name: name, unit: .money) { amounts in
            amounts(count) > 0 ? .money(amounts(money) / amounts(count)) : nil
        }
    }
}

extension Statistic {
    /// The names of the columns; those of retention depend on the span.
    package var columnNames: [String] { columns.map(\.name) }

    /// True if a column holds money; `nil` if there is no such column.
    package func isMoney(_ column: String) -> Bool? {
        columns.first { $0.name == column }.map { $0.unit == .money }
    }

    /// Computes a column from the amounts of a period. A number that lasts has its value at the period's end.
    package func value(of column: String, _ amounts: (StatisticMeasure) -> Int64) -> StatisticValue? {
        columns.first { $0.name == column }.flatMap { $0.value(amounts) }
    }

    private static func churned(_ amounts: StatisticFormula.Amounts) -> Int64 {
        amounts(.lostSubscriptions) - amounts(.returnedSubscriptions)
    }

    /// The active subscriptions at the start of the period, which its movements lead to those at its end.
    private static func opening(_ amounts: StatisticFormula.Amounts) -> Int64 {
        amounts(.activeSubscriptions) - amounts(.newSubscriptions) + churned(amounts)
    }

    fileprivate var columns: [StatisticFormula] {
        switch self {
        case .units, .downloads, .redownloads, .updates, .refunds, .renewals, .activeSubscriptions, .activeTrials,
            .newCustomers:
            measures.map { measure in .count(rawValue) { $0(measure) } }
        case .revenue, .proceeds, .refundedRevenue, .mrr: measures.map { measure in .money(rawValue) { $0(measure) } }
        case .arr: [.money(rawValue) { $0(.monthlyRevenue).clampedMultiplied(by: 12) }]
        case .refundRate:
            [
                .count("transactions") { $0(.paidTransactions) }, .count("refunded") { $0(.refundedTransactions) },
                .share("rate", of: { $0(.refundedTransactions) }, in: { $0(.paidTransactions) }),
            ]
        case .subscriptionStatus:
            [
                .count("set-to-renew") { $0(.setToRenew) }, .count("set-to-cancel") { $0(.setToCancel) },
                .count("billing-issue") { $0(.billingIssue) },
            ]
        case .subscriptionMovement:
            [
                .count("new") { $0(.newSubscriptions) }, .count("churned", Self.churned),
                .count("net") { $0(.newSubscriptions) - Self.churned($0) },
                .count("active") { $0(.activeSubscriptions) },
            ]
        case .churnRate:
            [
                .count("churned", Self.churned), .count("active-at-start", Self.opening),
                .share("rate", of: Self.churned, in: Self.opening),
            ]
        case .trials:
            [
                .count("started") { $0(.trialsStarted) }, .count("converted") { $0(.trialsConverted) },
                .count("pending") { $0(.trialsPending) }, .count("abandoned") { $0(.trialsAbandoned) },
                .share("conversion", of: { $0(.trialsConverted) }, in: { $0(.trialsStarted) }),
            ]
        case .retention: []
        case .mrrMovement: Self.mrrMovementColumns
        case .initialConversion: Self.conversionColumns("started", .startedCustomers)
        case .conversionToPaying: Self.conversionColumns("paid", .payingCustomers)
        case .valuePerCustomer: Self.valueColumns("customers", .newCustomers)
        case .valuePerPayingCustomer: Self.valueColumns("customers", .payingCustomers)
        }
    }

    private static var mrrMovementColumns: [StatisticFormula] {
        let movements: [(String, StatisticMeasure)] = [
            ("new", .newRevenue), ("returned", .returnedRevenue), ("expansion", .expandedRevenue),
            ("contraction", .contractedRevenue), ("lost", .lostRevenue),
        ]
        return movements.map { name, measure in .money(name) { $0(measure) } } + [
            .money("net") { amounts in movements.reduce(0) { $0 + amounts($1.1) } },
            .money("mrr") { $0(.monthlyRevenue) },
        ]
    }

    private static func conversionColumns(_ name: String, _ measure: StatisticMeasure) -> [StatisticFormula] {
        [
            .count("customers") { $0(.newCustomers) }, .count(name) { $0(measure) },
            .share("conversion", of: { $0(measure) }, in: { $0(.newCustomers) }),
        ]
    }

    private static func valueColumns(_ name: String, _ measure: StatisticMeasure) -> [StatisticFormula] {
        [
            .count(name) { $0(measure) }, .money("revenue") { $0(.customerRevenue) },
            .average("value", .customerRevenue, per: measure),
        ]
    }
}
