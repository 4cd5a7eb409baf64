import Perennial
import PerennialConnect

/// Bindings of `subscriptionGroups` and `subscriptionGracePeriods`.
enum SubscriptionGroupBindings {
    static let all: [ConnectBinding] = [groups, gracePeriods]

    private static var groups: ConnectBinding {
        var binding = ConnectBinding(type: "subscriptionGroups") { id, at in
            try at.catalog.group(id).map { ["referenceName": .text($0.group.referenceName)] }
        }
        binding.related = [
            "subscriptions": { id, at in
                let products = try at.catalog.productIDs(group: id)
                return .many(ConnectIDs(count: products.count) { String(products[$0]) })
            },
            "subscriptionGroupLocalizations": { id, at in
                .many(try at.catalog.group(id)?.group.currentVersion.localizations.map(\.id) ?? [])
            },
            "versions": { id, at in .many(try at.catalog.group(id)?.group.textVersions.map(\.id) ?? []) },
        ]
        binding.create = { entity, at in
            try at.catalog.createGroup(try entity.requiredText("referenceName"), app: try at.app(entity))
        }
        binding.update = { id, entity, at in
            guard entity.has("referenceName") else { return }
            try at.catalog.renameGroup(id, try entity.requiredText("referenceName"))
        }
        binding.delete = { id, at in try at.catalog.deleteGroup(id) }
        binding.filters["subscriptions.state"] = { ids, values, at in
            try ids.filter { group in
                try at.catalog.productIDs(group: group).contains { id in
                    try at.catalog.product(id).map { values.contains($0.listingState.rawValue) } ?? false
                }
            }
        }
        binding.app = { id, at in try at.catalog.group(id)?.app }
        binding.followsFromCatalog = true
        return binding
    }

    /// The grace period has its app's ID.
    private static var gracePeriods: ConnectBinding {
        var binding = ConnectBinding(type: "subscriptionGracePeriods") { id, at in
            try Int64(connectID: id).flatMap { try at.catalog.app($0) }.map { app in
                let period = app.gracePeriod
                return [
                    "optIn": .bool(period.isOn), "sandboxOptIn": .bool(period.isOnInSandbox),
                    "duration": .optional(period.grace?.length.apiName),
                    "renewalType": .optional(period.grace?.scope.rawValue),
                ]
            }
        }
        binding.update = { id, entity, at in
            guard let number = Int64(connectID: id) else { return }
            let duration = try entity.text("duration")
            let scope = try entity.text("renewalType")
            let (optIn, sandboxOptIn) = (try entity.bool("optIn"), try entity.bool("sandboxOptIn"))
            try at.catalog.update(app: number) { app in
                try app.setGracePeriod(
                    optIn: optIn, sandboxOptIn: sandboxOptIn,
                    length: BillingPolicy.GraceLength.allCases.first { $0.apiName == duration },
                    scope: scope.flatMap(BillingPolicy.GraceScope.init(rawValue:)))
            }
        }
        binding.app = { id, _ in Int64(connectID: id) }
        binding.followsFromCatalog = true
        return binding
    }
}
