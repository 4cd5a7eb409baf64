import Perennial

/// Two writers on one product or group: the later one states the revision that it has read, and is refused if there is
/// another by now. What belongs to a product, such as its prices and offers, has the product's revision.
extension CatalogDraft {
    /// Checks that a product is as the caller has read it.
    ///
    /// - Parameter revision: The revision that the caller has read; `nil` to change any.
    /// - Throws: ``CatalogEditError`` `.notFound` or `.changedMeanwhile`.
    package func expect(_ revision: Int64?, of appleID: Int64) throws {
        guard let revision else { return }
        guard let loaded = try loaded(appleID) else { throw Self.missing("product", "\(appleID)") }
        // The edit itself may have changed it before.
        let before = originals[appleID] ?? loaded
        guard revision == before?.product.revision else { throw Self.changedMeanwhile("\(loaded.product.id)") }
    }

    /// Checks that a subscription group is as the caller has read it.
    ///
    /// - Parameter revision: The revision that the caller has read; `nil` to change any.
    /// - Throws: ``CatalogEditError`` `.notFound` or `.changedMeanwhile`.
    package func expect(_ revision: Int64?, ofGroup key: String) throws {
        guard let revision else { return }
        guard let loaded = try group(key) else { throw Self.missing("subscription group", key) }
        let before = originalGroups[key] ?? loaded
        guard revision == before?.group.revision else { throw Self.changedMeanwhile(loaded.group.referenceName) }
    }

    private static func changedMeanwhile(_ name: String) -> CatalogEditError {
        CatalogEditError(.changedMeanwhile, "'\(name)' was changed by another writer after it was read: read it again")
    }
}
