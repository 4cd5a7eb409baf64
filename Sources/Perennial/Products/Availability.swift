/// The storefronts in which a product is sold.
package struct Availability: Hashable, Sendable {
    package var storefronts: Set<Storefront>
    /// True if the product is also sold in storefronts that the App Store adds later.
    package var includesNew: Bool

    package init(storefronts: Set<Storefront>, includesNew: Bool) {
        self.storefronts = storefronts
        self.includesNew = includesNew
    }
}

extension Availability: Codable {
    private enum CodingKeys: String, CodingKey {
        case storefronts, includesNew
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        storefronts = Set(try fields.decode([Storefront].self, forKey: .storefronts))
        includesNew = try fields.decode(Bool.self, forKey: .includesNew)
    }

    /// Encodes the storefronts in alphabetical order, so that equal values have equal texts.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(storefronts.sorted { $0.rawValue < $1.rawValue }, forKey: .storefronts)
        try fields.encode(includesNew, forKey: .includesNew)
    }
}

extension Availability {
    /// Checks storefronts that a seller names.
    ///
    /// - Returns: `nil` for all storefronts, later ones included.
    /// - Throws: ``CatalogEditError`` `.relationshipInvalid` for an unknown storefront.
    static func checked(_ storefronts: [Storefront], includesNew: Bool) throws -> Availability? {
        if let unknown = storefronts.first(where: { $0.info == nil }) {
            throw CatalogEditError(
                .relationshipInvalid, at: .relationship("availableTerritories"),
                "There is no resource of type 'territories' with id '\(unknown)'")
        }
        let availability = Availability(storefronts: Set(storefronts), includesNew: includesNew)
        let isEverywhere = includesNew && availability.storefronts.count == Storefront.all.count
        return isEverywhere ? nil : availability
    }
}

extension Availability? {
    /// The storefronts in alphabetical order; all without an availability.
    package var storefronts: [Storefront] {
        let all = Storefront.all.map(\.storefront)
        guard let self else { return all }
        return all.filter(self.storefronts.contains)
    }

    /// True if storefronts that the App Store adds later belong to it.
    package var includesNew: Bool { self?.includesNew ?? true }
}

extension Product {
    /// Returns true if the seller offers the product in a storefront.
    package func isAvailable(in storefront: Storefront) -> Bool {
        availability?.storefronts.contains(storefront) ?? true
    }
}
