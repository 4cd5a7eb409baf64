import Hummingbird
import Perennial
import PerennialStore

/// `v1/apps`: the seller's apps, as far as clients of reports look them up.
struct AppEndpoints: Sendable {
    private static let attributes = [
        "accessibilityUrl", "bundleId", "contentRightsDeclaration", "isOrEverWasMadeForKids", "name", "primaryLocale",
        "sku", "streamlinedPurchasingEnabled", "subscriptionStatusUrl", "subscriptionStatusUrlForSandbox",
        "subscriptionStatusUrlVersion", "subscriptionStatusUrlVersionForSandbox",
    ]
    private static let fields = ConnectQuery.Parameter.fields("apps", attributes)

    func add(to routes: ConnectRoutes) {
        let filters = ["bundleId", "id", "name", "sku"].map { ConnectQuery.Parameter.filter($0) }
        routes.get(
            "v1/apps", .readApps,
            filters + [Self.fields, .sort("bundleId", "name", "sku")] + ConnectQuery.Parameter.paging, use: list)
        routes.get("v1/apps/:id", .readApps, [Self.fields], use: app)
    }

    @Sendable private func list(_ call: ConnectRoutes.Call) async throws -> Response {
        let query = call.query
        func isChosen(_ value: String, _ filter: String) -> Bool {
            query.values("filter[\(filter)]")?.contains(value) ?? true
        }
        var apps = try await call.store.products.apps().filter { app in
            isChosen(app.app.bundleID.rawValue, "bundleId") && isChosen(String(app.app.appleID), "id")
                && isChosen(app.app.name, "name") && isChosen(app.app.bundleID.rawValue, "sku")
        }
        if let (attribute, isDescending) = query.sort {
            func key(_ app: SellerApp) -> String { attribute == "name" ? app.app.name : app.app.bundleID.rawValue }
            apps.sort { isDescending ? key($1) < key($0) : key($0) < key($1) }
        }
        return try ConnectDocument(
            ConnectPage(of: apps, query).map(Self.resource), call.links, fields: Self.chosen(call)
        ).response()
    }

    @Sendable private func app(_ call: ConnectRoutes.Call) async throws -> Response {
        let app = try await Self.app(call.id, call.store)
        return try ConnectDocument(Self.resource(app), call.links, fields: Self.chosen(call)).response()
    }

    private static func chosen(_ call: ConnectRoutes.Call) -> [String: Set<String>] {
        call.query.fields("apps").map { ["apps": $0] } ?? [:]
    }

    /// Finds an app by its Apple ID.
    ///
    /// - Throws: ``ConnectFailure`` 404.
    static func app(_ id: String, _ store: Store) async throws -> SellerApp {
        guard let app = try await store.products.apps().first(where: { String($0.app.appleID) == id }) else {
            throw ConnectFailure.notFound("apps", id)
        }
        return app
    }

    private static func resource(_ app: SellerApp) -> ConnectResource {
        ConnectResource(
            type: "apps", id: String(app.app.appleID),
            attributes: [
                "accessibilityUrl": .null, "bundleId": .text(app.app.bundleID.rawValue),
                "contentRightsDeclaration": .null, "isOrEverWasMadeForKids": .bool(false),
                "name": .text(app.app.name),
                "primaryLocale": .text(app.app.defaultLocale.replacing("_", with: "-")),
                // The catalog knows no other name of the seller's for an app.
                "sku": .text(app.app.bundleID.rawValue), "streamlinedPurchasingEnabled": .null,
                "subscriptionStatusUrl": .optional(app.production?.url),
                "subscriptionStatusUrlForSandbox": .optional(app.sandbox?.url),
                "subscriptionStatusUrlVersion": .optional(app.production.map(version)),
                "subscriptionStatusUrlVersionForSandbox": .optional(app.sandbox.map(version)),
            ])
    }

    private static func version(_ settings: NotificationSettings) -> String {
        settings.version == .one ? "V1" : "V2"
    }
}
