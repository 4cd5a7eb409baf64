import Perennial
import Testing

/// Apple's rules for the price schedule of an in-app purchase: docs/reference/apple-behaviour.md, "Price schedules".
struct PriceScheduleRulesTests {
    private static let now = PacificDay(CivilDate(year: 2027, month: 1, day: 5)).start + .hours(9)
    private static let today = PacificDay(now)
    private static let china = Storefront(rawValue: "CHN")

    private static func price(
        _ index: Int, _ units: Int64, in storefront: Storefront = .usa, _ start: Int64? = nil, _ end: Int64? = nil
    ) -> ManualPrice {
        ManualPrice(
            index: index, storefront: storefront, price: Money(milliunits: units * 1000, storefront.currency ?? .usd),
            start: start.map { today.adding($0) }, end: end.map { today.adding($0) })
    }

    private static func replace(_ prices: [ManualPrice], of list: PriceList? = nil) throws -> PriceList {
        try (list ?? PriceList(base: .zero(.usd), isPriced: false)).replaced(by: prices, base: .usa, at: now)
    }

    @Test func `a schedule replaces all prices, in any order`() throws {
        let old = PriceList(base: Money(milliunits: 990, .usd), own: [Self.china: Money(milliunits: 8_000, .usd)])
        let list = try Self.replace(
            [Self.price(0, 3, 5), Self.price(1, 2, nil, 5), Self.price(2, 30, in: Self.china)], of: old)
        let timeline = PriceTimeline(list, default: .usa)
        #expect(timeline.intervals(in: .usa).map(\.price.decimal) == ["2.00", "3.00"])
        #expect(timeline.intervals(in: .usa).map(\.start) == [nil, Self.today.adding(5).start])
        #expect(timeline.intervals(in: Self.china).map(\.price.decimal) == ["30.00"])
        #expect(timeline.intervals(in: Storefront(rawValue: "JPN")).map(\.price.decimal) == ["200", "300"])
        #expect(list.isPriced && list.isEqualized)
    }

    @Test func `a schedule needs a price of its base territory`() {
        #expect(throws: CatalogEditError.self) { try Self.replace([]) }
        do {
            _ = try Self.replace([Self.price(0, 3, in: Self.china)])
            Issue.record("the schedule was accepted")
        } catch {
            #expect((error as? CatalogEditError)?.code == .baseTerritoryRequired)
        }
    }

    @Test(arguments: [
        // A gap, no price before the first, none after the last, an overlap, two from the beginning, an empty interval.
        (
            [price(0, 2, nil, 5), price(1, 3, 6)],
            "Adjacent intervals must not have a gap in between: [null - 2027-01-10]"
        ),
        ([price(0, 2, 5)], "There is no price before [2027-01-10 - null]"),
        ([price(0, 2, nil, 5)], "There is no price after [null - 2027-01-10]"),
        ([price(0, 2, nil, 6), price(1, 3, 5)], "Adjacent intervals must not overlap: [null - 2027-01-11]"),
        ([price(0, 2), price(1, 3)], "Adjacent intervals must not overlap: [null - null] and [null - null]"),
        ([price(0, 2, nil, 5), price(1, 3, 5, 5), price(2, 3, 5)], "must be after its start date"),
    ])
    func `a schedule covers all time, each instant once`(prices: [ManualPrice], reason: String) {
        do {
            _ = try Self.replace(prices)
            Issue.record("the schedule was accepted")
        } catch {
            let error = error as? CatalogEditError
            #expect(error?.code == .invalidInterval)
            #expect(error?.detail.contains(reason) == true, "\(error?.detail ?? "")")
            #expect(error?.detail.contains("USA") == true)
        }
    }

    @Test func `a later price starts today or later, unless the schedule has it`() throws {
        let prices = [Self.price(0, 2, nil, -3), Self.price(1, 3, -3)]
        do {
            _ = try Self.replace(prices)
            Issue.record("the schedule was accepted")
        } catch {
            let error = error as? CatalogEditError
            #expect(error?.code == .invalid)
            #expect(error?.place == .includedAttribute(1, "startDate"))
        }
        var old = try Self.replace([Self.price(0, 2)])
        old.schedule = [
            ScheduledPrice(at: Self.today.adding(-3).start, Money(milliunits: 3_000, .usd), storefront: .usa)
        ]
        #expect(try Self.replace(prices, of: old).inForce(at: Self.now).price(in: .usa)?.decimal == "3.00")
        // What the schedule lists today may be sent back.
        #expect(try Self.replace([Self.price(0, 3, -3)]).price(in: .usa)?.decimal == "3.00")
    }
}
