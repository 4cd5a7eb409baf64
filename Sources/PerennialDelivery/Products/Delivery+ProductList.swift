import Crypto
import Foundation
import Perennial

/// The seller's list of products as bytes, with the tag that changes when they do.
package struct ProductList: Sendable, Hashable {
    package let json: [UInt8]
    /// Strong, quotes included.
    package let entityTag: String
}

extension Delivery {
    /// The master list of products: all of the app's, in the seller's order. What of it can be bought, the store knows.
    /// - Throws: ``DeliveryError`` with `appNotFound`.
    package func productList(of bundleID: App.BundleID) async throws -> ProductList {
        let entry = try catalog().entry(bundleID)
        var products: [ListedProduct] = []
        for product in entry.app.products {
            let contents = entry.contents.filter { $0.unlockedBy.contains(product.id) }
            products.append(
                ListedProduct(
                    productId: product.id.rawValue, type: product.type.rawValue, contentVersion: contents.last?.version,
                    contentSize: try await totalSize(of: contents)))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(ProductListBody(products: products))
        let tag = SHA256.hash(data: json).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return ProductList(json: [UInt8](json), entityTag: "\"\(tag)\"")
    }

    /// The bytes of what a product unlocks; `nil` where it unlocks no file that is there.
    private func totalSize(of contents: [Content]) async throws -> Int64? {
        var total: Int64?
        for content in contents {
            do {
                total = try await (total ?? 0) + library.size(of: content.file)
            } catch let error as ContentLibraryError {
                reportMissing(content, error)
            }
        }
        return total
    }
}

private struct ProductListBody: Encodable {
    let products: [ListedProduct]
}

private struct ListedProduct: Encodable {
    let productId: String
    let type: String
    let contentVersion: String?
    let contentSize: Int64?
}
