import Perennial
import PerennialConnect

/// Bindings of `inAppPurchases`.
enum InAppPurchaseBindings {
    static let all: [ConnectBinding] = [products]

    /// Apple's names of the types.
    static let types: [ProductType: String] = [
        .consumable: "CONSUMABLE", .nonConsumable: "NON_CONSUMABLE", .nonRenewing: "NON_RENEWING_SUBSCRIPTION",
    ]

    private static var products: ConnectBinding {
        var binding = ConnectBinding(type: "inAppPurchases") { id, at in
            try at.catalog.product(connectID: id, renews: false).map(attributes)
        }
        binding.related = [
            "inAppPurchaseLocalizations": { id, at in
                try related(id, at) { .many($0.currentVersion.localizations.map(\.id)) }
            },
            "versions": { id, at in try related(id, at) { .many($0.textVersions.map(\.id)) } },
            "inAppPurchaseAvailability": { id, at in try related(id, at) { $0.hasAvailability ? .one(id) : .none } },
        ]
        binding.create = { entity, at in
            let type = try entity.requiredText("inAppPurchaseType")
            var new = NewProduct(
                Product.ID(rawValue: try entity.requiredText("productId")),
                types.first { $0.value == type }?.key ?? .consumable, referenceName: try entity.requiredText("name"))
            new.reviewNote = try entity.text("reviewNote")
            new.isFamilyShareable = try entity.bool("familySharable") ?? false
            return String(try at.catalog.createProduct(new, app: try at.app(entity)))
        }
        binding.update = { id, entity, at in
            guard let product = try at.catalog.product(connectID: id, renews: false) else { return }
            try at.catalog.update(product.appleID) { try $0.apply(entity) }
        }
        binding.delete = { id, at in
            guard let product = try at.catalog.product(connectID: id, renews: false) else { return }
            try at.catalog.deleteProduct(product.appleID)
        }
        binding.filters["productId"] = ConnectBinding.productIDFilter
        binding.app = { id, at in try at.catalog.app(ofProduct: id) }
        binding.followsFromCatalog = true
        return binding
    }

    @Sendable private static func attributes(_ product: CatalogProduct) -> ConnectAttributes {
        [
            "name": .text(product.product.referenceName), "productId": .text(product.id.rawValue),
            "inAppPurchaseType": .optional(types[product.product.type]),
            "state": .text(product.listingState.rawValue), "reviewNote": .optional(product.listing.reviewNote),
            "familySharable": .bool(product.product.isFamilyShareable), "contentHosting": .null,
        ]
    }

    private static func related(
        _ id: String, _ at: ConnectReading, _ body: (CatalogProduct) -> ConnectRelated
    ) throws -> ConnectRelated {
        try at.catalog.product(connectID: id, renews: false).map(body) ?? .none
    }
}

extension CatalogProduct {
    /// Applies the attributes that in-app purchases and subscriptions share.
    mutating func apply(_ entity: ConnectEntity) throws {
        if entity.has("name") { try rename(try entity.requiredText("name")) }
        if entity.has("reviewNote") { try setReviewNote(try entity.text("reviewNote")) }
        if let isShareable = try entity.bool("familySharable") { try setFamilyShareable(isShareable) }
    }
}
