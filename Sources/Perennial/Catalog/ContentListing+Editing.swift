extension ContentListing.Version {
    /// The path of the file in the content server's folder.
    package func path(product: Product.ID, app: App.BundleID) -> String {
        "uploads/\(app)/\(product)/\(version)/\(fileName)"
    }
}

extension CatalogProduct {
    /// The most versions of a product's content; a limit of this store.
    package static let maximumContentVersions = 1000

    /// Checks the names of a file that a seller wants to upload.
    ///
    /// - Throws: ``CatalogEditError`` `.invalid`, or `.duplicate` for a version that the product has.
    package func checkContent(version: String, fileName: String) throws {
        for (field, name) in [("version", version), ("fileName", fileName)] {
            guard ProductValidation.isWellFormed(identifier: name) else {
                throw CatalogEditError(.invalid, at: .attribute(field), "It has \(ProductValidation.identifierRule)")
            }
        }
        let versions = listing.content?.versions ?? []
        guard !versions.contains(where: { $0.version == version }) else {
            throw CatalogEditError(
                .duplicate, at: .attribute("version"), "The product has a version '\(version)' of its content.")
        }
        guard versions.count < Self.maximumContentVersions else {
            throw CatalogEditError(.limit, "The product has \(versions.count) versions of its content.")
        }
    }

    /// Adds a version of the content, which customers get from now on.
    ///
    /// - Throws: ``CatalogEditError``.
    package mutating func addContent(_ version: ContentListing.Version) throws {
        try checkContent(version: version.version, fileName: version.fileName)
        listing.content = ContentListing(versions: (listing.content?.versions ?? []) + [version])
    }

    /// Makes customers get a version of the content from now on: it becomes the last one.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package mutating func useContent(_ version: String) throws {
        let used = try removeContent(version)
        listing.content = ContentListing(versions: (listing.content?.versions ?? []) + [used])
    }

    /// Removes a version of the content. Customers get the last of the others.
    ///
    /// - Returns: The removed version, whose file the caller deletes.
    /// - Throws: ``CatalogEditError`` `.notFound`.
    @discardableResult
    package mutating func removeContent(_ version: String) throws -> ContentListing.Version {
        var versions = listing.content?.versions ?? []
        guard let index = versions.firstIndex(where: { $0.version == version }) else {
            throw CatalogEditError(.notFound, "The product has no version '\(version)' of its content.")
        }
        let removed = versions.remove(at: index)
        listing.content = versions.isEmpty ? nil : ContentListing(versions: versions)
        return removed
    }

    /// The uploaded content that the product unlocks; `nil` without one.
    package func uploadedContent(of app: App.BundleID) -> Content? {
        guard let version = listing.content?.versions.last else { return nil }
        return Content(
            id: Content.ID(rawValue: id.rawValue), unlockedBy: [id], version: version.version,
            file: version.path(product: id, app: app), filename: version.fileName)
    }
}
