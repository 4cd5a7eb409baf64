/// The seller's side of a product: what App Store Connect keeps and selling doesn't need.
///
/// A product imported from a file has an empty one. Empty members aren't stored.
package struct ProductListing: Hashable, Sendable {
    /// The note to App Review.
    package var reviewNote: String?
    package var taxCategory: String?
    /// The reviewer's reason, after a rejection.
    package var rejectionReason: String?
    /// The versions of the reviewable texts, oldest first. Empty means one approved version with the texts of
    /// `product.localizations`.
    package var versions: [MetadataVersion] = []
    /// The screenshot for App Review.
    package var screenshot: ListingAsset?
    /// The promotional images.
    package var images: [ListingAsset] = []
    /// The product's promotion on the App Store.
    package var promotion: Promotion?
    /// True if the seller has set the availability, which App Store Connect requires before submission.
    package var availabilityWasSet = false
    /// The storefronts of the monthly plan of a subscription.
    package var monthlyAvailability: Availability?
    package var offers = OfferListing()
    package var prices: PriceListing?
    package var content: ContentListing?

    package init() {}
}

extension ProductListing {
    /// Checks what a file says: numbers are counted on from it, and paths of files are made of it.
    ///
    /// - Throws: ``CatalogEditError``.
    package func check() throws {
        try ListingLimits.check(taxCategory: taxCategory ?? "")
        try ListingLimits.check(versionNumbers: versions.map(\.number))
        for asset in [screenshot].compactMap(\.self) + images {
            try ListingAsset.check(fileName: asset.fileName, size: asset.size)
        }
        let monthly = prices?.monthly
        let amounts = (monthly.map { [$0.base] + $0.own.values } ?? []) + (monthly?.schedule.map(\.price) ?? [])
        guard amounts.allSatisfy({ (0...PriceList.maximumPrice).contains($0.milliunits) }) else {
            throw CatalogEditError(
                .invalid, at: .attribute("prices"), "A price is 0 to \(PriceList.maximumPrice) thousandths.")
        }
        var names: Set<String> = []
        for version in content?.versions ?? [] {
            guard [version.version, version.fileName].allSatisfy(ProductValidation.isWellFormed) else {
                throw CatalogEditError(
                    .invalid, at: .attribute("content"), "It has \(ProductValidation.identifierRule)")
            }
            guard names.insert(version.version).inserted else {
                throw CatalogEditError(
                    .duplicate, at: .attribute("content"),
                    "The product has a version '\(version.version)' of its content.")
            }
        }
    }
}

extension ProductListing: Codable {
    private enum CodingKeys: String, CodingKey {
        case reviewNote, taxCategory, rejectionReason, versions, screenshot, images, promotion, availabilityWasSet,
            monthlyAvailability
        case offers, prices, content
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        reviewNote = try fields.decodeIfPresent(String.self, forKey: .reviewNote)
        taxCategory = try fields.decodeIfPresent(String.self, forKey: .taxCategory)
        rejectionReason = try fields.decodeIfPresent(String.self, forKey: .rejectionReason)
        versions = try fields.decodeIfPresent([MetadataVersion].self, forKey: .versions) ?? []
        screenshot = try fields.decodeIfPresent(ListingAsset.self, forKey: .screenshot)
        images = try fields.decodeIfPresent([ListingAsset].self, forKey: .images) ?? []
        promotion = try fields.decodeIfPresent(Promotion.self, forKey: .promotion)
        availabilityWasSet = try fields.decodeIfPresent(Bool.self, forKey: .availabilityWasSet) ?? false
        monthlyAvailability = try fields.decodeIfPresent(Availability.self, forKey: .monthlyAvailability)
        offers = try fields.decodeIfPresent(OfferListing.self, forKey: .offers) ?? OfferListing()
        prices = try fields.decodeIfPresent(PriceListing.self, forKey: .prices)
        content = try fields.decodeIfPresent(ContentListing.self, forKey: .content)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(reviewNote, forKey: .reviewNote)
        try fields.encodeIfPresent(taxCategory, forKey: .taxCategory)
        try fields.encodeIfPresent(rejectionReason, forKey: .rejectionReason)
        if !versions.isEmpty { try fields.encode(versions, forKey: .versions) }
        try fields.encodeIfPresent(screenshot, forKey: .screenshot)
        if !images.isEmpty { try fields.encode(images, forKey: .images) }
        try fields.encodeIfPresent(promotion, forKey: .promotion)
        if availabilityWasSet { try fields.encode(true, forKey: .availabilityWasSet) }
        try fields.encodeIfPresent(monthlyAvailability, forKey: .monthlyAvailability)
        if offers != OfferListing() { try fields.encode(offers, forKey: .offers) }
        try fields.encodeIfPresent(prices, forKey: .prices)
        try fields.encodeIfPresent(content, forKey: .content)
    }
}
