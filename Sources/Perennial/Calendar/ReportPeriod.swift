/// The days that a report of Sales and Trends covers: a day, a week from Monday to Sunday, a calendar month or a year.
package struct ReportPeriod: Hashable, Sendable {
    /// The lengths of periods, with the words of requests.
    package enum Frequency: String, Sendable, Codable, CaseIterable {
        case daily = "DAILY"
        /// Monday to Sunday. The Sunday names the week.
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    package let frequency: Frequency
    package let firstDay: PacificDay
    package let lastDay: PacificDay

    /// Creates the period that contains a day.
    package init(_ frequency: Frequency, containing day: PacificDay) {
        self.frequency = frequency
        let date = day.date
        switch frequency {
        case .daily: (firstDay, lastDay) = (day, day)
        case .weekly:
            let sunday = day.adding(Int64((7 - date.weekday) % 7))
            (firstDay, lastDay) = (sunday.adding(-6), sunday)
        case .monthly:
            (firstDay, lastDay) = Self.days(from: (date.year, date.month), through: (date.year, date.month))
        case .yearly: (firstDay, lastDay) = Self.days(from: (date.year, 1), through: (date.year, 12))
        }
    }

    /// Parses the form of requests: `2026-10-04` for a day and for the Sunday that ends a week, `2026-10`, `2026`.
    ///
    /// - Returns: `nil` for any other text, and for the day of a week that isn't a Sunday.
    package init?(_ frequency: Frequency, reportDate text: some StringProtocol) {
        switch frequency {
        case .daily, .weekly:
            guard let day = PacificDay(text) else { return nil }
            self.init(frequency, containing: day)
            guard lastDay == day else { return nil }
        case .monthly:
            guard let day = PacificDay("\(text)-01") else { return nil }
            self.init(frequency, containing: day)
        case .yearly:
            guard let day = PacificDay("\(text)-01-01") else { return nil }
            self.init(frequency, containing: day)
        }
    }

    /// The form of requests, as in ``init(_:reportDate:)``.
    package var reportDate: String {
        switch frequency {
        case .daily, .weekly: lastDay.description
        case .monthly: String(lastDay.description.prefix(7))
        case .yearly: String(lastDay.description.prefix(4))
        }
    }

    /// The form of file names: ``reportDate`` without hyphens.
    package var compactDate: String { reportDate.filter { $0 != "-" } }

    /// The period before.
    package var previous: ReportPeriod { ReportPeriod(frequency, containing: firstDay.adding(-1)) }

    /// The numbers of the days, as storage has them.
    package var dayNumbers: ClosedRange<Int64> { firstDay.number...lastDay.number }

    /// The numbers of the calendar months, twelve times the year plus the month from 0; `nil` for days and weeks.
    package var monthNumbers: ClosedRange<Int64>? {
        switch frequency {
        case .daily, .weekly: nil
        case .monthly, .yearly: Self.monthNumber(of: firstDay.date)...Self.monthNumber(of: lastDay.date)
        }
    }

    private static func monthNumber(of date: CivilDate) -> Int64 { Int64(date.year) * 12 + Int64(date.month - 1) }

    private static func days(
        from first: (year: Int, month: Int), through last: (year: Int, month: Int)
    ) -> (PacificDay, PacificDay) {
        let end = CivilDate.days(inMonth: last.month, of: last.year)
        return (
            PacificDay(CivilDate(year: first.year, month: first.month, day: 1)),
            PacificDay(CivilDate(year: last.year, month: last.month, day: end))
        )
    }
}

extension PacificDay {
    /// Parses `2026-10-03`; `nil` for any other text, for days that don't exist and for years before 1900.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let year = Int(parts[0]),
            let month = Int(parts[1]), let day = Int(parts[2]), year >= 1900, (1...12).contains(month),
            (1...CivilDate.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        self.init(CivilDate(year: year, month: month, day: day))
    }
}
