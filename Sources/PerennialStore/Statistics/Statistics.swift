import Perennial
import PerennialStorage

/// The question for a statistic.
package struct StatisticRequest: Sendable {
    package var bundleID: App.BundleID
    package var statistic: Statistic
    /// The first day; `nil` for one that gives about a year, or thirty days.
    package var from: PacificDay?
    /// The last day; `nil` for today.
    package var to: PacificDay?
    package var interval: StatisticInterval
    package var dimension: StatisticDimension
    /// The currency to convert money to; `nil` for a row for each currency.
    package var currency: Currency?
    /// Days since a customer was first seen that count.
    package var window: CustomerWindow

    package init(
        bundleID: App.BundleID, statistic: Statistic, from: PacificDay? = nil, to: PacificDay? = nil,
        interval: StatisticInterval = .day, dimension: StatisticDimension = .all, currency: Currency? = nil,
        window: CustomerWindow = .unlimited
    ) {
        self.bundleID = bundleID
        self.statistic = statistic
        self.from = from
        self.to = to
        self.interval = interval
        self.dimension = dimension
        self.currency = currency
        self.window = window
    }
}

/// Statistics about an app's commerce, from roll-ups only.
package struct Statistics: StoreChapter {
    let context: StoreContext
    let rollUps: RollUps

    /// Computes a statistic.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`; `.malformed` for days, a grouping, a window or a currency that don't fit.
    package func table(_ request: StatisticRequest) async throws -> StatisticTable {
        let (app, now) = try await database.read { connection -> (App, Instant) in
            (try self.app(request.bundleID, on: connection).app, try clock.now(on: connection))
        }
        let today = PacificDay(now)
        let periods = try request.periods(today: today)
        try request.check()
        let key = try await rollUps.bringUpToDate(app)
        return try await database.read { [environment] connection -> StatisticTable in
            let source = StatisticSource(request: request, periods: periods, key: key, connection: connection)
            if request.statistic == .retention {
                return StatisticTable.retention(
                    by: request.dimension, periods, sizes: try source.cohorts(.cohortSubscriptions),
                    changes: try source.cohorts(.retainedSubscriptions), today: today)
            }
            var series = try source.series().accumulated
            if let currency = request.currency, request.statistic.isMoney {
                var rates = StatisticRates(environment: environment.id, currency: currency, connection: connection)
                series = try series.converted(to: currency) { money, period in
                    try rates.convert(money, on: periods.days(period).upperBound)
                }
            }
            return StatisticTable(request.statistic, by: request.dimension, series)
        }
    }
}

extension StatisticRequest {
    private static let usualDays: Int64 = 30
    private static let usualMonths = 12

    /// - Throws: ``StoreError`` `.malformed`.
    fileprivate func periods(today: PacificDay) throws -> StatisticPeriods {
        let interval: StatisticInterval = statistic == .retention ? .month : self.interval
        let end = to ?? today
        let usual =
            interval == .day
            ? end.adding(1 - Self.usualDays) : PacificDay(end.date.adding(months: 1 - Self.usualMonths))
        let start = from ?? min(usual, end)
        guard start <= end else { throw StoreError(.malformed, "from", "from is no later than to") }
        guard start.date.year >= 1900, end.date.year <= 9999,
            let periods = StatisticPeriods(start...end, by: interval)
        else {
            throw StoreError(
                .malformed, "from", "an answer has at most \(StatisticPeriods.maximum) periods: ask for fewer days")
        }
        return periods
    }

    /// - Throws: ``StoreError`` `.malformed`.
    fileprivate func check() throws {
        guard statistic.dimensions.contains(dimension) else {
            let names = statistic.dimensions.map(\.name).joined(separator: ", ")
            throw StoreError(.malformed, "group", "\(statistic.rawValue) is grouped by one of: \(names)")
        }
        guard window == .unlimited || statistic.hasWindow else {
            throw StoreError(.malformed, "window", "\(statistic.rawValue) has no window of days")
        }
    }
}
