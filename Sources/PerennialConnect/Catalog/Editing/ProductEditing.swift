import Perennial

extension CatalogReader {
    /// Returns the product that a part belongs to, by the part's UUID.
    package func product(ofPart id: String, _ kind: CatalogUUID.Kind) throws -> CatalogProduct? {
        guard let uuid = CatalogUUID(id), uuid.kind == kind else { return nil }
        return try product(uuid.owner)
    }
}

extension CatalogDraft {
    /// Creates a product, not reviewed yet, without texts and price.
    ///
    /// - Parameter limit: The most products of an app.
    /// - Returns: Its Apple ID.
    /// - Throws: ``CatalogEditError`` `.notFound` for an unknown app, `.relationshipInvalid` for a group that the app doesn't
    ///   have, `.duplicate` for a product ID that a product of the app has or had, `.limit` for an app with as many products
    ///   as it may have, and the errors of bad values.
    package func createProduct(
        _ new: NewProduct, app appleID: Int64, atMost limit: Int = ListingLimits.productsOfApp
    ) throws -> Int64 {
        guard let app = try app(appleID) else {
            throw CatalogEditError(.notFound, at: .relationship("app"), "There is no app with the Apple ID \(appleID).")
        }
        if new.type == .free, !app.isNewsstand {
            throw CatalogEditError(
                .invalid, at: .attribute("type"),
                "Free subscriptions are sold in Newsstand apps only, and this app is none.")
        }
        var level: Int64 = 1
        if new.type == .autoRenewable, let group = new.groupID {
            guard let key = try groupKey(group, app: appleID) else {
                throw CatalogEditError(
                    .relationshipInvalid, at: .relationship("group"), "The app has no group with the ID '\(group)'.")
            }
            if new.level == nil { level = try nextLevel(in: key) }
        }
        let product = try CatalogProduct(
            new, appleID: try nextNumber(), level: level, currency: app.defaultStorefront.currency ?? .usd)
        guard try self.product(new.id, app: appleID) == nil, try !isReserved(new.id, app: appleID) else {
            throw CatalogEditError(
                .duplicate, at: .attribute("productId"), "The product ID '\(new.id)' has already been used.")
        }
        let count = try productIDs(app: appleID, renewing: nil).count
        try ListingLimits.check(productCount: count + 1, atMost: limit)
        try insert(product, app: appleID)
        return product.appleID
    }

    /// Deletes a product that is neither on sale nor in review. Its ID is never used again.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound` or `.stateInvalid`.
    package func deleteProduct(_ appleID: Int64) throws {
        guard let product = try product(appleID) else {
            throw CatalogEditError(.notFound, "There is no product with the Apple ID \(appleID).")
        }
        try product.checkDeletion()
        try delete(appleID)
    }

    /// The level below all others of a group.
    private func nextLevel(in key: String) throws -> Int64 {
        let levels = try products(try productIDs(group: key)).compactMap { $0.product.subscription?.level }
        return min(Int64(levels.max() ?? 0) + 1, ListingLimits.subscriptionLevels.upperBound)
    }
}
