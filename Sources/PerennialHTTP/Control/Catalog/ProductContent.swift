import Perennial
import PerennialConnect
import PerennialDelivery

/// The content files of products, which the content server of this process delivers.
package struct ProductContent: Sendable {
    /// The refusal of an upload to a store that delivers no content.
    package struct NoServer: Error, Sendable {
        package let reason = "this store delivers no content: start it with a folder, serve --content"
    }

    private let editor: CatalogEditor
    private let delivery: Delivery?

    /// - Parameter delivery: The content server of this process; `nil` without one.
    package init(editor: CatalogEditor, delivery: Delivery?) {
        (self.editor, self.delivery) = (editor, delivery)
    }

    /// True if this process delivers content.
    package var hasServer: Bool { delivery != nil }

    /// Stores a version of a product's content, which customers get from now on.
    ///
    /// - Parameters:
    ///   - chunks: The file's bytes in order.
    ///   - fileName: The file's name on devices.
    /// - Returns: The product with its versions.
    /// - Throws: ``CatalogEditError``, ``NoServer``, ``DeliveryError``. Then nothing is stored.
    package func add<Chunks: AsyncSequence>(
        _ chunks: Chunks, version: String, fileName: String, to product: Product.ID, of app: App.BundleID,
        by actor: CatalogActor
    ) async throws -> CatalogProduct where Chunks.Element: Sequence<UInt8> {
        try await editor.read { try $0.found(product, of: app).checkContent(version: version, fileName: fileName) }
        guard let delivery else { throw NoServer() }
        let names = ContentListing.Version(version: version, fileName: fileName, size: 0, sha256: "")
        return try await delivery.addContent(chunks, as: names.path(product: product, app: app)) { file in
            var listed = names
            (listed.size, listed.sha256) = (file.size, file.hexDigest)
            return try await editor.edit(by: actor) { [listed] draft in
                // Edits follow one another in their transactions only. A file that the catalog doesn't list there is left
                // of an upload that a crash ended, and is replaced.
                try draft.writeThrough()
                try draft.update(try draft.found(product, of: app).appleID) { try $0.addContent(listed) }
                try file.place()
                return try draft.found(product, of: app)
            }
        }
    }

    /// Makes customers get a version from now on.
    ///
    /// - Returns: The product with its versions.
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package func use(
        _ version: String, of product: Product.ID, of app: App.BundleID, by actor: CatalogActor
    ) async throws -> CatalogProduct {
        try await edit(product, of: app, by: actor) { try $0.useContent(version) }
    }

    /// Removes a version with its file. Customers get the last of the others.
    ///
    /// - Returns: The product with its versions.
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package func remove(
        _ version: String, of product: Product.ID, of app: App.BundleID, by actor: CatalogActor
    ) async throws -> CatalogProduct {
        let known = try await editor.read { try $0.found(product, of: app) }.listing.content?.versions ?? []
        let changed = try await edit(product, of: app, by: actor) { try $0.removeContent(version) }
        if let removed = known.first(where: { $0.version == version }), let delivery {
            let file = removed.path(product: product, app: app)
            try? await editor.edit(by: actor) { draft in
                // The version may have been uploaded again.
                try draft.writeThrough()
                let versions = try draft.found(product, of: app).listing.content?.versions ?? []
                guard !versions.contains(where: { $0.path(product: product, app: app) == file }) else { return }
                delivery.removeContent(file)
            }
        }
        return changed
    }

    private func edit(
        _ product: Product.ID, of app: App.BundleID, by actor: CatalogActor,
        _ change: @escaping @Sendable (inout CatalogProduct) throws -> Void
    ) async throws -> CatalogProduct {
        try await editor.edit(by: actor) { draft in
            try draft.update(try draft.found(product, of: app).appleID, change)
            return try draft.found(product, of: app)
        }
    }
}
