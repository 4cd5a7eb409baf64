import Perennial
import PerennialConnect

/// Bindings of promoted purchases.
enum PromotionBindings {
    static let all: [ConnectBinding] = [promotions, apps, products("inAppPurchases"), products("subscriptions")]

    private static var promotions: ConnectBinding {
        @Sendable func related(renews: Bool) -> ConnectBinding.Related {
            { id, at in
                guard let product = try at.catalog.product(ofPromotion: id), product.product.type.renews == renews
                else {
                    return .none
                }
                return .one(String(product.appleID))
            }
        }
        var binding = ConnectBinding(type: "promotedPurchases") { id, at in
            guard let product = try at.catalog.product(ofPromotion: id), let promotion = product.listing.promotion
            else {
                return nil
            }
            return [
                "visibleForAllUsers": .bool(promotion.isVisibleForAllUsers),
                "enabled": .bool(promotion.isEnabled ?? true), "state": .text(product.promotionState.rawValue),
            ]
        }
        binding.related = ["inAppPurchaseV2": related(renews: false), "subscription": related(renews: true)]
        binding.create = { entity, at in
            guard (entity.one("inAppPurchaseV2") == nil) != (entity.one("subscription") == nil) else {
                throw CatalogEditError(
                    .relationshipRequired, at: .relationship("inAppPurchaseV2"),
                    "You must provide a value for one of the relationships 'inAppPurchaseV2' and 'subscription'")
            }
            let renews = entity.one("subscription") != nil
            let product = try at.product(entity, renews ? "subscription" : "inAppPurchaseV2", renews: renews)
            return try at.catalog.promote(
                product, app: try at.app(entity), isVisible: try entity.bool("visibleForAllUsers") ?? true,
                isEnabled: try entity.bool("enabled"))
        }
        binding.update = { id, entity, at in
            guard let product = try at.catalog.product(ofPromotion: id) else { return }
            let (isVisible, isEnabled) = (try entity.bool("visibleForAllUsers"), try entity.bool("enabled"))
            try at.catalog.update(product.appleID) {
                if let isVisible { $0.listing.promotion?.isVisibleForAllUsers = isVisible }
                if let isEnabled { $0.listing.promotion?.isEnabled = isEnabled }
            }
        }
        binding.delete = { id, at in try at.catalog.withdrawPromotion(id) }
        binding.app = { id, at in try at.catalog.app(ofPart: id) }
        return binding
    }

    private static var apps: ConnectBinding {
        var binding = ConnectBinding.addition(to: "apps")
        binding.related["promotedPurchases"] = { id, at in
            guard let app = Int64(connectID: id) else { return .many([]) }
            let products = try at.catalog.promotedProducts(app: app)
            return .many(try products.compactMap { try at.catalog.product($0)?.listing.promotion?.id })
        }
        binding.setRelated["promotedPurchases"] = { id, ids, at in
            guard let app = Int64(connectID: id) else { return }
            let products = try ids.map { promotion in
                guard let product = try at.catalog.product(ofPromotion: promotion) else {
                    throw CatalogEditError(
                        .relationshipInvalid, at: .relationship("promotedPurchases"),
                        "There is no resource of type 'promotedPurchases' with id '\(promotion)'")
                }
                return product.appleID
            }
            try at.catalog.reorderPromotions(products, app: app)
        }
        return binding
    }

    private static func products(_ type: String) -> ConnectBinding {
        let renews = type == "subscriptions"
        var binding = ConnectBinding.addition(to: type)
        binding.related["promotedPurchase"] = { id, at in
            .optional(try at.catalog.product(connectID: id, renews: renews)?.listing.promotion?.id)
        }
        return binding
    }
}
