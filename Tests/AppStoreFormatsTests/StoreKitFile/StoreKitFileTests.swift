import AppStoreFormats
import Foundation
import Testing

struct StoreKitFileTests {
    @Test(arguments: StoreKitFixture.allCases)
    func `a real file is written again byte for byte`(fixture: StoreKitFixture) throws {
        let bytes = try fixture.bytes()
        let file = try StoreKitFile(parsing: bytes)
        #expect(file.warnings.isEmpty)
        #expect(Array(file.text.utf8) == bytes)
    }

    @Test(arguments: [
        (StoreKitFixture.flutter1_1, StoreKitFile.Version(1, 1), 3, 0, [4, 1]),
        (.apphud2_0, .init(2, 0), 2, 0, [3]),
        (.tester3_0, .init(3, 0), 2, 1, [2, 2, 2, 3, 1, 3]),
        (.mercato4_0, .init(4, 0), 7, 2, [3, 3, 2, 2]),
        (.units5_0, .init(5, 0), 2, 1, [3, 1]),
    ])
    func `a real file holds its products`(
        fixture: StoreKitFixture, version: StoreKitFile.Version, products: Int, nonRenewing: Int, groups: [Int]
    ) throws {
        let file = try StoreKitFile(parsing: try fixture.bytes())
        #expect(file.version == version)
        #expect(file.products.count == products)
        #expect(file.nonRenewingSubscriptions.count == nonRenewing)
        #expect(file.subscriptionGroups.map(\.subscriptions.count) == groups)
    }

    @Test func `every kind of value is read`() throws {
        let synced = try StoreKitFile(parsing: try StoreKitFixture.tester3_0.bytes())
        #expect(synced.settings?.applicationInternalID == "1552944963")
        #expect(synced.settings?.lastSynchronizedDate == 743_722_291.47019804)
        #expect(synced.settings?.storeKitErrors.count == 9)
        let code = try #require(synced.subscriptionGroups[1].subscriptions[0].codeOffers.first)
        #expect(code.eligibility == ["expired", "new", "existing"])
        #expect(code.isStackable == true)
        let newest = try StoreKitFile(parsing: try StoreKitFixture.units5_0.bytes()).subscriptionGroups[0].subscriptions
        #expect(newest[2].billingPlans.map(\.billingPlanType) == ["BILLED_UPFRONT", "MONTHLY"])
        #expect(newest[0].introductoryOffers.first?.subscriptionPeriod == "P3M")
        #expect(newest[0].promotionalOffers.map(\.displayPrice) == ["40.99", "20.15"])
        #expect(newest[2].introductoryOffer == nil)
    }

    @Test func `compact JSON is written in Xcode's layout`() throws {
        let compact = #"{"version":{"minor":0,"major":4},"_b":[],"_A":{},"Products":null,"products":[],"x":1.50}"#
        let expected = """
            {
              "_A" : {

              },
              "_b" : [

              ],
              "Products" : null,
              "products" : [

              ],
              "version" : {
                "major" : 4,
                "minor" : 0
              },
              "x" : 1.50
            }

            """
        #expect(try StoreKitFile(parsing: compact.utf8).text == expected)
    }

    @Test func `unknown keys are kept and each is named with its path`() throws {
        let text = """
            {"version": {"major": 6, "minor": 1}, "future": [1],
             "settings": {"_shiny": true, "_locale": null},
             "subscriptionGroups": [{"subscriptions": [{"productID": "a", "type": "RecurringSubscription",
               "recurringSubscriptionPeriod": "P1M", "fooBar": {"deep": 1e3},
               "adHocOffers": [{"subscriptionPeriod": "P1W", "colour": "red"}]}]}]}
            """
        let file = try StoreKitFile(parsing: text.utf8)
        #expect(
            file.warnings.map(\.description) == [
                "version: 6.1 is newer than 5.0: read as far as it is understood",
                "future: not understood: kept in the file, not applied",
                "settings._shiny: not understood: kept in the file, not applied",
                "subscriptionGroups[0].subscriptions[0].adHocOffers[0].colour: not understood: kept in the file, not applied",
                "subscriptionGroups[0].subscriptions[0].fooBar: not understood: kept in the file, not applied",
            ])
        #expect(try StoreKitFile(parsing: file.text.utf8).fields == file.fields)
        #expect(file.text.contains(#""deep" : 1e3"#))
    }

    @Test func `text survives with all its characters`() throws {
        let text = #"{"identifier":"a/b \u00e9 \ud83d\ude00 \" \\ \u0001 \n \t"}"#
        let file = try StoreKitFile(parsing: text.utf8)
        #expect(file.identifier == "a/b é 😀 \" \\ \u{01} \n \t")
        #expect(file.text == "{\n  \"identifier\" : \"a/b é 😀 \\\" \\\\ \\u0001 \\n \\t\"\n}\n")
    }

    @Test func `a changed value is written, and nothing else changes`() throws {
        var file = try StoreKitFile(parsing: try StoreKitFixture.mercato4_0.bytes())
        let before = file.text
        file.products[0].displayPrice = "1.29"
        file.subscriptionGroups[0].subscriptions[0].groupNumber = 7
        let changes = zip(before.split(separator: "\n"), file.text.split(separator: "\n")).filter { $0 != $1 }
        #expect(
            changes.map { String($0.1) } == [
                "      \"displayPrice\" : \"1.29\",", "          \"groupNumber\" : 7,",
            ])
    }

    @Test func `a private key is printed nowhere`() throws {
        let secret = "MIGTAgEAMBMGByqGSM49"
        let text =
            #"{"subscriptionOffersKeyPair": {"id": "4F1B", "privateKey": "\#(secret)", "extra": 1}, "products": []}"#
        let file = try StoreKitFile(parsing: text.utf8)
        #expect(file.subscriptionOffersKeyPair?.privateKey == secret)
        #expect(file.text.contains(secret), "the file itself keeps its key")
        var dumped = ""
        dump(file, to: &dumped)
        dump(file.subscriptionOffersKeyPair, to: &dumped)
        let prints: [Any] = [file, file.fields, file.subscriptionOffersKeyPair as Any, file.warnings]
        for print in prints { dumped += "\(print) \(String(reflecting: print))" }
        #expect(!dumped.contains(secret))
        let wrong = #"{"subscriptionOffersKeyPair": {"id": 17171717, "privateKey": ["\#(secret)"]}}"#
        let error = try #require(throws: StoreKitFileError.self) { try StoreKitFile(parsing: wrong.utf8) }
        #expect("\(error)" == "subscriptionOffersKeyPair.id: expected a string, found a number")
    }
}
