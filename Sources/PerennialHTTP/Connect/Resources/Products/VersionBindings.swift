import Perennial
import PerennialConnect

/// Bindings of versions of metadata.
enum VersionBindings {
    static let all: [ConnectBinding] = [product(renews: false), product(renews: true), group]

    private static func product(renews: Bool) -> ConnectBinding {
        let parent = renews ? "subscription" : "inAppPurchase"
        @Sendable func owner(_ id: String, _ at: ConnectReading) throws -> CatalogProduct? {
            try at.catalog.product(ofPart: id, .version, renews: renews)
        }
        var binding = ConnectBinding(type: renews ? "subscriptionVersions" : "inAppPurchaseVersions") { id, at in
            try owner(id, at)?.version(id).map(attributes)
        }
        binding.related = [
            parent: { id, at in .optional(try owner(id, at).map { String($0.appleID) }) },
            "localizations": { id, at in .many(try owner(id, at)?.version(id)?.localizations.map(\.id) ?? []) },
        ]
        binding.create = { entity, at in
            var id = ""
            try at.catalog.update(try at.product(entity, parent, renews: renews)) { id = try $0.createVersion() }
            return id
        }
        binding.app = { id, at in try at.catalog.app(ofPart: id) }
        binding.followsFromCatalog = true
        return binding
    }

    private static var group: ConnectBinding {
        @Sendable func owner(_ id: String, _ at: ConnectReading) throws -> (
            app: Int64, key: String, group: SubscriptionGroup
        )? {
            try at.catalog.group(ofPart: id, .groupVersion)
        }
        var binding = ConnectBinding(type: "subscriptionGroupVersions") { id, at in
            try owner(id, at)?.group.version(id).map(attributes)
        }
        binding.related = [
            "subscriptionGroup": { id, at in .optional(try owner(id, at)?.key) },
            "localizations": { id, at in .many(try owner(id, at)?.group.version(id)?.localizations.map(\.id) ?? []) },
        ]
        binding.create = { entity, at in
            var id = ""
            try at.catalog.update(group: try at.group(entity, "subscriptionGroup").key) { id = try $0.createVersion() }
            return id
        }
        binding.app = { id, at in try owner(id, at)?.app }
        binding.followsFromCatalog = true
        return binding
    }

    @Sendable private static func attributes(_ version: some TextVersion) -> ConnectAttributes {
        ["version": .integer(Int64(version.number)), "state": .text(version.state.rawValue)]
    }
}
