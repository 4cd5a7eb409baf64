import Foundation
import Perennial
import Testing

/// The prices of storefronts by time.
struct PriceTimelineTests {
    static let germany = Storefront(rawValue: "DEU")
    static let japan = Storefront(rawValue: "JPN")
    static let france = Storefront(rawValue: "FRA")
    static let day = PacificDay(CivilDate(year: 2027, month: 1, day: 10)).start

    static func usd(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, .usd) }
    static func eur(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, .eur) }

    private static func prices(_ list: PriceList, in storefront: Storefront) -> [Int64] {
        PriceTimeline(list, default: .usa).intervals(in: storefront).map(\.price.milliunits)
    }

    @Test func `a base price counts in all storefronts, in their currencies`() {
        let list = PriceList(base: Self.usd(4_990), own: [Self.germany: Self.eur(5_490)])
        #expect(Self.prices(list, in: .usa) == [4_990])
        #expect(Self.prices(list, in: Self.germany) == [5_490])
        #expect(Self.prices(list, in: Self.japan) == [5_000])
        #expect(Self.prices(list, in: Storefront(rawValue: "XXX")) == [])
        let timeline = PriceTimeline(list, default: .usa)
        #expect(timeline.base == .usa)
        #expect(timeline.intervals(in: .usa).map(\.isManual) == [true])
        #expect(timeline.intervals(in: Self.germany).map(\.isManual) == [true])
        #expect(timeline.intervals(in: Self.japan).map(\.isManual) == [false])
    }

    @Test func `a list of prices is stored with its storefronts in alphabetical order`() throws {
        let codes = ["USA", "DEU", "JPN", "KWT", "GBR", "FRA", "CHE", "BRA"]
        let own = Dictionary(uniqueKeysWithValues: codes.map { (Storefront(rawValue: $0), Self.usd(990)) })
        let list = PriceList(
            base: Self.usd(4_990), own: own, schedule: [ScheduledPrice(at: Self.day, Self.usd(5_990))],
            isEqualized: true)
        let text = String(decoding: try JSONEncoder().encode(list), as: UTF8.self)
        let places = codes.sorted().map { text.range(of: "\"\($0)\",")?.lowerBound }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
        #expect(try JSONDecoder().decode(PriceList.self, from: Data(text.utf8)) == list)
    }

    @Test func `equalized prices follow the base storefront, manual ones stay`() {
        let list = PriceList(
            base: Self.usd(4_990), own: [.usa: Self.usd(4_990), Self.france: Self.eur(6_990)],
            schedule: [ScheduledPrice(at: Self.day, Self.usd(5_990), storefront: .usa)], baseStorefront: .usa,
            isEqualized: true)
        #expect(Self.prices(list, in: .usa) == [4_990, 5_990])
        #expect(Self.prices(list, in: Self.japan) == [499_000, 599_000])
        #expect(Self.prices(list, in: Self.germany) == [4_990, 5_990])
        #expect(Self.prices(list, in: Self.france) == [6_990])
        // Another storefront with US dollars.
        #expect(Self.prices(list, in: Storefront(rawValue: "ECU")) == [4_990, 5_990])
        let intervals = PriceTimeline(list, default: Self.germany).intervals(in: Self.japan)
        #expect(intervals.map(\.start) == [nil, Self.day])
        #expect(intervals.map(\.end) == [Self.day, nil])
        #expect(intervals.map(\.isManual) == [false, false])
    }

    @Test func `a storefront without a price isn't sold in where each needs its own`() {
        var list = PriceList(base: Self.usd(4_990), own: [.usa: Self.usd(4_990)], requiresOwn: true)
        #expect(Self.prices(list, in: Self.japan) == [])
        #expect(list.price(in: Self.japan) == nil)
        list.schedule = [ScheduledPrice(at: Self.day, Money(milliunits: 500_000, .jpy), storefront: Self.japan)]
        let intervals = PriceTimeline(list, default: .usa).intervals(in: Self.japan)
        #expect(intervals.map(\.start) == [Self.day])
        #expect(intervals.map(\.end) == [nil])
    }

    @Test func `a base price in the schedule takes prices of its currency along`() {
        let list = PriceList(
            base: Self.usd(4_990), own: [.usa: Self.usd(3_990), Self.germany: Self.eur(5_490)],
            schedule: [
                ScheduledPrice(at: Self.day, Self.usd(5_990)),
                ScheduledPrice(at: Self.day, Self.eur(6_490), storefront: Self.germany, preservesSubscribers: true),
            ])
        #expect(Self.prices(list, in: .usa) == [3_990, 5_990])
        #expect(Self.prices(list, in: Self.germany) == [5_490, 6_490])
        #expect(Self.prices(list, in: Self.japan) == [5_000, 6_000])
        let intervals = PriceTimeline(list, default: .usa).intervals(in: Self.germany)
        #expect(intervals.map(\.preservesSubscribers) == [false, true])
    }

    @Test func `compaction keeps the prices from its instant on`() {
        var list = PriceList(base: Self.usd(990))
        for number in Int64(1)...9 {
            list.schedule.append(
                ScheduledPrice(
                    at: Self.day + .days(number), Self.usd(number * 1_000), storefront: number % 2 == 0 ? .usa : nil,
                    preservesSubscribers: number == 4))
        }
        var compact = list
        compact.compact(before: Self.day + .days(7))
        // Day 2 and 4 are kept: day 4 preserved the subscribers of day 2, and day 6 replaced day 4.
        #expect(compact.schedule.map { ($0.at - Self.day) / .days(1) } == [2, 6, 7, 8, 9])
        for number in Int64(7)...12 {
            let instant = Self.day + .days(number)
            for storefront in [Storefront.usa, Self.japan] {
                #expect(
                    compact.inForce(at: instant).price(in: storefront)
                        == list.inForce(at: instant).price(in: storefront))
            }
        }
    }
}
