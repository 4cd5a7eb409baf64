import Perennial
import Testing

/// Versions of uploaded content (docs/reference/seller-operations.md, "Uploaded content").
struct ContentListingTests {
    private func version(_ name: String, file: String = "pack.zip") -> ContentListing.Version {
        ContentListing.Version(version: name, fileName: file, size: 5, sha256: "00")
    }

    @Test func `customers get the last version of a content`() throws {
        var product = OfferSamples.consumable()
        let app = App.BundleID(rawValue: "com.example.photos")
        #expect(product.uploadedContent(of: app) == nil)
        try product.addContent(version("1.0"))
        try product.addContent(version("1.1"))
        let content = product.uploadedContent(of: app)
        #expect(content?.version == "1.1")
        #expect(content?.unlockedBy == [product.id])
        #expect(content?.file == "uploads/com.example.photos/coins/1.1/pack.zip")
    }

    @Test func `a version is never replaced`() throws {
        var product = OfferSamples.consumable()
        try product.addContent(version("1.0"))
        #expect(throws: CatalogEditError.self) { try product.addContent(version("1.0", file: "other.zip")) }
    }

    @Test(arguments: [("..", "a"), ("1.0", "../a"), ("1/0", "a"), ("", "a"), ("1.0", ""), ("1.0", ".a")])
    func `names can't lead out of the folder`(_ name: String, _ file: String) {
        var product = OfferSamples.consumable()
        #expect(throws: CatalogEditError.self) { try product.addContent(version(name, file: file)) }
    }
}
