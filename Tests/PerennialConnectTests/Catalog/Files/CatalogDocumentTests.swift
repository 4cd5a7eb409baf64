import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import Testing

/// A catalog written as YAML and read again is the same catalog.
struct CatalogDocumentTests {
    private func expectRoundTrip(_ catalog: Catalog, _ name: String) throws {
        let document = try catalog.document()
        let read = try Catalog(document: document.utf8, name: name)
        #expect(read.apps.map(\.bundleID) == catalog.apps.map(\.bundleID))
        for (one, other) in zip(read.apps, catalog.apps) {
            var expected = other
            expected.saleTerms = catalog.saleTerms[other.bundleID] ?? other.saleTerms
            var found = one
            found.saleTerms = read.saleTerms[one.bundleID] ?? one.saleTerms
            #expect(found.products.count == expected.products.count)
            for (product, before) in zip(found.products, expected.products) {
                #expect(product == before, "\(name): \(before.id)\n\(document)")
            }
            (found.products, expected.products) = ([], [])
            #expect(found == expected, "\(name)\n\(document)")
        }
        #expect(read.listings == catalog.listings, "\(name)\n\(document)")
        #expect(read.sharedSecrets == catalog.sharedSecrets)
        #expect(read.notifications.keys == catalog.notifications.keys)
        #expect(try read.document() == document)
    }

    @Test(arguments: CatalogFixture.realFiles)
    func `a real StoreKit file becomes the same catalog through YAML`(name: String) throws {
        let path = CatalogFixture.storeKitFiles.appending(path: "\(name).storekit").path
        try expectRoundTrip(try CatalogLoader.load(storekit: [path], catalog: []), name)
    }

    @Test func `the example and the documented catalog are the same after a round trip`() throws {
        let example = CatalogFixture.example.appending(path: "catalog.yaml").path
        try expectRoundTrip(try CatalogLoader.load(storekit: [], catalog: [example]), "example")
        let page = CatalogFixture.repository.appending(path: "docs/reference/catalog.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for block in text.matches(of: /```yaml\n(.*?)```/.dotMatchesNewlines()) {
            try expectRoundTrip(try CatalogFixture.loaded(yaml: String(block.1)), "page")
        }
    }

    @Test(arguments: 1...60)
    func `a random catalog is the same after a round trip`(seed: Int) throws {
        var random = RandomCatalog(seed: UInt64(seed))
        try expectRoundTrip(random.catalog(), "seed \(seed)")
    }

    @Test func `every stored property of the catalog's values has a place in YAML`() throws {
        var random = RandomCatalog(seed: 3)
        let product = random.product(0)
        #expect(
            labels(product) == [
                "id", "appleID", "type", "referenceName", "isFamilyShareable", "state", "isClearedForSale",
                "localizations", "ownPrices", "basePrice", "subscription", "oneTimeOffers", "lacksPrice", "laterPrices",
                "availability", "equalized", "baseStorefront", "ownPricesOnly",
            ])
        #expect(
            labels(Product.Subscription(groupID: "a", level: 1, period: .month)) == [
                "groupID", "level", "period", "lacksPeriod", "introductoryOffer", "introductoryOffersWithLimits",
                "promotionalOffers", "codeOffers", "winBackOffers",
            ])
        #expect(
            labels(Offer(id: nil, paymentMode: .freeTrial, period: .month, basePrice: .zero(.usd))) == [
                "id", "referenceName", "paymentMode", "period", "periodCount", "basePrice", "prices", "eligibility",
                "isStackable", "winBackRules", "availability",
            ])
        #expect(
            labels(App(bundleID: App.BundleID(rawValue: "a"), appleID: 1, name: "a")) == [
                "bundleID", "appleID", "name", "version", "isNewsstand", "defaultStorefront", "defaultLocale",
                "nonRenewing", "saleTerms", "billing", "price", "products", "formerProducts", "reporting",
                "availability", "listing",
            ])
        #expect(
            labels(ScheduledPrice(at: Instant(milliseconds: 0), .zero(.usd))) == [
                "at", "price", "storefront", "needsConsent", "preserved",
            ])
    }

    private func labels(_ value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }

    @Test func `a catalog that names a StoreKit file or no app is refused`() {
        #expect(throws: CatalogError.self) {
            try Catalog(document: "bundleId: a.b\nstorekit: x.storekit".utf8, name: "x")
        }
        #expect(throws: CatalogError.self) { try Catalog(document: "name: A".utf8, name: "x") }
        #expect(throws: CatalogError.self) {
            try Catalog(document: "apps: [{bundleId: a}, {bundleId: a}]".utf8, name: "x")
        }
        #expect(throws: CatalogError.self) {
            try Catalog(
                document: "bundleId: a\nproducts: [{id: a, type: consumable, listing: {versions: 3}}]".utf8, name: "x")
        }
    }
}
