import Testing

@testable import Perennial

struct ReportPeriodTests {
    @Test(arguments: [
        (ReportPeriod.Frequency.daily, "2026-10-03", "2026-10-03", "2026-10-03", "20261003"),
        (.weekly, "2026-10-04", "2026-09-28", "2026-10-04", "20261004"),
        (.weekly, "2027-01-03", "2026-12-28", "2027-01-03", "20270103"),
        (.monthly, "2026-02", "2026-02-01", "2026-02-28", "202602"),
        (.monthly, "2028-02", "2028-02-01", "2028-02-29", "202802"),
        (.yearly, "2026", "2026-01-01", "2026-12-31", "2026"),
    ])
    func `a period has first and last day and a name`(
        frequency: ReportPeriod.Frequency, date: String, first: String, last: String, compact: String
    ) throws {
        let period = try #require(ReportPeriod(frequency, reportDate: date))
        #expect((period.firstDay.description, period.lastDay.description) == (first, last))
        #expect((period.reportDate, period.compactDate) == (date, compact))
        #expect(period.previous.lastDay.next == period.firstDay)
    }

    @Test(arguments: [
        (ReportPeriod.Frequency.daily, "2026-10"), (.daily, "2026"), (.daily, "10/03/2026"), (.daily, "2026-02-30"),
        // A Saturday and a Monday.
        (.weekly, "2026-10-03"), (.weekly, "2026-10-05"), (.weekly, "2026-W40"), (.monthly, "2026-13"),
        (.monthly, "2026-10-01"), (.monthly, "2026"), (.yearly, "2026-10"), (.yearly, "26"), (.yearly, ""),
    ])
    func `a date in another frequency's form isn't read`(frequency: ReportPeriod.Frequency, date: String) {
        #expect(ReportPeriod(frequency, reportDate: date) == nil)
    }

    @Test(arguments: ReportPeriod.Frequency.allCases)
    func `each day is in one period of each frequency`(frequency: ReportPeriod.Frequency) throws {
        let first = try #require(PacificDay("2024-01-01"))
        var period = ReportPeriod(frequency, containing: first)
        for number in first.number..<first.number + 1200 {
            let day = PacificDay(number: number)
            if day > period.lastDay { period = ReportPeriod(frequency, containing: period.lastDay.next) }
            #expect(ReportPeriod(frequency, containing: day) == period)
            #expect((period.firstDay...period.lastDay).contains(day))
        }
    }

    @Test func `months and years are numbered by calendar months`() throws {
        let month = try #require(ReportPeriod(.monthly, reportDate: "2026-10"))
        let year = try #require(ReportPeriod(.yearly, reportDate: "2026"))
        let january = Int64(2026 * 12)
        #expect(month.monthNumbers == january + 9...january + 9)
        #expect(year.monthNumbers == january...january + 11)
        #expect(ReportPeriod(.weekly, containing: month.firstDay).monthNumbers == nil)
    }

    @Test(arguments: [
        ("P1W", "7 Days"), ("P3D", "3 Days"), ("P2W", "2 Weeks"), ("P1M", "1 Month"), ("P2M", "2 Months"),
        ("P6M", "6 Months"), ("P12M", "1 Year"), ("P1Y", "1 Year"), ("P1D", "1 Day"),
    ])
    func `a duration has the words of reports`(period: String, words: String) throws {
        #expect(try #require(Period(iso8601: period)).reportText == words)
    }

    @Test func `every storefront has a code of two letters of its own`() {
        let codes = Storefront.all.map(\.alpha2)
        #expect(Set(codes).count == codes.count)
        #expect(codes.allSatisfy { $0.count == 2 && $0.uppercased() == $0 })
        let known = ["USA": "US", "DEU": "DE", "GBR": "GB", "JPN": "JP", "CHE": "CH", "XKS": "XK", "KOR": "KR"]
        for (code, expected) in known { #expect(Storefront(rawValue: code).alpha2 == expected) }
    }
}
