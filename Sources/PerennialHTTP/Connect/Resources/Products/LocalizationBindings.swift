import Perennial
import PerennialConnect

/// Bindings of localizations of both versions: the first belong to a product or group, the second to a version of it.
enum LocalizationBindings {
    static let all: [ConnectBinding] = [
        product(.first, renews: false), product(.second, renews: false), product(.first, renews: true),
        product(.second, renews: true), group(.first), group(.second),
    ]

    private static func name(_ type: String, _ resource: TextResourceVersion) -> String {
        switch resource {
        case .first: type
        case .second: type + ".v2"
        }
    }

    // MARK: Products

    private static func product(_ resource: TextResourceVersion, renews: Bool) -> ConnectBinding {
        let type = renews ? "subscriptionLocalizations" : "inAppPurchaseLocalizations"
        let parent = renews ? "subscription" : "inAppPurchaseV2"
        @Sendable func owner(_ id: String, _ catalog: CatalogReader) throws -> CatalogProduct? {
            try catalog.product(ofPart: id, .localization, renews: renews)
        }
        var binding = ConnectBinding(type: name(type, resource)) { id, at in
            guard let (version, text) = try owner(id, at.catalog)?.localization(id) else { return nil }
            var attributes: ConnectAttributes = [
                "name": .text(text.name), "locale": .text(text.locale), "description": .optional(text.description),
            ]
            if resource == .first { attributes["state"] = .text(version.state.ofLocalization) }
            return attributes
        }
        switch resource {
        case .first:
            binding.related[parent] = { id, at in .optional(try owner(id, at.catalog).map { String($0.appleID) }) }
        case .second:
            binding.related["version"] = { id, at in .optional(try owner(id, at.catalog)?.localization(id)?.version.id)
            }
        }
        binding.create = { entity, at in
            let place = try place(of: entity, parent, renews: renews, at)
            let (name, locale) = (try entity.requiredText("name"), try entity.requiredText("locale"))
            let description = try entity.text("description")
            var id = ""
            try at.catalog.update(place.product) { product in
                id = try product.addLocalization(toVersion: place.version, locale: locale) {
                    ListingLocalization(id: $0, locale: locale, name: name, description: description)
                }
            }
            return id
        }
        binding.update = { id, entity, at in
            guard let owner = try owner(id, at.catalog) else { return }
            let name = entity.has("name") ? try entity.requiredText("name") : nil
            let description = try entity.text("description")
            try at.catalog.update(owner.appleID) { product in
                try product.updateLocalization(id, resource) { text in
                    text.name = name ?? text.name
                    if entity.has("description") { text.description = description }
                }
            }
        }
        binding.delete = { id, at in
            guard let owner = try owner(id, at.catalog) else { return }
            try at.catalog.update(owner.appleID) { try $0.deleteLocalization(id, resource) }
        }
        binding.app = { id, at in try at.catalog.app(ofPart: id) }
        binding.followsFromCatalog = true
        return binding
    }

    /// Returns the product of a new localization, and the version, if the request names that.
    private static func place(
        of entity: ConnectEntity, _ parent: String, renews: Bool, _ at: ConnectEditing
    ) throws -> (product: Int64, version: String?) {
        guard entity.has("version") else { return (try at.product(entity, parent, renews: renews), nil) }
        let version = try entity.requiredOne("version")
        guard let product = try at.catalog.product(ofPart: version, .version, renews: renews),
            product.version(version) != nil, let app = try at.catalog.owner(of: product.appleID), at.isVisible(app)
        else { throw entity.unknownRelated("version") }
        return (product.appleID, version)
    }

    // MARK: Groups

    private static func group(_ resource: TextResourceVersion) -> ConnectBinding {
        @Sendable func owner(_ id: String, _ catalog: CatalogReader) throws -> (
            app: Int64, key: String, group: SubscriptionGroup
        )? {
            try catalog.group(ofPart: id, .groupLocalization)
        }
        var binding = ConnectBinding(type: name("subscriptionGroupLocalizations", resource)) { id, at in
            guard let (version, text) = try owner(id, at.catalog)?.group.localization(id) else { return nil }
            var attributes: ConnectAttributes = [
                "name": .text(text.name), "locale": .text(text.locale),
                "customAppName": .optional(text.customAppName),
            ]
            if resource == .first { attributes["state"] = .text(version.state.ofLocalization) }
            return attributes
        }
        switch resource {
        case .first:
            binding.related["subscriptionGroup"] = { id, at in .optional(try owner(id, at.catalog)?.key) }
        case .second:
            binding.related["version"] = { id, at in
                .optional(try owner(id, at.catalog)?.group.localization(id)?.version.id)
            }
        }
        binding.create = { entity, at in
            let place = try groupPlace(of: entity, at)
            let (name, locale) = (try entity.requiredText("name"), try entity.requiredText("locale"))
            let customAppName = try entity.text("customAppName")
            var id = ""
            try at.catalog.update(group: place.group) { group in
                id = try group.addLocalization(toVersion: place.version, locale: locale) {
                    GroupLocalization(id: $0, locale: locale, name: name, customAppName: customAppName)
                }
            }
            return id
        }
        binding.update = { id, entity, at in
            guard let owner = try owner(id, at.catalog) else { return }
            let name = entity.has("name") ? try entity.requiredText("name") : nil
            let customAppName = try entity.text("customAppName")
            try at.catalog.update(group: owner.key) { group in
                try group.updateLocalization(id, resource) { text in
                    text.name = name ?? text.name
                    if entity.has("customAppName") { text.customAppName = customAppName }
                }
            }
        }
        binding.delete = { id, at in
            guard let owner = try owner(id, at.catalog) else { return }
            try at.catalog.update(group: owner.key) { try $0.deleteLocalization(id, resource) }
        }
        binding.app = { id, at in try owner(id, at.catalog)?.app }
        binding.followsFromCatalog = true
        return binding
    }

    private static func groupPlace(
        of entity: ConnectEntity, _ at: ConnectEditing
    ) throws -> (group: String, version: String?) {
        guard entity.has("version") else { return (try at.group(entity, "subscriptionGroup").key, nil) }
        let version = try entity.requiredOne("version")
        guard let found = try at.catalog.group(ofPart: version, .groupVersion), at.isVisible(found.app),
            found.group.version(version) != nil
        else { throw entity.unknownRelated("version") }
        return (found.key, version)
    }
}
