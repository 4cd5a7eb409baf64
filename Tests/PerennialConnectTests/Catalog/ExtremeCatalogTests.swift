import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Extreme values for every number, date and duration in a seller's files: the file is refused with its line, or its
/// products can be sold.
struct ExtremeCatalogTests {
    private static let yaml = """
        bundleId: com.example.shop
        appleId: 1600000009
        name: Shop
        version: 1.10
        commissionBasisPoints: 1500
        taxBasisPoints: 1900
        taxes: {DEU: 700, USA: {basisPoints: 825, included: false}}
        nonRenewing: {overlap: extend, terms: {pass: P3M}}
        notifications:
          production: {url: "https://example.com/hook", version: 1, retries: none, timeoutMilliseconds: 2500}
        billing: {maximumRenewals: 3, gracePeriodDays: 16}
        products:
          - id: coins
            appleId: 1600000010
            type: consumable
            price: 0.10
            prices: {USA: 0.99, DEU: 1.09 EUR, JPN: 160}
            schedule: [{at: 2026-06-01, price: 0.20}, {at: 2026-01-01, price: 1.19, storefront: DEU}]
          - {id: pass, type: non-renewing, price: 9.99}
          - id: monthly
            type: auto-renewable
            price: 4.99 USD
            subscription:
              group: main
              level: 2
              period: P1M
              introductoryOffer: {paymentMode: freeTrial, period: P1W}
              promotionalOffers:
                - {id: half, paymentMode: payAsYouGo, period: P1M, periods: 3, price: 2.49, prices: {DEU: 2.99}}
              winBackOffers:
                - {id: return, paymentMode: freeTrial, period: P1M, eligible: {monthsPaid: 3, monthsSinceEndAtMost: 12}}
        contents:
          - {id: issue-1, file: issues/1.txt, published: 2026-01-01, products: [coins]}
        """

    /// Forms of YAML that JSON doesn't have.
    private static let words = [
        ".inf", "-.inf", ".nan", "0x7fffffffffffffff", "0o777", "1_000", "+1", "9999-12-31", "1e3",
    ]

    /// The places of numbers, dates and durations in a text.
    private static func places(_ text: String) -> [Range<String.Index>] {
        text.matches(of: /[ "](-?\d[\d.\-]*|P\d+[DWMY])(?=["\s,}]|$)/).map {
            $0.output.1.startIndex..<$0.output.1.endIndex
        }
    }

    /// Sells one product of each type in a catalog to a new customer.
    private static func sell(_ catalog: Catalog, in shop: TestStore) async throws {
        let account = "customer \(try await shop.count("accounts"))"
        for app in catalog.apps {
            do {
                try await Apps(
                    database: shop.database, wallClock: { TestStore.opening }, randomBytes: SeededBytes(seed: 1).bytes
                ).register(
                    app, sharedSecret: nil)
            } catch is CatalogError {
                return
            }
            var types: Set<ProductType> = []
            for product in app.products where types.insert(product.type).inserted {
                do {
                    let sold = try await shop.store.purchases.buy(
                        PurchaseRequest(productID: product.id, quantity: product.type == .consumable ? 10 : 1),
                        by: try await shop.store.accounts.customer(account: account, bundleID: app.bundleID))
                    try await shop.refund(sold)
                } catch is PurchaseRefusal {
                } catch is RefundError {}
            }
            _ = try await shop.store.receipts.appReceipt(
                for: try await shop.store.accounts.customer(account: account, bundleID: app.bundleID))
        }
    }

    private func check(_ text: String, words: String, _ load: (String) throws -> Catalog, _ shop: TestStore)
        async throws
    {
        do {
            try await Self.sell(try load(text), in: shop)
        } catch let error as StorageError {
            Issue.record("\(words): \(error)")
        } catch {
            // Refused: with what is wrong and where.
            #expect(!"\(error)".isEmpty)
        }
    }

    @Test func `a YAML catalog's extreme numbers are refused or sold`() async throws {
        let shop = try await TestStore.make()
        try await check(Self.yaml, words: "as it is", { try CatalogFixture.loaded(yaml: $0) }, shop)
        let places = Self.places(Self.yaml)
        #expect(places.count > 20)
        for place in places {
            let isNumber = Double(Self.yaml[place]) != nil
            for value in isNumber ? ExtremeValues.numbers + Self.words : ExtremeValues.texts {
                let text = Self.yaml.replacingCharacters(in: place, with: value.isEmpty ? "\"\"" : value)
                let words = "\(Self.yaml[place]) → \(value)"
                try await check(text, words: words, { try CatalogFixture.loaded(yaml: $0) }, shop)
            }
        }
    }

    @Test(arguments: ["apphud-ApphudSDK-Configuration", "RevenueCat-purchases-ios-UnitTestsConfiguration"])
    func `a StoreKit file's extreme numbers are refused or sold`(name: String) async throws {
        let shop = try await TestStore.make()
        let data = try Data(contentsOf: CatalogFixture.storeKitFiles.appending(path: "\(name).storekit"))
        let json = try JSONValue(data)
        // Each kind of field once.
        var seen: Set<JSONValue.Path> = []
        for (path, value) in json.leaves where seen.insert(path.filter { Int($0) == nil }).inserted {
            let values: [String]
            switch value {
            case .number: values = ExtremeValues.numbers
            case .string(let text) where text.contains(/^(-?\d|P\d)/):
                values = try ExtremeValues.texts.map { try JSONValue.string($0).text() }
            default: continue
            }
            for raw in values {
                try await check(
                    try json.text(replacing: path, by: raw), words: "\(path.joined(separator: ".")): \(raw)",
                    { try CatalogFixture.loaded(storekit: $0) }, shop)
            }
        }
        #expect(seen.count > 10)
    }
}
