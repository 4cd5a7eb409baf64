import Perennial
import PerennialStorage

/// Reads the totals of a statistic.
struct StatisticSource {
    let request: StatisticRequest
    let periods: StatisticPeriods
    let key: RollUpKey
    let connection: any Connection

    /// Returns the amounts of the statistic's measures, with what they were before the first period for numbers that last.
    func series() throws -> StatisticSeries {
        var series = StatisticSeries(periods)
        for measure in request.statistic.measures {
            let grain: StatisticTotalsTable.Grain = periods.interval == .month ? .month : .day
            try read(measure, grain, grain.period(of: periods.first)...grain.period(of: periods.last)) { row in
                add(row, of: grain, to: &series)
            }
            guard measure.isStock else { continue }
            let month = StatisticTotalsTable.Grain.month.period(of: periods.first)
            try read(measure, .month, .min...(month - 1)) { add($0, of: nil, to: &series) }
            let firstOfMonth = StatisticInterval.month.start(of: periods.first)
            guard firstOfMonth < periods.first else { continue }
            try read(measure, .day, firstOfMonth.number...(periods.first.number - 1)) {
                add($0, of: nil, to: &series)
            }
        }
        return series
    }

    /// Returns the amounts of cohorts by the days of their starts.
    func cohorts(_ measure: StatisticMeasure) throws -> [CohortAmount] {
        var amounts: [CohortAmount] = []
        try read(measure, .day, periods.first.number...periods.last.number) { row in
            amounts.append(
                CohortAmount(
                    day: PacificDay(number: row.period), group: row.value, month: row.cell.bucket, amount: row.total))
        }
        return amounts
    }

    private func read(
        _ measure: StatisticMeasure, _ grain: StatisticTotalsTable.Grain, _ span: ClosedRange<Int64>,
        _ body: (StatisticTotalsTable.Row) -> Void
    ) throws {
        let rows = try StatisticTotalsTable.rows(
            of: measure, by: request.dimension, grain, span, key, on: connection)
        for row in rows { body(row) }
    }

    /// Adds a total.
    ///
    /// - Parameter grain: `nil` for a total of a time before the first period.
    private func add(
        _ row: StatisticTotalsTable.Row, of grain: StatisticTotalsTable.Grain?, to series: inout StatisticSeries
    ) {
        guard !request.statistic.hasWindow || row.cell.bucket <= request.window.rawValue else { return }
        series.add(
            row.total,
            StatisticSeries.Key(row.cell.measure, group: row.value, currency: row.cell.currency),
            in: grain.flatMap { periods.index(of: $0.firstDay(of: row.period)) })
    }
}

extension StatisticTotalsTable.Grain {
    /// Returns the first day of a period.
    fileprivate func firstDay(of period: Int64) -> PacificDay {
        switch self {
        case .day: PacificDay(number: period)
        case .month: PacificDay(CivilDate(year: Int(period / 12), month: Int(period % 12) + 1, day: 1))
        }
    }
}

/// The exchange rates of a statistic: those of the fiscal month in which a period ends.
struct StatisticRates {
    let environment: StoreEnvironment.ID
    let currency: Currency
    let connection: any Connection
    private var known: [FiscalMonth: [Currency: DecimalRate]] = [:]

    init(environment: StoreEnvironment.ID, currency: Currency, connection: any Connection) {
        self.environment = environment
        self.currency = currency
        self.connection = connection
    }

    /// Converts an amount at the rate of a day.
    ///
    /// - Throws: ``StoreError`` `.malformed` with the month and the currency if no rate is loaded.
    mutating func convert(_ money: Money, on day: PacificDay) throws -> Money {
        guard money.currency != currency else { return money }
        let month = FiscalMonth(containing: day)
        let rates = try known[month] ?? ExchangeRatesTable.rates(month, to: currency, environment, on: connection)
        known[month] = rates
        guard let rate = rates[money.currency], let converted = money.multiplied(by: rate, in: currency) else {
            throw StoreError(
                .malformed, "currency",
                "there is no exchange rate from \(money.currency) to \(currency) for the fiscal month \(month)")
        }
        return converted
    }
}
