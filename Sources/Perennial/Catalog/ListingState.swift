/// The state of a product in App Store Connect's words. It follows from the product.
package enum ProductListingState: String, Sendable, Codable, CaseIterable {
    case missingMetadata = "MISSING_METADATA"
    case waitingForUpload = "WAITING_FOR_UPLOAD"
    case processingContent = "PROCESSING_CONTENT"
    case readyToSubmit = "READY_TO_SUBMIT"
    case waitingForReview = "WAITING_FOR_REVIEW"
    case inReview = "IN_REVIEW"
    case developerActionNeeded = "DEVELOPER_ACTION_NEEDED"
    case pendingBinaryApproval = "PENDING_BINARY_APPROVAL"
    case approved = "APPROVED"
    case developerRemovedFromSale = "DEVELOPER_REMOVED_FROM_SALE"
    case removedFromSale = "REMOVED_FROM_SALE"
    case rejected = "REJECTED"
}

/// A part that a product lacks before its first submission.
package enum MissingMetadata: String, Sendable, Codable, CaseIterable {
    case localization
    /// Subscriptions only.
    case period
    case price
    case availability
    case screenshot

    /// The name of the relationship or attribute in the App Store Connect API.
    package func place(renews: Bool) -> CatalogEditError.Place {
        switch self {
        case .localization: .relationship(renews ? "subscriptionLocalizations" : "inAppPurchaseLocalizations")
        case .period: .attribute("subscriptionPeriod")
        case .price: .relationship(renews ? "prices" : "iapPriceSchedule")
        case .availability: .relationship(renews ? "subscriptionAvailability" : "inAppPurchaseAvailability")
        case .screenshot: .relationship("appStoreReviewScreenshot")
        }
    }
}

extension CatalogProduct {
    /// The state in App Store Connect's words.
    package var listingState: ProductListingState {
        switch product.state {
        case .readyToSubmit: missingMetadata.isEmpty ? .readyToSubmit : .missingMetadata
        case .waitingForReview: .waitingForReview
        case .inReview: .inReview
        case .developerActionNeeded: .developerActionNeeded
        case .rejected: .rejected
        case .removedFromSale: .removedFromSale
        case .approved: isOnSale ? .approved : .developerRemovedFromSale
        }
    }

    /// The parts that the product lacks for its review.
    package var missingMetadata: [MissingMetadata] {
        var missing: [MissingMetadata] = []
        if currentVersion.localizations.isEmpty { missing.append(.localization) }
        if product.subscription?.hasPeriod == false { missing.append(.period) }
        if !product.isPriced { missing.append(.price) }
        if !hasAvailability { missing.append(.availability) }
        if listing.screenshot?.state != .complete { missing.append(.screenshot) }
        return missing
    }

    /// True if the product has been approved once.
    package var wasApproved: Bool { product.state == .approved || product.state == .removedFromSale }

    /// True if the product is sold in a storefront at least.
    package var isOnSale: Bool { product.isClearedForSale && product.availability?.storefronts.isEmpty != true }

    /// True if the seller has said where the product is sold. A product from a file is sold everywhere.
    package var hasAvailability: Bool {
        listing.availabilityWasSet || product.availability != nil || product.state != .readyToSubmit
    }
}
