import BaseEncoding
import Crypto
import Foundation
import Perennial

/// The product list as JSON, with its ETag.
package struct ProductList: Sendable, Hashable {
    package let json: [UInt8]
    /// Strong ETag, quotes included.
    package let entityTag: String
}

extension Delivery {
    /// Returns all products of an app in the catalog's order. The store knows which of them are for sale.
    ///
    /// - Throws: ``DeliveryError`` with `appNotFound`.
    package func productList(of bundleID: App.BundleID) async throws -> ProductList {
        let entry = try await entry(bundleID)
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
        let tag = Hexadecimal.encode(SHA256.hash(data: json).prefix(16))
        return ProductList(json: [UInt8](json), entityTag: "\"\(tag)\"")
    }

    /// Returns the total size of contents in bytes, or `nil` without any file.
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

/// The list as JSON.
package struct ProductListBody: Codable, Sendable {
    let products: [ListedProduct]
}

struct ListedProduct: Codable, Sendable {
    let productId: String
    let type: String
    let contentVersion: String?
    let contentSize: Int64?
}
