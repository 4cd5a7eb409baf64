import Perennial
import Testing

/// Periods and month ends (docs/reference/apple-behaviour.md, "Periods and month ends").
struct PeriodAnchorTests {
    private func ends(_ period: Period, from start: String, count: Int) -> [String] {
        var anchor = PeriodAnchor(Instant(start))
        var end = Instant(start)
        return (0..<count).map { _ in
            (end, anchor) = anchor.end(of: period, from: end, .calendar)
            return String(end.rfc3339().prefix(10))
        }
    }

    @Test(arguments: [
        (Period.month, "2025-01-31T10:00:00Z", ["2025-02-28", "2025-03-31", "2025-04-30", "2025-05-31"]),
        (.month, "2024-01-31T10:00:00Z", ["2024-02-29", "2024-03-31", "2024-04-30"]),
        (.month, "2025-01-29T10:00:00Z", ["2025-02-28", "2025-03-29"]),
        (.month, "2024-01-30T23:59:59Z", ["2024-02-29", "2024-03-30"]),
        (.year, "2024-02-29T00:00:00Z", ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]),
        (Period(2, .month), "2024-12-31T00:00:00Z", ["2025-02-28", "2025-04-30", "2025-06-30", "2025-08-31"]),
        (Period(3, .month), "2024-11-30T00:00:00Z", ["2025-02-28", "2025-05-30", "2025-08-30", "2025-11-30"]),
        (Period(6, .month), "2024-08-31T00:00:00Z", ["2025-02-28", "2025-08-31"]),
        (.week, "2025-02-25T00:00:00Z", ["2025-03-04", "2025-03-11"]),
        (Period(2, .week), "2024-02-20T00:00:00Z", ["2024-03-05"]),
        (Period(3, .day), "2024-02-27T00:00:00Z", ["2024-03-01"]),
    ])
    func `periods end on the anniversary, or on the last day of a short month`(
        period: Period, start: String, expected: [String]
    ) {
        #expect(ends(period, from: start, count: expected.count) == expected)
    }

    @Test func `a change of duration keeps the day of the month`() throws {
        var life = try Life(.monthly)
        try life.advance(to: life.subscription.paidUntil)
        try life.happen(.change(.yearly), at: life.newest.purchaseDate + .days(1))
        try life.advance(to: life.subscription.paidUntil)
        #expect(life.newest.purchaseDate == Instant("2025-03-31T10:00:00Z"))
        #expect(life.newest.expiresDate == Instant("2026-03-31T10:00:00Z"))
    }

    @Test func `months after a trial of days are counted from the trial's end`() throws {
        var life = try Life(.monthly, offers: [.trial], at: Instant("2025-01-24T10:00:00Z"))
        try life.advance(to: Instant("2025-03-31T10:00:00Z"))
        #expect(
            life.transactions.map { $0.expiresDate?.rfc3339().prefix(10) } == [
                "2025-01-31", "2025-02-28", "2025-03-31", "2025-04-30",
            ])
    }

    @Test func `a subscription keeps its day for six years`() throws {
        var life = try Life(.monthly)
        try life.advance(to: Instant("2031-01-31T10:00:00Z"))
        #expect(life.transactions.count == 73)
        for transaction in life.transactions {
            let (date, time) = transaction.purchaseDate.civil
            #expect(date.day == min(31, CivilDate.days(inMonth: date.month, of: date.year)))
            #expect(time == .hours(10))
        }
    }
}
