/// The span of time of one row of a statistic.
package enum StatisticInterval: String, Sendable, CaseIterable {
    case day
    /// Weeks from Monday to Sunday, as the weekly reports.
    case week
    case month

    /// The frequency of a report with such periods, as reports and the command line spell it.
    package var frequency: String {
        switch self {
        case .day: "daily"
        case .week: "weekly"
        case .month: "monthly"
        }
    }

    /// Returns the first day of the period that contains a day.
    package func start(of day: PacificDay) -> PacificDay {
        switch self {
        case .day: day
        case .week: day.adding(-Int64((day.date.weekday + 6) % 7))
        case .month: PacificDay(CivilDate(year: day.date.year, month: day.date.month, day: 1))
        }
    }

    /// Returns the first day of the next period.
    package func next(after start: PacificDay) -> PacificDay {
        switch self {
        case .day: start.next
        case .week: start.adding(7)
        case .month: PacificDay(start.date.adding(months: 1))
        }
    }
}

/// The periods of a statistic: consecutive and whole, so that the first and the last may begin before and end after the days
/// that were asked for.
package struct StatisticPeriods: Hashable, Sendable {
    /// The most periods of one answer.
    package static let maximum = 1100

    package let interval: StatisticInterval
    /// The first day of each period, and then the day after the last one.
    private let starts: [PacificDay]

    /// - Returns: `nil` for no days, and for more than ``maximum`` periods.
    package init?(_ days: ClosedRange<PacificDay>, by interval: StatisticInterval) {
        self.interval = interval
        var starts = [interval.start(of: days.lowerBound)]
        while let last = starts.last, last <= days.upperBound {
            guard starts.count <= Self.maximum else { return nil }
            starts.append(interval.next(after: last))
        }
        guard starts.count > 1 else { return nil }
        self.starts = starts
    }

    package var count: Int { starts.count - 1 }
    package var first: PacificDay { starts[0] }
    package var last: PacificDay { starts[count].adding(-1) }

    /// Returns the days of a period.
    package func days(_ index: Int) -> ClosedRange<PacificDay> { starts[index]...starts[index + 1].adding(-1) }

    /// Returns the index of the period that contains a day; `nil` if none does.
    package func index(of day: PacificDay) -> Int? {
        guard let first = starts.first, let end = starts.last, first <= day, day < end else { return nil }
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= day { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the name of a period: its first day, or `2026-03` for a month.
    package func name(_ index: Int) -> String {
        let text = starts[index].description
        return interval == .month ? String(text.dropLast(3)) : text
    }
}
