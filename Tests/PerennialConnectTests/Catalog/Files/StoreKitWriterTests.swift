import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import Testing

/// `.storekit` files from the catalog.
struct StoreKitWriterTests {
    @Test(arguments: CatalogFixture.realFiles)
    func `a real file written again says the same and keeps its other keys`(name: String) throws {
        let path = CatalogFixture.storeKitFiles.appending(path: "\(name).storekit").path
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let catalog = try CatalogLoader.load(storekit: [path], catalog: [])
        let bundleID = catalog.apps[0].bundleID
        let (text, losses) = try catalog.storeKitFile(of: bundleID, updating: bytes, path: path)
        #expect(losses.map(\.description) == [])
        let before = try StoreKitFile(parsing: bytes)
        let after = try StoreKitFile(parsing: text.utf8)
        #expect(after.warnings.filter { $0.code == .unknownKey } == before.warnings.filter { $0.code == .unknownKey })
        #expect(after.appPolicies == before.appPolicies)
        #expect(after.identifier == before.identifier || before.identifier == nil)
        let (fresh, freshLosses) = try catalog.storeKitFile(of: bundleID, path: path)
        #expect(freshLosses.map(\.description) == [])
        #expect(fresh.hasPrefix("{\n"))
    }

    @Test func `what a StoreKit file can't say is listed`() throws {
        let catalog = try CatalogFixture.loaded(
            yaml: """
                bundleId: com.example.a
                newsstand: true
                products:
                  - {id: coins, type: consumable, price: 0.99, prices: {DEU: 1.09}, state: rejected}
                  - {id: letter, type: free}
                """)
        let (text, losses) = try catalog.storeKitFile(of: catalog.apps[0].bundleID, path: "a.storekit")
        let lines = losses.map(\.description)
        #expect(
            lines.contains("product coins: prices {DEU: 1.09} → default") || lines.contains { $0.contains("prices") })
        #expect(lines.contains("product coins: state rejected → default"))
        #expect(lines.contains("product letter: removed"))
        #expect(lines.contains("app com.example.a: newsstand true → default"))
        #expect(text.contains("\"displayPrice\" : \"0.99\""))
    }
}
