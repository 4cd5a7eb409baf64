import Testing

@testable import Perennial

/// Apple's fiscal calendar, against its published tables (docs/reference/report-files.md, "Fiscal calendar").
struct FiscalMonthTests {
    /// The first and last days of the twelve months.
    private static let years: [(year: Int, months: [(first: String, last: String)])] = [
        (
            2021,
            [
                ("2020-09-27", "2020-10-31"), ("2020-11-01", "2020-11-28"), ("2020-11-29", "2020-12-26"),
                ("2020-12-27", "2021-01-30"), ("2021-01-31", "2021-02-27"), ("2021-02-28", "2021-03-27"),
                ("2021-03-28", "2021-05-01"), ("2021-05-02", "2021-05-29"), ("2021-05-30", "2021-06-26"),
                ("2021-06-27", "2021-07-31"), ("2021-08-01", "2021-08-28"), ("2021-08-29", "2021-09-25"),
            ]
        ),
        (
            2024,
            [
                ("2023-10-01", "2023-11-04"), ("2023-11-05", "2023-12-02"), ("2023-12-03", "2023-12-30"),
                ("2023-12-31", "2024-02-03"), ("2024-02-04", "2024-03-02"), ("2024-03-03", "2024-03-30"),
                ("2024-03-31", "2024-05-04"), ("2024-05-05", "2024-06-01"), ("2024-06-02", "2024-06-29"),
                ("2024-06-30", "2024-08-03"), ("2024-08-04", "2024-08-31"), ("2024-09-01", "2024-09-28"),
            ]
        ),
    ]

    @Test(arguments: years.indices)
    func `the months of a year are those of the published table`(index: Int) throws {
        let (year, months) = Self.years[index]
        for (number, expected) in months.enumerated() {
            let month = try #require(FiscalMonth(year: year, month: number + 1))
            #expect((month.firstDay.description, month.lastDay.description) == (expected.first, expected.last))
        }
    }

    @Test(arguments: [
        (2020, "2019-09-29", 52), (2021, "2020-09-27", 52), (2022, "2021-09-26", 52), (2023, "2022-09-25", 53),
        (2024, "2023-10-01", 52), (2025, "2024-09-29", 52), (2026, "2025-09-28", 52), (2027, "2026-09-27", 52),
        (2028, "2027-09-26", 53),
    ])
    func `a year begins after the last Saturday of September`(year: Int, start: String, weeks: Int64) throws {
        let first = try #require(FiscalMonth(year: year, month: 1)).firstDay
        let end = try #require(FiscalMonth(year: year + 1, month: 1)).firstDay
        #expect(first.description == start)
        #expect(first.date.weekday == 0)
        #expect(end.number - first.number == 7 * weeks)
    }

    @Test(arguments: [2023, 2028])
    func `in a year of 53 weeks December has five`(year: Int) throws {
        let weeks = try (1...12).map { number in
            let month = try #require(FiscalMonth(year: year, month: number))
            return (month.next.firstDay.number - month.firstDay.number) / 7
        }
        #expect(weeks == [5, 4, 5, 5, 4, 4, 5, 4, 4, 5, 4, 4])
    }

    @Test func `each day is in one month`() throws {
        let first = try #require(PacificDay("2000-01-01")), last = try #require(PacificDay("2060-12-31"))
        var month = FiscalMonth(containing: first)
        for number in first.number...last.number {
            let day = PacificDay(number: number)
            if day > month.lastDay { month = month.next }
            #expect(FiscalMonth(containing: day) == month)
            #expect((month.firstDay...month.lastDay).contains(day))
        }
    }

    @Test func `a month is read, written and numbered`() throws {
        let month = try #require(FiscalMonth("2027-01"))
        #expect((month.year, month.month, month.description) == (2027, 1, "2027-01"))
        #expect(FiscalMonth(number: month.number) == month)
        #expect(month.previous.description == "2026-12")
        #expect(month.previous < month)
        for text in ["", "2027", "2027-13", "2027-00", "2027-1", "27-01", "2027-01-01", "+027-01"] {
            #expect(FiscalMonth(text) == nil, "\(text)")
        }
    }
}
