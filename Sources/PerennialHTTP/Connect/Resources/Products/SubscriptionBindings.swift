import Perennial
import PerennialConnect

/// Bindings of `subscriptions`.
///
/// Apple's API has no free subscriptions. One of this store is shown as a subscription without a group and a period.
enum SubscriptionBindings {
    static let all: [ConnectBinding] = [subscriptions]

    /// Apple's names of the periods.
    static let periods: [(name: String, period: Period)] = [
        ("ONE_WEEK", .week), ("ONE_MONTH", .month), ("TWO_MONTHS", Period(2, .month)),
        ("THREE_MONTHS", Period(3, .month)), ("SIX_MONTHS", Period(6, .month)), ("ONE_YEAR", .year),
    ]

    private static var subscriptions: ConnectBinding {
        var binding = ConnectBinding(type: "subscriptions") { id, at in
            try at.catalog.product(connectID: id, renews: true).map(attributes)
        }
        binding.related = [
            "group": { id, at in .optional(try groupKey(ofProduct: id, at)) },
            "subscriptionLocalizations": { id, at in
                try related(id, at) { .many($0.currentVersion.localizations.map(\.id)) }
            },
            "versions": { id, at in try related(id, at) { .many($0.textVersions.map(\.id)) } },
            "subscriptionAvailability": { id, at in try related(id, at) { $0.hasAvailability ? .one(id) : .none } },
            "planAvailabilities": { id, at in
                try related(id, at) { .many($0.planAvailabilities.map(\.id.text)) }
            },
        ]
        binding.create = { entity, at in
            let group = try at.group(entity, "group")
            var new = NewProduct(
                Product.ID(rawValue: try entity.requiredText("productId")), .autoRenewable,
                referenceName: try entity.requiredText("name"))
            new.groupID = group.group.id
            new.reviewNote = try entity.text("reviewNote")
            new.isFamilyShareable = try entity.bool("familySharable") ?? false
            new.level = try entity.integer("groupLevel")
            new.period = try period(entity)
            return String(try at.catalog.createProduct(new, app: group.app))
        }
        binding.update = { id, entity, at in
            guard let product = try at.catalog.product(connectID: id, renews: true) else { return }
            try at.catalog.update(product.appleID) { product in
                try product.apply(entity)
                if let level = try entity.integer("groupLevel") { try product.setLevel(level) }
                if let period = try period(entity) { try product.setPeriod(period) }
            }
        }
        binding.delete = { id, at in
            guard let product = try at.catalog.product(connectID: id, renews: true) else { return }
            try at.catalog.deleteProduct(product.appleID)
        }
        binding.filters["productId"] = ConnectBinding.productIDFilter
        binding.app = { id, at in try at.catalog.app(ofProduct: id) }
        binding.followsFromCatalog = true
        return binding
    }

    private static func groupKey(ofProduct id: String, _ at: ConnectReading) throws -> String? {
        guard let app = try at.catalog.app(ofProduct: id),
            let group = try at.catalog.product(connectID: id, renews: true)?.product.subscription?.groupID
        else { return nil }
        let key = try at.once("group \(app) \(group)") { try at.catalog.groupKey(group, app: app) ?? "" }
        return key.isEmpty ? nil : key
    }

    private static func period(_ entity: ConnectEntity) throws -> Period? {
        let name = try entity.text("subscriptionPeriod")
        return periods.first { $0.name == name }?.period
    }

    @Sendable private static func attributes(_ product: CatalogProduct) -> ConnectAttributes {
        let subscription = product.product.subscription
        let period = subscription.flatMap { $0.hasPeriod ? $0.period : nil }
        return [
            "name": .text(product.product.referenceName), "productId": .text(product.id.rawValue),
            "familySharable": .bool(product.product.isFamilyShareable),
            "state": .text(product.listingState.rawValue),
            "subscriptionPeriod": .optional(periods.first { $0.period == period }?.name),
            "reviewNote": .optional(product.listing.reviewNote), "groupLevel": .optional(subscription?.level),
        ]
    }

    private static func related(
        _ id: String, _ at: ConnectReading, _ body: (CatalogProduct) -> ConnectRelated
    ) throws -> ConnectRelated {
        try at.catalog.product(connectID: id, renews: true).map(body) ?? .none
    }
}
