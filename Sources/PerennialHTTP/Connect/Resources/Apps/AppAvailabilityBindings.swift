import BaseEncoding
import Perennial
import PerennialConnect

/// Bindings of `appAvailabilities`, which have their app's ID, and of their storefronts.
enum AppAvailabilityBindings {
    static let all: [ConnectBinding] = [availabilities, territories]

    private static var availabilities: ConnectBinding {
        var binding = ConnectBinding(type: "appAvailabilities") { id, at in
            try app(id, at.catalog).map { ["availableInNewTerritories": .bool($0.availability.includesNew)] }
        }
        binding.related["territoryAvailabilities"] = { id, at in
            guard let app = try app(id, at.catalog)?.appleID else { return .none }
            let all = Storefront.all
            return .many(
                ConnectIDs(count: all.count) { TerritoryAvailabilityID(app: app, storefront: all[$0].storefront).text })
        }
        binding.create = { entity, at in
            let app = try at.app(entity)
            var storefronts: [Storefront] = []
            for territory in entity.inline("territoryAvailabilities") {
                guard let storefront = Storefront(connectID: try territory.requiredOne("territory")) else {
                    throw territory.unknownRelated("territory")
                }
                if try isAvailable(territory, default: true) { storefronts.append(storefront) }
            }
            let includesNew = try entity.bool("availableInNewTerritories") ?? true
            try at.catalog.update(app: app) { try $0.setAvailability(storefronts, includesNew: includesNew) }
            return String(app)
        }
        binding.parent = "app"
        binding.content = { id, at in
            try app(id, at.catalog)?.availability.storefronts.map(\.rawValue).sorted() ?? []
        }
        binding.app = { id, _ in Int64(connectID: id) }
        binding.followsFromCatalog = true
        return binding
    }

    private static var territories: ConnectBinding {
        @Sendable func found(_ id: String, _ catalog: CatalogReader) throws -> (app: App, storefront: Storefront)? {
            try TerritoryAvailabilityID(id).flatMap { id in try catalog.app(id.app).map { ($0, id.storefront) } }
        }
        var binding = ConnectBinding(type: "territoryAvailabilities") { id, at in
            try found(id, at.catalog).map { app, storefront in
                let isAvailable = app.isAvailable(in: storefront)
                return [
                    "available": .bool(isAvailable), "releaseDate": .null, "preOrderEnabled": .bool(false),
                    "preOrderPublishDate": .null,
                    "contentStatuses": .texts([isAvailable ? "AVAILABLE" : "CANNOT_SELL"]),
                ]
            }
        }
        binding.related["territory"] = { id, _ in .optional(TerritoryAvailabilityID(id)?.storefront.rawValue) }
        binding.update = { id, entity, at in
            guard let (app, storefront) = try found(id, at.catalog) else { return }
            var storefronts = Set(app.availability.storefronts)
            if try isAvailable(entity, default: storefronts.contains(storefront)) {
                storefronts.insert(storefront)
            } else {
                storefronts.remove(storefront)
            }
            let chosen = Array(storefronts)
            try at.catalog.update(app: app.appleID) {
                try $0.setAvailability(chosen, includesNew: $0.availability.includesNew)
            }
        }
        binding.app = { id, _ in TerritoryAvailabilityID(id)?.app }
        binding.followsFromCatalog = true
        return binding
    }

    private static func app(_ id: String, _ catalog: CatalogReader) throws -> App? {
        try Int64(connectID: id).flatMap(catalog.app)
    }

    /// Reads whether the app is available in a storefront, and refuses pre-orders.
    private static func isAvailable(_ entity: ConnectEntity, default known: Bool) throws -> Bool {
        for name in ["releaseDate", "preOrderEnabled"] where entity.has(name) {
            if name == "releaseDate" ? try entity.text(name) == nil : try entity.bool(name) != true { continue }
            let place: CatalogEditError.Place = entity.index.map { .includedAttribute($0, name) } ?? .attribute(name)
            throw CatalogEditError(.invalid, at: place, "This store has no pre-orders.")
        }
        return try entity.bool("available") ?? known
    }
}

/// The ID of an app's availability in a storefront: `{"s":"1234567","t":"USA"}` in base64url.
struct TerritoryAvailabilityID: Hashable, Sendable {
    let app: Int64
    let storefront: Storefront

    init(app: Int64, storefront: Storefront) {
        (self.app, self.storefront) = (app, storefront)
    }

    /// - Returns: `nil` for a text that isn't an ID, or is written otherwise.
    init?(_ text: String) {
        guard text.utf8.count < 100, let bytes = Base64.decode(text, as: .url) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count == 9, let app = Int64(connectID: String(parts[3])),
            let storefront = Storefront(connectID: String(parts[7]))
        else { return nil }
        self.init(app: app, storefront: storefront)
        guard self.text == text else { return nil }
    }

    var text: String {
        Base64.encode(Array("{\"s\":\"\(app)\",\"t\":\"\(storefront.rawValue)\"}".utf8), as: .url)
    }
}
