import AppStoreFormats
import Perennial

extension AppBuilder {
    /// Merges what Connect keeps about a product.
    mutating func mergeListing(of id: Product.ID, with entry: CatalogFile.Product, at place: CatalogPlace) throws {
        if entry.localizations?.isEmpty == true { unnamed.insert(id) }
        var listing = listings[id] ?? ProductListing()
        if let node = entry.listing { listing = try decoded(node, "listing", at: place) }
        listing.reviewNote = entry.reviewNote ?? listing.reviewNote
        listing.taxCategory = entry.taxCategory ?? listing.taxCategory
        try Self.check(at: place) { try listing.check() }
        listing.rejectionReason = entry.rejectionReason ?? listing.rejectionReason
        if listing != ProductListing() { listings[id] = listing }
    }

    /// Merges the group with this ID, or adds it.
    mutating func merge(with entry: CatalogFile.Group, file: String) throws {
        let index = groups.firstIndex { $0.id == entry.id }
        let known = index.map { groups[$0] }
        let referenceName = entry.referenceName ?? known?.referenceName ?? entry.id
        let names = [referenceName] + entry.localizations.map(\.name)
        try Self.check(at: CatalogPlace(file: file, spot: entry.position.spot)) {
            for name in names { try ListingLimits.check(directionOf: name, "name") }
        }
        var group = SubscriptionGroup(id: entry.id, referenceName: referenceName, names: entry.localizations)
        if group.versions.isEmpty, let known { group.versions = known.versions }
        if let versions = entry.versions {
            let place = CatalogPlace(file: file, spot: entry.position.spot)
            group.versions = try decoded(versions, "versions", at: place)
            try Self.check(at: place) { try ListingLimits.check(versionNumbers: group.versions.map(\.number)) }
        }
        if let index { groups[index] = group } else { groups.append(group) }
    }

    /// - Throws: ``CatalogError`` for a value that breaks a rule of the catalog.
    static func check(at place: CatalogPlace, _ rule: () throws -> Void) throws {
        do {
            try rule()
        } catch let error as CatalogEditError {
            throw CatalogError(.malformedCatalogFile, at: place, error.description)
        }
    }

    func decoded<Value: Decodable>(_ node: CatalogNode, _ key: String, at place: CatalogPlace) throws -> Value {
        do {
            return try node.decoded(Value.self)
        } catch {
            throw CatalogError(
                .malformedCatalogFile, at: place,
                "the key \(key) is written by an export and kept as it is; its value can't be read: \(error.summary)")
        }
    }
}

extension Error {
    /// The place and the reason of an error of decoding.
    fileprivate var summary: String {
        guard let error = self as? DecodingError else { return "\(self)" }
        let context: DecodingError.Context =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: DecodingError.Context(codingPath: [], debugDescription: "another error")
            }
        return (context.codingPath.map(\.stringValue) + [context.debugDescription]).joined(separator: ": ")
    }
}
