import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Sums of statistics over any days, which read whole months where they can.
struct StatisticSumsTests {
    private static func day(_ text: String) throws -> PacificDay { try #require(PacificDay(text)) }

    @Test(arguments: [
        ("2026-01-01", "2026-03-31", "2026-06-01", ["month 24312...24314"]),
        ("2026-01-02", "2026-03-30", "2026-06-01", ["month 24313...24313", "day 20455...20484", "day 20513...20542"]),
        ("2026-01-10", "2026-01-20", "2026-06-01", ["day 20463...20473"]),
        // The month of today has nothing later.
        ("2026-01-01", "2026-03-10", "2026-03-10", ["month 24312...24314"]),
        ("2026-03-01", "2026-03-01", "2026-03-01", ["month 24314...24314"]),
        ("2026-01-31", "2026-02-01", "2026-06-01", ["day 20484...20485"]),
    ])
    func `days are divided into whole months and the rest`(
        from: String, to: String, today: String, parts: [String]
    ) throws {
        let found = Statistics.parts(of: try Self.day(from)...Self.day(to), today: try Self.day(today))
        #expect(found.map { "\($0.grain) \($0.periods)" } == parts)
    }

    @Test(arguments: Engine.allCases)
    func `sums of days are those of the statistic's periods`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.account("hans", storefront: "DEU")
        for _ in 0..<4 {
            try await shop.buy("film.roll", quantity: 2, as: "ann")
            try await shop.buy("film.roll", as: "hans")
            try await shop.advance(by: .days(20))
        }
        let today = PacificDay(try await shop.store.now())
        for (first, last) in [(0, 0), (10, 0), (85, 0), (70, 15), (60, 40)] as [(Int64, Int64)] {
            let days = today.adding(-first)...today.adding(-last)
            for dimension in [StatisticDimension.all, .product, .storefront] {
                let sums = try await shop.store.statistics.sums(
                    of: [.units, .proceeds], by: dimension, days, in: TestCatalog.bundleID)
                for statistic in [Statistic.units, .proceeds] {
                    let table = try await shop.store.statistics.table(
                        StatisticRequest(
                            bundleID: TestCatalog.bundleID, statistic: statistic, from: days.lowerBound,
                            to: days.upperBound, dimension: dimension))
                    var expected: [StatisticSums.Key: Int64] = [:]
                    for row in table.rows {
                        guard case .count(let amount)? = row.values[0] ?? nil else {
                            if case .money(let amount)? = row.values[0] ?? nil {
                                expected[.init(.proceeds, row.group, row.currency), default: 0] += amount
                            }
                            continue
                        }
                        expected[.init(.units, row.group), default: 0] += amount
                    }
                    let measure = statistic.measures[0]
                    #expect(
                        sums.amounts.filter { $0.key.measure == measure && $0.value != 0 }
                            == expected.filter { $0.value != 0 })
                }
            }
        }
    }
}
