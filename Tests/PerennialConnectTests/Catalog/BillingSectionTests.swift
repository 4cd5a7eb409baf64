import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import TestSupport
import Testing

/// The billing settings of catalogs.
struct BillingSectionTests {
    private func app(_ billing: String) throws -> CatalogFile.App {
        try #require(try CatalogFile(parsing: Array("bundleId: com.example.app\n\(billing)".utf8)).apps.first)
    }

    @Test func `a catalog has billing settings for Production and Sandbox`() throws {
        let text = """
            billing:
              production: {gracePeriodDays: 16, gracePeriodScope: PAID_TO_PAID_ONLY}
              sandbox: {timeRate: monthlyRenewalEveryHour, maximumRenewals: 12, renewalsFail: true}
            """
        let billing = try #require(try app(text).billing)
        #expect(billing.production?.gracePeriodDays == 16)
        #expect(billing.production?.gracePeriodScope == "PAID_TO_PAID_ONLY")
        #expect(billing.sandbox?.timeRate == "monthlyRenewalEveryHour")
        #expect(billing.sandbox?.maximumRenewals == 12)
        #expect(billing.sandbox?.renewalsFail == true)
    }

    @Test(arguments: [
        "billing: {sandbox: {timeRate: fast}}", "billing: {production: {gracePeriodDays: 7}}",
        "billing: {production: {gracePeriodScope: SOME}}", "billing: {staging: {}}",
        "billing: {sandbox: {timeRate: real, maximumRenewals: 3}}", "billing: {sandbox: {maximumRenewals: -1}}",
    ])
    func `an invalid billing setting is an error with its place`(text: String) {
        #expect(throws: CatalogFileError.self) { try app(text) }
    }

    @Test func `the catalog's billing settings override the StoreKit file's`() throws {
        let storeKit = #"{"settings": {"_timeRate": 10, "_billingGracePeriodEnabled": true}}"#
        let file = try StoreKitFile(parsing: Array(storeKit.utf8))
        let (alone, warnings) = try CatalogImport.app(
            from: file, path: "a.storekit", bundleID: App.BundleID(rawValue: "com.example.app"), name: "App")
        #expect(warnings.isEmpty)
        #expect(
            alone.billing
                == AppBilling(
                    sandbox: BillingSettings(
                        timeRate: .rate(.monthlyRenewalEveryHour), maximumRenewals: 0, gracePeriodDays: 16)))
    }

    @Test func `a test session's billing issues decline renewals`() throws {
        for key in ["_billingIssuesEnabled", "_renewalBillingIssuesEnabled"] {
            let file = try StoreKitFile(parsing: Array(#"{"settings": {"\#(key)": true}}"#.utf8))
            let (app, _) = try CatalogImport.app(
                from: file, path: "a.storekit", bundleID: App.BundleID(rawValue: "com.example.app"), name: "App")
            #expect(app.billing?.sandbox?.renewalsFail == true)
        }
    }
}
