import Testing

@testable import Perennial

/// The seller's settings of an app.
struct AppListingTests {
    private static let app = App(bundleID: App.BundleID(rawValue: "com.example.a"), appleID: 1, name: "A")

    @Test func `an opt-in needs a length, which is kept for the next one`() throws {
        var app = Self.app
        #expect(refusal { try app.setGracePeriod(optIn: true) }?.place == .attribute("duration"))
        try app.setGracePeriod(optIn: false)
        #expect(app == Self.app)
        try app.setGracePeriod(optIn: true, length: .sixteenDays, scope: .paidToPaidOnly)
        #expect(app.billing?.production?.policy.grace == BillingPolicy.Grace(.sixteenDays, scope: .paidToPaidOnly))
        #expect(app.billing?.sandbox?.policy.grace == nil)
        try app.setGracePeriod(optIn: false)
        #expect(app.billing?.production?.policy.grace == nil && !app.gracePeriod.isOn)
        try app.setGracePeriod(sandboxOptIn: true)
        #expect(app.billing?.sandbox?.policy.grace == BillingPolicy.Grace(.sixteenDays, scope: .paidToPaidOnly))
    }

    @Test func `an opt-in keeps the app's other settings of billing`() throws {
        var app = Self.app
        app.billing = AppBilling(production: BillingSettings(renewalsFail: true))
        try app.setGracePeriod(optIn: true, length: .threeDays)
        #expect(app.billing?.production?.renewalsFail == true && app.billing?.production?.gracePeriodDays == 3)
    }

    @Test func `the primary locale is one of App Store Connect's`() throws {
        var app = Self.app
        try app.setPrimaryLocale("en-US")
        #expect(app == Self.app)
        try app.setPrimaryLocale("zh-Hans")
        #expect(app.defaultLocale == "zh_Hans")
        #expect(refusal { try app.setPrimaryLocale("xx") }?.place == .attribute("primaryLocale"))
    }

    @Test func `an app is downloaded only where it is offered`() throws {
        var app = Self.app
        try app.setAvailability([.usa], includesNew: true)
        #expect(app.isAvailable(in: .usa) && !app.isAvailable(in: Storefront(rawValue: "DEU")))
        #expect(app.availability.storefronts == [.usa] && app.availability.includesNew)
        try app.setAvailability(Storefront.all.map(\.storefront), includesNew: true)
        #expect(app.availability == nil)
        #expect(refusal { try app.setAvailability([Storefront(rawValue: "XYZ")], includesNew: true) } != nil)
        #expect(refusal { try app.setAccessibilityURL("nowhere") }?.place == .attribute("accessibilityUrl"))
        try app.setAccessibilityURL("https://example.com")
        try app.setAccessibilityURL(nil)
        #expect(app.listing == nil)
    }
}
