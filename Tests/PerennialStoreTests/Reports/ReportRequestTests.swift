import AppStoreFormats
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Requests for reports, answered as Apple's service does (docs/reference/report-files.md, "Requests").
struct ReportRequestTests {
    /// A request, by the values that differ from a Sales request for 1 October 2026.
    private static func request(
        _ changes: [String: String?] = [:], vendor: String? = "80012345"
    ) -> SalesReportRequest {
        func value(_ name: String, _ usual: String?) -> String? {
            if let changed = changes[name] { return changed }
            return usual
        }
        return SalesReportRequest(
            vendorNumber: vendor, reportType: value("reportType", "SALES"),
            reportSubType: value("reportSubType", "SUMMARY"), frequency: value("frequency", "DAILY"),
            reportDate: value("reportDate", "2026-10-01"), version: value("version", nil))
    }

    private static func subscriptions(_ changes: [String: String?] = [:]) -> [String: String?] {
        ["reportType": "SUBSCRIPTION", "version": "1_3"].merging(changes) { $1 }
    }

    private static let refusals: [(changes: [String: String?], code: ReportError.Code, name: String, detail: String)] =
        [
            (["frequency": nil], .missingParameter, "frequency", "'filter[frequency]' is required"),
            (["reportType": nil], .missingParameter, "reportType", "'filter[reportType]' is required"),
            (["reportSubType": ""], .missingParameter, "reportSubType", "'filter[reportSubType]' is required"),
            (["frequency": "HOURLY"], .invalidParameter, "frequency", "'HOURLY' is not a valid value"),
            (["frequency": "daily"], .invalidParameter, "frequency", "'daily' is not a valid value"),
            (["reportType": "SALE"], .invalidParameter, "reportType", "'SALE' is not a valid value"),
            (
                ["reportSubType": "DETAILED"], .invalidParameter, "reportSubType",
                "Invalid combination of report type and"
            ),
            (
                subscriptions(["frequency": "WEEKLY"]), .invalidParameter, "frequency",
                "Invalid combination of report subtype and date type."
            ),
            (
                ["version": "1_2"], .invalidParameter, "version",
                "The version parameter you have specified is invalid. The latest version for this report is 1_1."
            ),
            (
                subscriptions(["version": "1_2"]), .invalidParameter, "version",
                "The version parameter you have specified is invalid. The latest version for this report is 1_4."
            ),
            (
                subscriptions(["version": nil]), .missingParameter, "version",
                "Please include the version parameter. The latest version for this report is 1_4."
            ),
            (
                ["reportType": "SUBSCRIBER", "reportSubType": "DETAILED", "version": "1_2"], .invalidParameter,
                "version",
                "The version parameter you have specified is invalid. The latest version for this report is 1_3."
            ),
            (["reportDate": "10/01/2026"], .invalidParameter, "reportDate", "Invalid date."),
            (["reportDate": "2026-02-30"], .invalidParameter, "reportDate", "Invalid date."),
            (["reportDate": "2026-10"], .invalidParameter, "reportDate", "Invalid combination of date type and date."),
            (
                ["frequency": "WEEKLY", "reportDate": "2026-10-03"], .invalidParameter, "reportDate",
                "Invalid weekly date."
            ),
            (
                ["frequency": "YEARLY", "reportDate": "2026-10-03"], .invalidParameter, "reportDate",
                "Invalid combination of date type and date."
            ),
        ]

    @Test(arguments: refusals.indices)
    func `a wrong parameter is refused by its name`(index: Int) async throws {
        let (changes, code, name, detail) = Self.refusals[index]
        let shop = try await TestStore.make()
        do {
            _ = try await shop.store.reports.salesReport(Self.request(changes))
            Issue.record("a report was made")
        } catch let error as ReportError {
            #expect(error.code == code)
            #expect(error.parameter == "filter[\(name)]")
            #expect(error.detail.contains(detail), "\(error.detail)")
        }
    }

    @Test func `another vendor is refused after the parameters and before the date`() async throws {
        let shop = try await TestStore.make()
        for vendor in ["80012345", "", nil] as [String?] {
            do {
                _ = try await shop.store.reports.salesReport(Self.request(["reportDate": "2999-01-01"], vendor: vendor))
                Issue.record("a report was made")
            } catch let error as ReportError {
                #expect(error.code == (vendor == "80012345" ? .unknownVendor : .missingParameter))
                #expect(error.parameter == "filter[vendorNumber]")
            }
        }
    }

    // MARK: - Days and periods

    private static let noSales = "There were no sales for the date specified."
    private static let notYet = "Report is not available yet."

    /// A store on Thursday, 1 October 2026, 11:00 in Los Angeles, which has sold one thing.
    private func openShop() async throws -> (shop: TestStore, vendor: String) {
        let base = try await TestStore.make(app: ReportScenario.atlas, beside: [])
        _ = try await base.registry.makeEnvironment("lab", kind: .production, clock: .manual, now: ReportScenario.start)
        let shop = try await base.environment("lab")
        try await shop.buy("atlas.coins", as: "ann", app: ReportScenario.atlasID)
        let vendor = try await shop.database.read { try Vendor.vendorNumber(on: $0) }
        return (shop, vendor)
    }

    private func detail(_ request: SalesReportRequest, _ shop: TestStore) async throws -> String {
        do {
            return try await shop.store.reports.salesReport(request).name
        } catch let error as ReportError {
            #expect(error.code == .notFound)
            return error.detail
        }
    }

    @Test func `a period has a report when it is over in Pacific time`() async throws {
        let (shop, vendor) = try await openShop()
        func answer(_ frequency: String, _ date: String?) async throws -> String {
            try await detail(Self.request(["frequency": frequency, "reportDate": date], vendor: vendor), shop)
        }
        #expect(try await answer("DAILY", "2026-10-01").hasPrefix(Self.notYet))
        #expect(try await answer("DAILY", "2026-10-01").contains("Daily reports for the Americas"))
        #expect(try await answer("DAILY", "2027-10-01").hasPrefix(Self.notYet))
        #expect(try await answer("DAILY", "2026-09-30") == Self.noSales)
        #expect(try await answer("DAILY", nil) == Self.noSales)
        // 23:59:59 and midnight in Los Angeles.
        let midnight = ReportScenario.start + .hours(13)
        try await shop.advance(to: midnight + -1000)
        #expect(try await answer("DAILY", "2026-10-01").hasPrefix(Self.notYet))
        try await shop.advance(to: midnight)
        #expect(try await answer("DAILY", "2026-10-01") == "S_D_\(vendor)_20261001")
        #expect(try await answer("DAILY", nil) == "S_D_\(vendor)_20261001")
        #expect(try await answer("WEEKLY", "2026-10-04") == Self.notYet)
        try await shop.advance(to: midnight + .days(3))
        #expect(try await answer("WEEKLY", "2026-10-04") == "S_W_\(vendor)_20261004")
        #expect(try await answer("WEEKLY", "2026-09-27") == Self.noSales)
        #expect(try await answer("MONTHLY", "2026-10") == Self.notYet)
        try await shop.advance(to: midnight + .days(31))
        #expect(try await answer("MONTHLY", "2026-10") == "S_M_\(vendor)_202610")
        // The newest day that has sales, a month ago.
        #expect(try await answer("DAILY", nil) == "S_D_\(vendor)_20261001")
        #expect(try await answer("YEARLY", "2026") == Self.notYet)
        try await shop.advance(to: midnight + .days(92))
        #expect(try await answer("YEARLY", "2026") == "S_Y_\(vendor)_2026")
        #expect(try await answer("YEARLY", nil) == "S_Y_\(vendor)_2026")
    }

    @Test(arguments: [
        ("SUBSCRIPTION", "SUMMARY", "1_3"), ("SUBSCRIPTION_EVENT", "SUMMARY", "1_4"), ("SUBSCRIBER", "DETAILED", "1_3"),
        ("SUBSCRIPTION_OFFER_CODE_REDEMPTION", "SUMMARY", nil), ("PRE_ORDER", "SUMMARY", nil),
        ("NEWSSTAND", "DETAILED", nil), ("WIN_BACK_ELIGIBILITY", "SUMMARY", nil), ("FIRST_ANNUAL", "DETAILED", nil),
    ])
    func `a report without a row or a date is not found`(type: String, subType: String, version: String?) async throws {
        let (shop, vendor) = try await openShop()
        try await shop.advance(to: ReportScenario.start + .days(2))
        for date in ["2026-10-01", nil] as [String?] {
            let changes = ["reportType": type, "reportSubType": subType, "version": version, "reportDate": date]
            #expect(try await detail(Self.request(changes, vendor: vendor), shop) == Self.noSales)
        }
        let today = ["reportType": type, "reportSubType": subType, "version": version, "reportDate": "2026-10-03"]
        #expect(try await detail(Self.request(today, vendor: vendor), shop).hasPrefix(Self.notYet))
    }
}
