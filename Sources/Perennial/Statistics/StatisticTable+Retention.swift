/// An amount of a cohort of subscriptions, whose first paid period began on a day.
package struct CohortAmount: Hashable, Sendable {
    package var day: PacificDay
    package var group: String
    /// The month after the start from which on the amount counts.
    package var month: Int64
    package var amount: Int64

    package init(day: PacificDay, group: String, month: Int64, amount: Int64) {
        self.day = day
        self.group = group
        self.month = month
        self.amount = amount
    }
}

extension StatisticTable {
    /// The most months after the start that retention shows.
    package static let longestRetention = 60

    private struct Cohort: Hashable {
        var period: Int?
        var group: String
    }

    /// Computes retention: for each month of first payments, the share of subscriptions that is still paid for after so many
    /// months. Subscriptions for which that time hasn't passed don't count.
    ///
    /// - Parameters:
    ///   - sizes: The subscriptions of each cohort.
    ///   - changes: The changes of the number that is paid for.
    ///   - today: The last day that is known.
    package static func retention(
        by dimension: StatisticDimension, _ periods: StatisticPeriods, sizes: [CohortAmount], changes: [CohortAmount],
        today: PacificDay
    ) -> StatisticTable {
        let last = periods.monthsToShow(until: today)
        var columns = [Column("subscriptions", .count)]
        columns += (0...last).map { Column("month-\($0)", .percent) }
        var groups = Set(sizes.map(\.group))
        if groups.isEmpty, dimension == .all { groups = [""] }
        func byCohort(_ amounts: [CohortAmount]) -> [Cohort: [CohortAmount]] {
            Dictionary(grouping: amounts) { Cohort(period: periods.index(of: $0.day), group: $0.group) }
        }
        let (sizes, changes) = (byCohort(sizes), byCohort(changes))
        var rows: [Row] = []
        for period in 0..<periods.count {
            for group in groups.sorted() {
                let cohort = Cohort(period: period, group: group)
                let (size, change) = (sizes[cohort] ?? [], changes[cohort] ?? [])
                guard dimension == .all || !size.isEmpty else { continue }
                let shares = (0...last).map { month -> StatisticValue? in
                    func counts(_ amount: CohortAmount) -> Bool {
                        let date = PacificDay(amount.day.date.adding(months: month))
                        return month == 0 ? date <= today : date < today
                    }
                    let retained = change.filter { $0.month <= month && counts($0) }
                    return .share(
                        retained.reduce(0) { $0 + $1.amount },
                        of: size.filter(counts).reduce(0) { $0 + $1.amount })
                }
                rows.append(
                    Row(
                        period: periods.name(period), group: group, currency: nil,
                        values: [.count(size.reduce(0) { $0 + $1.amount })] + shares))
            }
        }
        return StatisticTable(statistic: .retention, dimension: dimension, columns: columns, rows: rows)
    }
}

extension StatisticPeriods {
    /// Returns the months from the first day up to a day.
    fileprivate func monthsToShow(until today: PacificDay) -> Int {
        let months = (today.date.year - first.date.year) * 12 + today.date.month - first.date.month
        return min(max(months, 0), StatisticTable.longestRetention)
    }
}
