import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import Testing

struct CatalogImportTests {
    /// Run once with RECORD_GOLDEN=1 to write the texts anew, then read the difference.
    @Test(arguments: CatalogFixture.realFiles)
    func `a real file becomes exactly these products and warnings`(name: String) throws {
        let (app, warnings) = try CatalogImport.app(
            from: CatalogFixture.storeKitFile(name), path: "\(name).storekit",
            bundleID: App.BundleID(rawValue: "com.example.fixture"), name: name)
        var text = "app \(app.appleID), storefront \(app.defaultStorefront), locale \(app.defaultLocale)\n\n"
        text += app.products.map { "\($0.line)\n" }.joined() + "\n"
        text += warnings.map { warning in
            "\(warning.code.rawValue): \(warning)".replacing("\(name).storekit: ", with: "") + "\n"
        }.joined()
        let golden = CatalogFixture.storeKitFiles.appending(path: "\(name).imported.txt")
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" { try Data(text.utf8).write(to: golden) }
        #expect(try text == String(contentsOf: golden, encoding: .utf8))
    }

    @Test(arguments: [
        (
            #"{"settings": {"_askToBuyEnabled": true}}"#,
            "settings._askToBuyEnabled: asking to buy belongs to a purchase here"
        ),
        (#"{"settings": {"_timeRate": 14}}"#, "settings._timeRate: 14 is no rate of a test session"),
        (#"{"settings": {"_compatibilityTimeRate": {"3": 5}}}"#, "settings._compatibilityTimeRate: a rate for older"),
        (
            #"{"settings": {"_storefront": "ZZZ"}}"#,
            "settings._storefront: 'ZZZ' is no storefront of the App Store: USA is assumed"
        ),
        (
            #"{"settings": {"_storeKitErrors": [{"enabled": true, "name": "Purchase"}]}}"#,
            "settings._storeKitErrors[0]: failing 'Purchase'"
        ),
        (#"{"settings": {"_new": 1}}"#, "settings._new: not understood: kept in the file, not applied"),
        (#"{"appPolicies": {"eula": "Be kind."}}"#, "appPolicies.eula: this store shows no licence agreement"),
        (
            #"{"subscriptionOffersKeyPair": {"id": "A", "privateKey": "B"}}"#,
            "subscriptionOffersKeyPair: the key pair for offers is left in the file"
        ),
        (#"{"version": {"major": 7, "minor": 0}}"#, "version: 7.0 is newer than 5.0"),
    ])
    func `a setting that is not applied gives a warning`(json: String, warning: String) throws {
        let warnings = try CatalogFixture.imported(json).warnings
        #expect(warnings.count == 1)
        #expect("\(warnings[0])".hasPrefix("a.storekit: \(warning)"), "found: \(warnings[0])")
    }

    @Test func `a hand-written file may omit the type that its array implies`() throws {
        let (app, warnings) = try CatalogFixture.imported(
            """
            {"products": [{"productID": "coins", "type": "Consumable", "displayPrice": "0.99"}],
             "nonRenewingSubscriptions": [
               {"productID": "p.1week", "type": "NonRenewingSubscription", "displayPrice": "1.99"},
               {"productID": "p.1year", "displayPrice": "9.99"}],
             "subscriptionGroups": [{"name": "G", "subscriptions": [
               {"productID": "monthly", "type": null, "recurringSubscriptionPeriod": "P1M", "displayPrice": "2.99"}]}]}
            """)
        #expect(app.products.map(\.type) == [.consumable, .nonRenewing, .nonRenewing, .autoRenewable])
        #expect(app.products.allSatisfy { $0.isClearedForSale })
        let assumed = warnings.filter { $0.code == .typeAssumed }.map(\.description)
        #expect(
            assumed == [
                "a.storekit: nonRenewingSubscriptions[1].type: is missing: NonRenewingSubscription is assumed",
                "a.storekit: subscriptionGroups[0].subscriptions[0].type: is missing: RecurringSubscription is assumed",
            ])
    }

    private static func subscription(_ members: String) -> String {
        """
        {"subscriptionGroups": [{"id": "G", "name": "Main", "subscriptions": [{
          "productID": "monthly", "type": "RecurringSubscription", "recurringSubscriptionPeriod": "P1M",
          "displayPrice": "4.99", "referenceName": "Monthly", "localizations": [{"locale": "en", "displayName": "M"}],
          \(members)}]}]}
        """
    }

    @Test(arguments: [
        (#""groupNumber": 2"#, []),
        (#""groupNumber": 0"#, ["groupNumber: 0 is no level of service: 1, the highest, is assumed"]),
        (#""internalID": "x""#, ["groupNumber: no level of service: 1, the highest, is assumed"]),
        (
            #""groupNumber": 1, "subscriptionGroupID": "H""#,
            ["subscriptionGroupID: is 'H' inside of group 'G': the group's ID applies"]
        ),
        (
            #""groupNumber": 1, "promotionalImageID": "I""#,
            ["promotionalImageID: this store shows no promotional images: kept, not applied"]
        ),
        (
            #""groupNumber": 1, "billingPlans": [{"billingPlanType": "MONTHLY", "isEnabled": true}, {"billingPlanType": "MONTHLY", "isEnabled": false}]"#,
            ["billingPlans[0]: this store sells no plans with a commitment ('MONTHLY'): kept in the file, not applied"]
        ),
        (
            #""groupNumber": 1, "adHocOffers": [{"offerID": "o", "paymentMode": "barter", "subscriptionPeriod": "P1M"}]"#,
            ["adHocOffers[0]: promotional offer with the unknown payment mode 'barter': kept in the file, not applied"]
        ),
        (
            #""groupNumber": 1, "adHocOffers": [{"offerID": "o", "paymentMode": "payUpFront", "subscriptionPeriod": "P1M"}]"#,
            ["adHocOffers[0]: promotional offer with no price: kept in the file, not applied"]
        ),
        (
            #""groupNumber": 1, "codeOffers": [{"referenceName": "c", "paymentMode": "free", "subscriptionPeriod": "P1M", "eligibility": ["new", "friends"]}]"#,
            ["codeOffers[0].eligibility[1]: the unknown eligibility 'friends': kept in the file, not applied"]
        ),
        (
            #""groupNumber": 1, "winbackOffers": [{"offerID": "w", "paymentMode": "free", "subscriptionPeriod": "P1M", "isEligible": false}]"#,
            ["winbackOffers[0].isEligible: the store itself decides who is eligible: kept, not applied"]
        ),
    ])
    func `a subscription's unsupported fields give warnings`(members: String, expected: [String]) throws {
        let warnings = try CatalogFixture.imported(Self.subscription(members)).warnings
        #expect(
            warnings.map(\.description) == expected.map { "a.storekit: subscriptionGroups[0].subscriptions[0].\($0)" })
    }

    @Test func `the plural form of introductory offers precedes the singular`() throws {
        let members = """
            "groupNumber": 1,
            "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P3D"},
            "introductoryOffers": [{"paymentMode": "payUpFront", "subscriptionPeriod": "P2M", "displayPrice": "1.99"},
              {"paymentMode": "free", "subscriptionPeriod": "P1W", "billingPlanType": "MONTHLY"}]
            """
        let (app, warnings) = try CatalogFixture.imported(Self.subscription(members))
        #expect(app.products[0].subscription?.introductoryOffer?.period == Period(2, .month))
        #expect(warnings.map(\.code) == [.offersDiffer, .offerNotApplied])
        let singular =
            #""groupNumber": 1, "introductoryOffers": [], "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P3D"}"#
        let folded = try CatalogFixture.imported(Self.subscription(singular)).app.products[0].subscription?
            .introductoryOffer
        #expect(folded?.paymentMode == .freeTrial)
        #expect(folded?.period == Period(3, .day))
        #expect(folded?.periodCount == 1)
    }

    @Test func `currency and locale come from the storefront`() throws {
        let json = #"""
            {"settings": {"_storefront": "JPN"}, "products": [
              {"productID": "a", "type": "Consumable", "displayPrice": "160", "localizations": [{"locale": "ja", "displayName": "あ"}]}]}
            """#
        let (app, warnings) = try CatalogFixture.imported(json)
        #expect(app.products[0].basePrice == Money(milliunits: 160_000, .jpy))
        #expect(app.defaultLocale == "ja_JP")
        #expect(app.defaultStorefront.rawValue == "JPN")
        #expect(warnings.isEmpty)
    }

    @Test func `Apple's IDs are kept, missing ones are stable and distinct`() throws {
        let synced = try CatalogImport.app(
            from: CatalogFixture.storeKitFile(CatalogFixture.realFiles[2]), path: "", bundleID: .init(rawValue: "a"),
            name: "")
        #expect(synced.app.appleID == 1_552_944_963)
        #expect(synced.app.products[0].appleID == 1_552_945_704)
        let local = try CatalogImport.app(
            from: CatalogFixture.storeKitFile(CatalogFixture.realFiles[3]), path: "", bundleID: .init(rawValue: "a"),
            name: "")
        #expect(Set(local.app.products.map(\.appleID)).count == local.app.products.count)
        #expect(local.app.products.allSatisfy { (1_000_000_000..<10_000_000_000).contains($0.appleID) })
        #expect(local.app.products[0].appleID == 5_280_196_102)
    }
}
