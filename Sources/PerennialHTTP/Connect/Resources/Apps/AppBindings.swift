import Perennial
import PerennialConnect
import PerennialStore

/// Bindings of `apps`.
enum AppBindings {
    static let all: [ConnectBinding] = [apps] + AppAvailabilityBindings.all

    private static var apps: ConnectBinding {
        var binding = ConnectBinding(type: "apps") { id, at in
            guard let app = try app(id, at.catalog) else { return nil }
            return try attributes(app, at)
        }
        binding.list = { at in
            let apps = try at.catalog.apps().map(\.appleID).filter { at.visibleApps?.contains($0) ?? true }
            return ConnectIDs(count: apps.count) { String(apps[$0]) }
        }
        binding.related = [
            "inAppPurchasesV2": { id, at in .many(try products(id, renews: false, at)) },
            "subscriptionGroups": { id, at in
                .many(try Int64(connectID: id).map { try at.catalog.groupIDs(app: $0) } ?? [])
            },
            "subscriptionGracePeriod": { id, _ in .one(id) }, "appAvailabilityV2": { id, _ in .one(id) },
        ]
        binding.update = { id, entity, at in
            guard let app = try app(id, at.catalog) else { return }
            try update(app, entity, at)
            try updateNotifications(of: app.appleID, entity, at)
        }
        binding.filters["id"] = { ids, values, _ in try ids.filter(values.contains) }
        binding.app = { id, _ in Int64(connectID: id) }
        return binding
    }

    private static func app(_ id: String, _ catalog: CatalogReader) throws -> App? {
        try Int64(connectID: id).flatMap(catalog.app)
    }

    private static func products(_ id: String, renews: Bool, _ at: ConnectReading) throws -> ConnectIDs {
        let products = try Int64(connectID: id).map { try at.catalog.productIDs(app: $0, renewing: renews) } ?? []
        return ConnectIDs(count: products.count) { String(products[$0]) }
    }

    private static func attributes(_ app: App, _ at: ConnectReading) throws -> ConnectAttributes {
        func settings(_ environment: StoreEnvironment.ID) throws -> NotificationSettings? {
            try NotificationSettings(of: app.appleID, environment, on: at.catalog.connection)
        }
        let (production, sandbox) = (try settings(.production), try settings(.sandbox))
        return [
            "accessibilityUrl": .optional(app.listing?.accessibilityURL), "bundleId": .text(app.bundleID.rawValue),
            "contentRightsDeclaration": .optional(app.listing?.contentRights), "isOrEverWasMadeForKids": .bool(false),
            "name": .text(app.name), "primaryLocale": .text(AppStoreLocale.connect(app.defaultLocale)),
            "sku": .text(app.sku), "streamlinedPurchasingEnabled": .optional(app.listing?.streamlinesPurchasing),
            "subscriptionStatusUrl": .optional(production?.url),
            "subscriptionStatusUrlForSandbox": .optional(sandbox?.url),
            "subscriptionStatusUrlVersion": .optional(production?.versionName),
            "subscriptionStatusUrlVersionForSandbox": .optional(sandbox?.versionName),
        ]
    }

    private static func update(_ app: App, _ entity: ConnectEntity, _ at: ConnectEditing) throws {
        if let bundleID = try entity.text("bundleId"), bundleID != app.bundleID.rawValue {
            throw CatalogEditError(
                .invalid, at: .attribute("bundleId"), "The bundle ID of an app that was registered can't be changed.")
        }
        let locale = entity.has("primaryLocale") ? try entity.requiredText("primaryLocale") : nil
        let (url, rights) = (try entity.text("accessibilityUrl"), try entity.text("contentRightsDeclaration"))
        let isStreamlined = try entity.bool("streamlinedPurchasingEnabled")
        try at.catalog.update(app: app.appleID) { app in
            if let locale { try app.setPrimaryLocale(locale) }
            if entity.has("accessibilityUrl") { try app.setAccessibilityURL(url) }
            if entity.has("contentRightsDeclaration") { app.setContentRights(rights) }
            if entity.has("streamlinedPurchasingEnabled") { app.setStreamlinesPurchasing(isStreamlined) }
        }
    }

    // MARK: Server notifications

    private static func updateNotifications(of app: Int64, _ entity: ConnectEntity, _ at: ConnectEditing) throws {
        for (environment, suffix) in [(StoreEnvironment.ID.production, ""), (.sandbox, "ForSandbox")] {
            try updateNotifications(
                of: app, environment, url: "subscriptionStatusUrl\(suffix)",
                version: "subscriptionStatusUrlVersion\(suffix)", entity, at)
        }
    }

    /// Sets, changes or removes the address of server notifications in an environment. Retries, time-out and injected faults
    /// stay.
    private static func updateNotifications(
        of app: Int64, _ environment: StoreEnvironment.ID, url urlName: String, version versionName: String,
        _ entity: ConnectEntity, _ at: ConnectEditing
    ) throws {
        guard entity.has(urlName) || entity.has(versionName) else { return }
        let connection = at.catalog.connection
        let before = try NotificationSettings(of: app, environment, on: connection)
        let version = try entity.text(versionName).map { $0 == "V1" ? NotificationTerms.Version.one : .two }
        if entity.isNull(urlName) {
            guard let before else { return }
            try NotificationSettings.remove(of: app, environment, on: connection)
            try at.catalog.note([CatalogChange.Field(name: urlName, before: before.url)], ofApp: app)
            return
        }
        guard let url = try entity.text(urlName) ?? before?.url else {
            guard version != nil else { return }
            throw CatalogEditError(
                .required, at: .attribute(urlName),
                "You must provide a value for the attribute '\(urlName)' with this request")
        }
        guard NotificationTerms.isURL(url) else {
            throw CatalogEditError(
                .invalid, at: .attribute(urlName), "'\(url)' is not valid: expected \(NotificationTerms.urlRule).")
        }
        var settings = before ?? NotificationSettings(url: url)
        settings.url = url
        settings.version = version ?? settings.version
        guard settings != before else { return }
        try settings.store(for: app, environment, realTime: at.catalog.at, on: connection)
        var fields: [CatalogChange.Field] = []
        if before?.url != url { fields.append(.init(name: urlName, before: before?.url, after: url)) }
        if before?.version != settings.version {
            fields.append(.init(name: versionName, before: before?.versionName, after: settings.versionName))
        }
        try at.catalog.note(fields, ofApp: app)
    }
}

extension NotificationSettings {
    /// App Store Connect's name of the version.
    fileprivate var versionName: String { version == .one ? "V1" : "V2" }
}
