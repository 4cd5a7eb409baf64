import Perennial
import PerennialStorage

extension CatalogReader {
    /// Returns the promoted products of an app in order.
    package func promotedProducts(app: Int64) throws -> [Int64] {
        try PromotedPurchasesTable.products(app: app, on: connection).filter {
            try product($0)?.listing.promotion != nil
        }
    }

    /// Returns the promoted product by the promotion's ID.
    package func product(ofPromotion id: String) throws -> CatalogProduct? {
        guard let product = try product(ofPart: id, .other), product.listing.promotion?.id == id else { return nil }
        return product
    }
}

extension CatalogDraft {
    /// The most promoted purchases of an app (App Store Connect help, "Promote in-app purchases").
    package static let maximumPromotedPurchases = 20

    /// Promotes a product on its app's page, after the others.
    ///
    /// - Returns: The promotion's ID.
    /// - Throws: ``CatalogEditError``.
    package func promote(_ appleID: Int64, app: Int64, isVisible: Bool, isEnabled: Bool?) throws -> String {
        guard try owner(of: appleID) == app else {
            throw CatalogEditError(.relationshipInvalid, at: .relationship("app"), "The product is that of another app")
        }
        let promoted = try promotedProducts(app: app)
        guard promoted.count < Self.maximumPromotedPurchases else {
            throw CatalogEditError(
                .limit, at: .relationship("app"),
                "An app has \(Self.maximumPromotedPurchases) promoted purchases at most")
        }
        let last = try promoted.last.flatMap { try product($0)?.listing.promotion?.position }
        let number = try nextNumber()
        let id = CatalogUUID(.other, owner: appleID, version: 0, part: "promotion \(number)").text
        try update(appleID) { product in
            guard product.listing.promotion == nil else {
                throw CatalogEditError(.duplicate, "The product is promoted already")
            }
            product.listing.promotion = Promotion(
                id: id, isVisibleForAllUsers: isVisible, isEnabled: isEnabled,
                position: last.map { min($0, .max - 1) + 1 } ?? 0)
        }
        try PromotedPurchasesTable.replace(promoted + [appleID], app: app, on: connection)
        return id
    }

    /// Ends the promotion of a product.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package func withdrawPromotion(_ id: String) throws {
        guard let product = try product(ofPromotion: id), let app = try owner(of: product.appleID) else {
            throw CatalogEditError(.notFound, "There is no resource of type 'promotedPurchases' with id '\(id)'")
        }
        try update(product.appleID) { $0.listing.promotion = nil }
        try orderPromotions(try promotedProducts(app: app).filter { $0 != product.appleID }, app: app)
    }

    /// Puts the promoted products of an app in another order.
    ///
    /// - Throws: ``CatalogEditError`` `.relationshipInvalid` if they aren't the same products.
    package func reorderPromotions(_ products: [Int64], app: Int64) throws {
        let known = try promotedProducts(app: app)
        guard products.count == known.count, Set(products) == Set(known) else {
            throw CatalogEditError(
                .relationshipInvalid, at: .relationship("promotedPurchases"),
                "The list has each of the app's promoted purchases once")
        }
        try orderPromotions(products, app: app)
    }

    private func orderPromotions(_ products: [Int64], app: Int64) throws {
        try PromotedPurchasesTable.replace(products, app: app, on: connection)
        for (position, appleID) in products.enumerated() {
            try update(appleID) { $0.listing.promotion?.position = position }
        }
    }
}
