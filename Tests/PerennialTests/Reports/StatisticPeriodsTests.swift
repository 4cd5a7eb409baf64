import Testing

@testable import Perennial

/// Periods of statistics, windows of customers and months of cohorts.
struct StatisticPeriodsTests {
    private func day(_ text: String) throws -> PacificDay { try #require(PacificDay(text)) }

    @Test func `periods are whole, and every day is in one`() throws {
        let spans: [(StatisticInterval, first: String, last: String, count: Int, name: String)] = [
            (.day, "2026-02-26", "2026-03-10", 13, "2026-02-26"),
            (.week, "2026-02-23", "2026-03-15", 3, "2026-02-23"),
            (.month, "2026-02-01", "2026-03-31", 2, "2026-02"),
        ]
        let days = try day("2026-02-26")...day("2026-03-10")
        for (interval, first, last, count, name) in spans {
            let periods = try #require(StatisticPeriods(days, by: interval))
            #expect(periods.first == (try day(first)))
            #expect(periods.last == (try day(last)))
            #expect(periods.count == count)
            #expect(periods.name(0) == name)
            var day = periods.first
            while day <= periods.last {
                let index = try #require(periods.index(of: day))
                #expect(periods.days(index).contains(day))
                day = day.next
            }
            #expect(periods.index(of: periods.first.adding(-1)) == nil)
            #expect(periods.index(of: periods.last.next) == nil)
        }
    }

    @Test func `an answer has at most 1100 periods`() throws {
        let first = try day("2020-01-01")
        #expect(StatisticPeriods(first...first.adding(1099), by: .day)?.count == 1100)
        #expect(StatisticPeriods(first...first.adding(1100), by: .day) == nil)
        #expect(StatisticPeriods(first...first.adding(1100), by: .month) != nil)
    }

    @Test func `a window includes its last day`() {
        let windows: [(Int64, CustomerWindow)] = [
            (0, .sameDay), (1, .week), (7, .week), (8, .month), (30, .month), (90, .quarter), (180, .halfYear),
            (365, .year), (366, .unlimited),
        ]
        for (days, window) in windows { #expect(CustomerWindow(days: days) == window, "\(days)") }
    }

    @Test func `months of a cohort are counted from its start, by the calendar`() {
        let start = Instant(milliseconds: 1_738_317_600_000)  // 2025-01-31T10:00:00Z
        for number in 1...30 {
            let end = Period.month.end(after: start, number: number)
            #expect(StatisticCohorts.month(at: end, since: start) == Int64(number))
            #expect(StatisticCohorts.month(at: end + -1, since: start) == Int64(number))
            #expect(StatisticCohorts.month(at: end + 1, since: start) == Int64(number) + 1)
        }
        #expect(StatisticCohorts.month(at: start, since: start) == 0)
        #expect(StatisticCohorts.month(at: start + 1, since: start) == 1)
    }

    @Test func `every statistic has a definition, and its measures a kind`() {
        #expect(Set(Statistic.allCases.map(\.definition)).count == Statistic.allCases.count)
        for statistic in Statistic.allCases {
            #expect(statistic.definition.hasSuffix("."), "\(statistic)")
            #expect(!statistic.measures.isEmpty)
            #expect(statistic.dimensions.first == .all)
        }
        #expect(Set(StatisticMeasure.allCases.map(\.rawValue)).count == StatisticMeasure.allCases.count)
        #expect(Set(Statistic.allCases.flatMap(\.measures)) == Set(StatisticMeasure.allCases))
    }
}
