import Perennial
import PerennialConnect

/// Bindings of availabilities. That of a product has the product's ID.
enum AvailabilityBindings {
    static let all: [ConnectBinding] = [
        availability("inAppPurchaseAvailabilities", of: "inAppPurchase", renews: false),
        availability("subscriptionAvailabilities", of: "subscription", renews: true), plans,
    ]

    private static func availability(_ type: String, of parent: String, renews: Bool) -> ConnectBinding {
        @Sendable func product(_ id: String, _ at: ConnectReading) throws -> CatalogProduct? {
            try at.catalog.product(connectID: id, renews: renews).flatMap { $0.hasAvailability ? $0 : nil }
        }
        var binding = ConnectBinding(type: type) { id, at in
            try product(id, at).map { ["availableInNewTerritories": .bool($0.product.availability.includesNew)] }
        }
        binding.related["availableTerritories"] = { id, at in
            .many(try product(id, at)?.storefronts.map(\.rawValue) ?? [])
        }
        binding.create = { entity, at in
            let id = try at.product(entity, parent, renews: renews)
            try set(id, entity, at)
            return String(id)
        }
        binding.app = { id, at in try at.catalog.app(ofProduct: id) }
        binding.parent = parent
        binding.content = { id, at in try product(id, at)?.storefronts.map(\.rawValue) ?? [] }
        binding.followsFromCatalog = true
        return binding
    }

    /// Availabilities by plan. The upfront plan has that of the subscription.
    private static var plans: ConnectBinding {
        @Sendable func plan(_ id: String, _ at: ConnectReading) throws -> PlanAvailability? {
            guard let id = PlanAvailabilityID(id) else { return nil }
            return try at.catalog.product(connectID: String(id.product), renews: true)?.plan(id)
        }
        var binding = ConnectBinding(type: "subscriptionPlanAvailabilities") { id, at in
            try plan(id, at).map {
                ["availableInNewTerritories": .bool($0.includesNew), "planType": .text($0.id.plan.rawValue)]
            }
        }
        binding.related["availableTerritories"] = { id, at in
            .many(try plan(id, at)?.storefronts.map(\.rawValue) ?? [])
        }
        binding.create = { entity, at in
            let id = PlanAvailabilityID(
                try at.product(entity, "subscription", renews: true), try PlanAvailabilityID.Plan(of: entity))
            try set(id, entity, at)
            return id.text
        }
        binding.replaced = { entity, _ in
            let plan = try PlanAvailabilityID.Plan(of: entity)
            return Int64(connectID: entity.one("subscription") ?? "").map { PlanAvailabilityID($0, plan).text }
        }
        binding.update = { id, entity, at in
            guard let id = PlanAvailabilityID(id) else { return }
            try set(id, entity, at)
        }
        binding.setRelated["availableTerritories"] = { id, territories, at in
            guard let id = PlanAvailabilityID(id) else { return }
            try at.catalog.update(id.product) { product in
                try product.setPlan(id, territories.map { Storefront(rawValue: $0) }, includesNew: nil)
            }
        }
        binding.content = { id, at in try plan(id, at)?.storefronts.map(\.rawValue) ?? [] }
        binding.app = { id, at in try PlanAvailabilityID(id).flatMap { try at.catalog.owner(of: $0.product) } }
        binding.followsFromCatalog = true
        return binding
    }

    /// Replaces the availability of a plan. Members that the request leaves out stay.
    private static func set(_ id: PlanAvailabilityID, _ entity: ConnectEntity, _ at: ConnectEditing) throws {
        let includesNew = try entity.bool("availableInNewTerritories")
        let territories = entity.many("availableTerritories")
        try at.catalog.update(id.product) { product in
            try product.setPlan(id, territories?.map { Storefront(rawValue: $0) }, includesNew: includesNew)
        }
    }

    /// Replaces a product's availability. Members that the request leaves out stay.
    private static func set(_ product: Int64, _ entity: ConnectEntity, _ at: ConnectEditing) throws {
        let includesNew = try entity.bool("availableInNewTerritories")
        let territories = entity.many("availableTerritories")
        try at.catalog.update(product) { product in
            try product.changeAvailability(
                territories?.map { Storefront(rawValue: $0) }, includesNew: includesNew)
        }
    }
}

extension PlanAvailabilityID.Plan {
    /// Reads the plan that a body names.
    fileprivate init(of entity: ConnectEntity) throws {
        self = try entity.text("planType").flatMap(Self.init(rawValue:)) ?? .upfront
    }
}
