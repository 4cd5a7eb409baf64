import Foundation
import Testing

@testable import Perennial

/// The stored form of a product's listing.
struct ProductListingTests {
    private func coded(_ listing: ProductListing) throws -> (text: String, listing: ProductListing) {
        let data = try JSONEncoder().encode(listing)
        return (String(decoding: data, as: UTF8.self), try JSONDecoder().decode(ProductListing.self, from: data))
    }

    @Test func `an empty listing takes no space`() throws {
        #expect(try coded(ProductListing()) == ("{}", ProductListing()))
    }

    @Test func `a full listing is read back`() throws {
        var listing = ProductListing()
        listing.reviewNote = "Level 2"
        listing.taxCategory = "Games"
        listing.rejectionReason = "No"
        listing.versions = [
            MetadataVersion(
                number: 1, id: DerivedUUID.make("a"), state: .prepareForSubmission,
                localizations: [ListingLocalization(id: DerivedUUID.make("b"), locale: "en-US", name: "Coins")])
        ]
        listing.screenshot = ListingAsset(id: DerivedUUID.make("c"), fileName: "a.png", size: 3, token: "t")
        listing.images = [ListingAsset(id: DerivedUUID.make("d"), fileName: "b.png", size: 3, token: "u")]
        listing.promotion = Promotion(id: DerivedUUID.make("e"), isVisibleForAllUsers: true, position: 0)
        listing.availabilityWasSet = true
        listing.prices = PriceListing(monthly: PriceList(base: Money(milliunits: 990, .usd)))
        #expect(try coded(listing).listing == listing)
    }

    @Test func `derived IDs are UUIDs that follow from their text`() {
        let first = DerivedUUID.make("group magazine version 1")
        #expect(first == DerivedUUID.make("group magazine version 1"))
        #expect(UUID(uuidString: first) != nil)
        #expect(first.dropFirst(14).first == "8")
        #expect(Set((0..<10_000).map { DerivedUUID.make("product \($0)") }).count == 10_000)
    }

    @Test func `an availability has one stored form`() throws {
        let codes = ["USA", "DEU", "JPN", "FRA"]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let texts = try [codes, codes.reversed()].map { codes in
            try encoder.encode(
                Availability(storefronts: Set(codes.map(Storefront.init(rawValue:))), includesNew: false))
        }
        #expect(texts[0] == texts[1])
        #expect(try JSONDecoder().decode(Availability.self, from: texts[0]).storefronts.count == 4)
    }
}
