/// A product with what its seller keeps about it.
package struct CatalogProduct: Hashable, Sendable, Codable {
    /// The product that customers are sold.
    package var product: Product
    /// The seller's side, which selling doesn't need.
    package var listing: ProductListing
    /// Raised with every change, so that the second of two concurrent edits is refused. 0 before the first write.
    package var revision: Int64

    package init(_ product: Product, listing: ProductListing = ProductListing(), revision: Int64 = 0) {
        self.product = product
        self.listing = listing
        self.revision = revision
    }

    /// The product's Apple ID, which is its ID in the App Store Connect API.
    package var appleID: Int64 { product.appleID }
    /// The seller's product ID.
    package var id: Product.ID { product.id }
}
