import Perennial
import PerennialConnect

extension CatalogReader {
    /// Returns a product by its ID in the App Store Connect API.
    ///
    /// - Parameter renews: True for `subscriptions`, which free subscriptions belong to as well; false for `inAppPurchases`.
    func product(connectID id: String, renews: Bool) throws -> CatalogProduct? {
        guard let number = Int64(connectID: id), let product = try product(number),
            product.product.type.renews == renews
        else { return nil }
        return product
    }

    /// Returns the Apple ID of the app that a product belongs to.
    func app(ofProduct id: String) throws -> Int64? { try Int64(connectID: id).flatMap(owner(of:)) }

    /// Returns the product that a version or localization belongs to.
    func product(ofPart id: String, _ kind: CatalogUUID.Kind, renews: Bool) throws -> CatalogProduct? {
        try product(ofPart: id, kind).flatMap { $0.product.type.renews == renews ? $0 : nil }
    }

    /// Returns the Apple ID of the app that a part of a product belongs to.
    func app(ofPart id: String) throws -> Int64? { try CatalogUUID(id).flatMap { try owner(of: $0.owner) } }
}

extension ConnectEditing {
    /// Returns the Apple ID of the app that a new resource belongs to.
    ///
    /// - Throws: ``ConnectFailure`` 409 if there is none, or if the caller doesn't see it.
    func app(_ entity: ConnectEntity, _ relationship: String = "app") throws -> Int64 {
        let id = try entity.requiredOne(relationship)
        guard let number = Int64(connectID: id), isVisible(number), try catalog.app(number) != nil else {
            throw entity.unknownRelated(relationship)
        }
        return number
    }

    /// Returns the Apple ID of the product that a new resource belongs to.
    ///
    /// - Throws: ``ConnectFailure`` 409 if there is none of the type, or if the caller doesn't see it.
    func product(_ entity: ConnectEntity, _ relationship: String, renews: Bool) throws -> Int64 {
        let id = try entity.requiredOne(relationship)
        guard let product = try catalog.product(connectID: id, renews: renews),
            let app = try catalog.owner(of: product.appleID), isVisible(app)
        else { throw entity.unknownRelated(relationship) }
        return product.appleID
    }

    /// Returns the group that a new resource belongs to. Its key is its ID in the App Store Connect API.
    ///
    /// - Throws: ``ConnectFailure`` 409 if there is none, or if the caller doesn't see it.
    func group(
        _ entity: ConnectEntity, _ relationship: String
    ) throws -> (app: Int64, key: String, group: SubscriptionGroup) {
        let key = try entity.requiredOne(relationship)
        guard let found = try catalog.group(key), isVisible(found.app) else {
            throw entity.unknownRelated(relationship)
        }
        return (found.app, key, found.group)
    }

    func isVisible(_ app: Int64) -> Bool { visibleApps?.contains(app) ?? true }
}

extension Int64 {
    /// Parses an ID of the App Store Connect API that is a number.
    init?(connectID id: String) {
        guard let number = Int64(id), number > 0, String(number) == id else { return nil }
        self = number
    }
}

extension ConnectBinding {
    /// Filters products by product ID without decoding all of them.
    static let productIDFilter: Filter = { ids, values, at in
        guard ids.count > 0, let app = try at.catalog.app(ofProduct: try ids.id(at: 0)) else { return ids }
        let wanted = Set(
            try values.compactMap { value in
                try at.catalog.product(Product.ID(rawValue: value), app: app).map { String($0.appleID) }
            })
        return wanted.isEmpty ? ConnectIDs([String]()) : try ids.filter(wanted.contains)
    }
}
