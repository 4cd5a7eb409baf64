import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Configuration files that can't be used")
struct BadConfigurationTests {
    private func error(of url: URL) -> SKTestError? {
        #expect(throws: SKTestError.self) { try SKTestSession(contentsOf: url) }
    }

    @Test("A file that isn't there")
    func missing() throws {
        let place = try TemporaryFolder()
        let error = error(of: place.url.appendingPathComponent("None.storekit"))
        #expect(error?.code == .fileNotFound)
        #expect(error?.localizedDescription.contains("None.storekit") == true)
        let named = #expect(throws: SKTestError.self) { try SKTestSession(configurationFileNamed: "None") }
        #expect(named?.code == .fileNotFound)
    }

    @Test("A folder, and a URL of the network")
    func notAFile() throws {
        let place = try TemporaryFolder()
        #expect(error(of: place.url)?.code == .invalidURL)
        #expect(error(of: URL(string: "https://example.com/Shop.storekit")!)?.code == .invalidURL)
    }

    @Test("Text that isn't JSON: file, line and column")
    func notJSON() throws {
        let place = try TemporaryFolder()
        let error = error(of: try place.write("{\n  \"version\" : }\n", to: "Broken.storekit"))
        #expect(error?.code == .invalidURL)
        #expect(error?.localizedDescription.contains("Broken.storekit:2:") == true)
    }

    @Test("Offers may share an ID: all are listed, and the first one is sold")
    func repeatedOfferIDs() async throws {
        let place = try TemporaryFolder()
        let text = try String(contentsOf: Fixtures.magazine, encoding: .utf8)
        func offer(_ id: String, _ mode: String, _ price: String) -> String {
            """
            {
              "displayPrice" : "\(price)", "internalID" : "\(id)", "numberOfPeriods" : 1, "offerID" : "return",
              "paymentMode" : "\(mode)", "referenceName" : "Return", "subscriptionPeriod" : "P1M"
            }
            """
        }
        let start = try #require(text.range(of: #""adHocOffers" : ["#))
        let offers = "\(offer("A1", "payUpFront", "2.99")), \(offer("A2", "payAsYouGo", "0.99"))"
        let file = try place.write(
            text.replacingCharacters(in: start, with: "\(text[start]) \(offers)"), to: "Repeated.storekit")
        let session = try SKTestSession(contentsOf: file)
        session.disableDialogs = true
        try await session.withSession {
            let product = try #require(try await Product.products(for: [Fixtures.yearly]).first)
            let listed = try #require(product.subscription?.promotionalOffers)
            #expect(listed.map(\.id) == ["return", "return"])
            #expect(listed.map(\.paymentMode) == [.payUpFront, .payAsYouGo])
            _ = try await session.buyProduct(identifier: Fixtures.yearly)
            try session.expireSubscription(productIdentifier: Fixtures.yearly)
            let bought = try await session.buyProduct(
                identifier: Fixtures.yearly, options: [.promotionalOffer(id: "return")])
            #expect(bought.offer?.paymentMode == .payUpFront)
        }
    }

    @Test("A price that is none: file and path")
    func badValue() throws {
        let place = try TemporaryFolder()
        let file = try place.write(configuration(product: "thing", price: "cheap"), to: "Price.storekit")
        let error = error(of: file)
        #expect(error?.code == .invalidURL)
        #expect(error?.localizedDescription.contains("Price.storekit") == true)
        #expect(error?.localizedDescription.contains("products[0].displayPrice") == true)
    }

    @Test("Settings of the file are those of the session, also after a reset")
    func settings() throws {
        let place = try TemporaryFolder()
        let settings = """
            {"_storefront" : "DEU", "_locale" : "de_DE", "_timeRate" : 13, "_askToBuyEnabled" : true, "_disableDialogs" : true,
             "_billingGracePeriodEnabled" : true, "_renewalBillingIssuesEnabled" : true}
            """
        let file = try place.write(configuration(product: "thing", settings: settings), to: "Settings.storekit")
        let session = try SKTestSession(contentsOf: file)
        func check() {
            #expect(session.storefront == "DEU")
            #expect(session.locale.identifier == "de_DE")
            #expect(session.timeRate == .monthlyRenewalEveryFiveMinutes)
            #expect(session.askToBuyEnabled)
            #expect(session.disableDialogs)
            #expect(session.billingGracePeriodIsEnabled)
            #expect(session.shouldEnterBillingRetryOnRenewal)
        }
        check()
        session.storefront = "USA"
        session.locale = Locale(identifier: "en_US")
        session.timeRate = .realTime
        session.askToBuyEnabled = false
        session.disableDialogs = false
        session.billingGracePeriodIsEnabled = false
        session.shouldEnterBillingRetryOnRenewal = false
        #expect(session.storefront == "USA")
        session.resetToDefaultState()
        check()
    }

    @Test("Defaults are Apple's")
    func defaults() throws {
        let place = try TemporaryFolder()
        let session = try SKTestSession(contentsOf: try place.write(configuration(product: "thing"), to: "A.storekit"))
        #expect(session.storefront == "USA")
        #expect(session.locale.identifier == "en_US")
        #expect(session.timeRate == .realTime)
        #expect(!session.askToBuyEnabled)
        #expect(!session.disableDialogs)
        #expect(!session.interruptedPurchasesEnabled)
        #expect(!session.billingGracePeriodIsEnabled)
        #expect(!session.shouldEnterBillingRetryOnRenewal)
        #expect(session.allTransactions().isEmpty)
    }
}
