import Perennial
import Testing

/// Uploads of screenshots and images (docs/reference/seller-operations.md, "Screenshots and images").
struct AssetUploadTests {
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 4, 0, 0, 0, 3, 0, 8, 6, 0, 0, 0]
    /// A JPEG with an APP0 segment before its frame header.
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 11, 8, 0, 100, 0, 200, 1, 0, 0x11, 0]

    private func asset(size: Int64 = 100) -> ListingAsset {
        ListingAsset(id: "a", fileName: "screen.png", size: size, token: "t")
    }

    @Test func `PNG and JPEG headers have the size`() {
        let png = ImageHeader(Self.png)
        #expect(png?.format == .png && png?.width == 1024 && png?.height == 768)
        let jpeg = ImageHeader(Self.jpeg)
        #expect(jpeg?.format == .jpeg && jpeg?.width == 200 && jpeg?.height == 100)
        #expect(ImageHeader(Array("GIF89a".utf8)) == nil)
        for length in 0..<Self.jpeg.count { _ = ImageHeader(Array(Self.jpeg.prefix(length))) }
        #expect(ImageHeader(Array(Self.png.prefix(23))) == nil)
    }

    @Test func `a large file is uploaded in parts without a gap`() {
        let parts = asset(size: 2 * ListingAsset.partSize + 1).parts
        #expect(parts.map(\.length) == [ListingAsset.partSize, ListingAsset.partSize, 1])
        #expect(parts.map(\.offset) == [0, ListingAsset.partSize, 2 * ListingAsset.partSize])
    }

    @Test(arguments: [
        (UploadedAsset(size: 100, md5: "aa", header: ImageHeader(png)), "AA" as String?, ListingAsset.State.complete),
        (UploadedAsset(size: 100, md5: "aa", header: ImageHeader(png)), nil, .complete),
        (UploadedAsset(size: 99, md5: "aa", header: ImageHeader(png)), "aa", .failed),
        (UploadedAsset(size: 100, md5: "aa", header: ImageHeader(png)), "bb", .failed),
        (UploadedAsset(size: 100, md5: "aa", header: nil), "aa", .failed),
    ])
    func `a file that differs from its announcement fails`(
        _ uploaded: UploadedAsset, _ checksum: String?, _ state: ListingAsset.State
    ) throws {
        var asset = asset()
        try asset.commit(uploaded, checksum: checksum)
        #expect(asset.state == state)
        #expect((asset.error == nil) == (state == .complete))
        #expect(throws: CatalogEditError.self) { try asset.commit(uploaded, checksum: checksum) }
    }

    @Test func `a product has one screenshot at a time`() throws {
        var product = OfferSamples.subscription()
        try product.addScreenshot(asset())
        #expect(throws: CatalogEditError.self) { try product.addScreenshot(asset()) }
        try product.removeAsset("a")
        try product.addScreenshot(asset())
        product.product.state = .waitingForReview
        #expect(throws: CatalogEditError.self) { try product.removeAsset("a") }
    }

    @Test(arguments: [("a.gif", Int64(1)), ("a.png", 0), ("a.png", .max), ("", 5), ("a/b.png", 5)])
    func `other names and sizes are refused`(_ name: String, _ size: Int64) {
        #expect(throws: CatalogEditError.self) { try ListingAsset.check(fileName: name, size: size) }
    }
}
