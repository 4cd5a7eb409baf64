/// The kinds of offers in the catalog.
package enum CatalogOfferKind: String, Sendable, Hashable, Codable, CaseIterable {
    case introductory, promotional, code, winBack
}
