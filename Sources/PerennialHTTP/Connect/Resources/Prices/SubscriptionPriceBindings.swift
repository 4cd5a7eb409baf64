import Perennial
import PerennialConnect

/// Bindings of `subscriptionPrices`.
enum SubscriptionPriceBindings {
    static let all: [ConnectBinding] = [prices, ofSubscriptions]

    private static var prices: ConnectBinding {
        var binding = ConnectBinding(type: "subscriptionPrices") { id, at in
            guard let id = PriceRowID(id),
                let row = try at.pricedItem(id.point.owner, .subscription)?.row(id, at: at.now)
            else { return nil }
            return [
                "startDate": .date(row.startDay), "preserved": .bool(row.isPreserved),
                "planType": .text(row.plan.rawValue),
            ]
        }
        binding.related = [
            "territory": { id, _ in .optional(PriceRowID(id)?.point.storefront.rawValue) },
            "subscriptionPricePoint": { id, _ in .optional(PriceRowID(id)?.point.text) },
        ]
        binding.create = { entity, at in
            try add(entity, to: try at.product(entity, "subscription", renews: true), at)
        }
        binding.replaced = { entity, at in try replaced(by: entity, at) }
        binding.delete = { id, at in try delete(id, at) }
        binding.app = { id, at in try PriceRowID(id).flatMap { try at.catalog.app(ofPriced: $0.point.owner) } }
        return binding
    }

    private static var ofSubscriptions: ConnectBinding {
        var addition = ConnectBinding.addition(to: "subscriptions")
        addition.related["prices"] = { id, at in
            guard let item = try at.pricedItem(connectID: id, .subscription) else { return .many([]) }
            let plans = at.filter("planType")
            let rows = SubscriptionPlanType.allCases.reversed().flatMap { plan in
                plans?.contains(plan.rawValue) ?? true
                    ? item.rows(in: at.filter("territory"), plan: plan, at: at.now) : []
            }
            return .many(
                ConnectIDs(count: rows.count) { item.id(of: rows[$0]) }.applied("territory", "planType"))
        }
        addition.removeRelated["prices"] = { id, prices, at in
            for price in prices {
                guard let row = PriceRowID(price), String(row.point.owner) == id else {
                    throw CatalogEditError(
                        .relationshipInvalid, at: .relationship("prices"),
                        "There is no resource of type 'subscriptionPrices' with id '\(price)'")
                }
                try delete(price, at)
            }
        }
        addition.update = { id, entity, at in
            guard entity.has("prices"), let number = Int64(connectID: id) else { return }
            for price in entity.inline("prices") {
                if let other = price.one("subscription"), other != id { throw price.unknownRelated("subscription") }
                _ = try add(price, to: number, at)
            }
        }
        return addition
    }

    /// Adds a price.
    ///
    /// - Returns: Its ID.
    private static func add(_ entity: ConnectEntity, to id: Int64, _ at: ConnectEditing) throws -> String {
        guard let item = try at.catalog.pricedItem(id), item.kind == .subscription else {
            throw entity.unknownRelated("subscription")
        }
        let point = try entity.pricePoint("subscriptionPricePoint", of: item)
        if let territory = entity.one("territory"), territory != point.storefront.rawValue {
            throw entity.unknownRelated("territory")
        }
        let plan = try plan(of: entity)
        let new = NewSubscriptionPrice(
            storefront: point.storefront, price: point.price, start: try entity.day("startDate"),
            preservesSubscribers: try entity.bool("preserveCurrentPrice") ?? false, index: entity.index)
        try at.catalog.addPrice(new, to: id, plan: plan, now: at.now)
        let added = try at.catalog.pricedItem(id)
        let rows = added?.rows(in: point.storefront, plan: plan, at: at.now).filter { $0.interval.price == point.price }
        guard let added, let row = rows?.last(where: { $0.startDay == new.start }) ?? rows?.last else {
            throw entity.unknownRelated("subscriptionPricePoint")
        }
        return added.id(of: row)
    }

    /// Returns the ID of the price in force that one at once takes the place of. A price with a start replaces none.
    private static func replaced(by entity: ConnectEntity, _ at: ConnectReading) throws -> String? {
        guard try entity.day("startDate") == nil, let point = PricePointID(entity.one("subscriptionPricePoint") ?? ""),
            entity.one("subscription") == String(point.owner),
            let item = try at.pricedItem(point.owner, .subscription)
        else { return nil }
        let rows = item.rows(in: point.storefront, plan: try plan(of: entity), at: at.now)
        return rows.first { !$0.isPreserved && $0.interval.start ?? at.now <= at.now }.map(item.id(of:))
    }

    private static func plan(of entity: ConnectEntity) throws -> SubscriptionPlanType {
        try entity.text("planType").flatMap(SubscriptionPlanType.init(rawValue:)) ?? .upfront
    }

    private static func delete(_ id: String, _ at: ConnectEditing) throws {
        guard let id = PriceRowID(id),
            let row = try at.catalog.pricedItem(id.point.owner)?.row(id, at: at.now)
        else { return }
        try at.catalog.withdrawPrice(
            of: id.point.owner, in: row.storefront, at: row.interval.start ?? .beginningOfTime, plan: row.plan,
            now: at.now)
    }
}
