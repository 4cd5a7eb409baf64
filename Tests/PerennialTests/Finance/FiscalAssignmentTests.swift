import Perennial
import Testing

/// The month in which an entry counts, the regions of storefronts, and decimal rates.
struct FiscalAssignmentTests {
    private static func month(_ text: String) throws -> FiscalMonth { try #require(FiscalMonth(text)) }

    @Test(arguments: [
        // Before any closing, an entry counts in its own month.
        ("2026-10-05", Int64(5), "2027-01", false), ("2026-11-05", 8, "2027-02", false),
        // 2027-01 was closed at position 10, 2027-02 at 20.
        ("2026-10-05", 10, "2027-01", false), ("2026-10-05", 11, "2027-02", true),
        ("2026-09-01", 11, "2027-02", true), ("2026-11-05", 11, "2027-02", false),
        ("2026-10-05", 21, "2027-03", true), ("2026-11-05", 21, "2027-03", true),
        ("2026-12-05", 21, "2027-03", false), ("2026-11-05", 20, "2027-02", false),
    ])
    func `an entry after a closing is an adjustment of the next month`(
        day: String, position: Int64, month: String, isAdjustment: Bool
    ) throws {
        let assignment = FiscalAssignment(closings: [
            (try Self.month("2027-02"), 20), (try Self.month("2027-01"), 10),
        ])
        let assigned = assignment.month(of: try #require(PacificDay(day)), at: position)
        #expect(assigned.month == (try Self.month(month)))
        #expect(assigned.isAdjustment == isAdjustment)
    }

    @Test(arguments: ["2027-01": (2026, 10), "2027-03": (2026, 12), "2027-04": (2027, 1), "2014-12": (2014, 9)])
    func `a fiscal month has the name of a calendar month`(month: String, name: (Int, Int)) throws {
        let (year, number) = try Self.month(month).calendarMonth
        #expect(year == name.0)
        #expect(number == name.1)
    }

    // MARK: - Regions

    @Test func `every storefront belongs to a region of its currency`() throws {
        for info in Storefront.all {
            let region = try #require(FinancialRegion(info.storefront).info)
            #expect(region.currency == info.currency, "\(info.storefront) is in \(region.region)")
        }
        #expect(FinancialRegion.all.count == 48)
    }

    @Test(arguments: [
        ("USA", "US"), ("JPN", "JP"), ("DEU", "EU"), ("HRV", "HR"), ("BGR", "BG"), ("ARG", "LL"), ("LKA", "AP"),
        ("KEN", "WW"), ("XKS", "EU"), ("GBR", "GB"),
    ])
    func `a storefront is in its country's region or in that of its group`(storefront: String, region: String) {
        #expect(FinancialRegion(Storefront(rawValue: storefront)).rawValue == region)
    }

    // MARK: - Rates

    @Test(arguments: [
        ("0.00817", "0.00817"), ("1", "1.00000"), ("1.5", "1.50000"), ("0.123456789", "0.123456789"),
        ("110.5", "110.50000"), ("0.1234560", "0.123456"),
    ])
    func `a rate has five decimals, or more if it needs them`(text: String, written: String) throws {
        #expect(try #require(DecimalRate(text)).description == written)
    }

    @Test(arguments: ["", "-1", "1.", ".5", "1,5", "1e3", "0.1234567890", "1234567890", "１"])
    func `other texts are no rates`(text: String) {
        #expect(DecimalRate(text) == nil)
    }
}
