import HTTPTypes
import Perennial
import PerennialConnect

/// control/v1/apps/BUNDLE_ID/catalog/groups: groups of auto-renewable subscriptions, the same in every environment.
struct CatalogGroupRoutes {
    private struct Text: Model, Codable {
        var locale: String
        /// Required for a new locale.
        var name: String?
        var customAppName: String?

        static let constraints: [String: Constraint] = ["locale": CatalogFields.locale, "name": CatalogFields.name]
    }

    private struct NewBody: RequestModel {
        var name: String
        var localizations: [Text]?

        static let constraints: [String: Constraint] = ["name": CatalogFields.name]
    }

    private struct ChangeBody: RequestModel {
        var name: String?
        var localizations: [Text]?
        var removedLocales: [String]?
        var revision: Int64?

        static let constraints: [String: Constraint] = [
            "name": CatalogFields.name, "localizations": .described("Replaced by locale; others stay"),
            "revision": CatalogFields.revision,
        ]
    }

    private struct GroupsAnswer: AnswerModel { var groups: [GroupModel] }

    private struct GroupModel: AnswerModel {
        var groupId: String
        var name: String
        /// The products, the highest level first.
        var products: [String]
        var version: Int
        var versionState: String
        var localizations: [Text]
        /// The number that a change may expect.
        var revision: Int64

        static let constraints: [String: Constraint] = ["versionState": .oneOf(MetadataVersion.State.self)]

        init(_ found: FoundGroup, _ reader: CatalogReader) throws {
            let (group, version) = (found.group, found.group.currentVersion)
            (groupId, name) = (group.id, group.referenceName)
            products = try reader.productIDs(group: found.key).compactMap { try reader.product($0)?.product }
                .sorted { ($0.subscription?.level ?? 0, $0.id) < ($1.subscription?.level ?? 0, $1.id) }
                .map(\.id.rawValue)
            (self.version, versionState) = (version.number, version.state.rawValue)
            localizations = version.localizations.map {
                Text(locale: $0.locale, name: $0.name, customAppName: $0.customAppName)
            }
            revision = group.revision
        }
    }

    let editor: CatalogEditor

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("apps/:bundleId/catalog/groups", "An app's subscription groups") { (_: Call<NoBody>, context) in
            let app = context.bundleID
            return try await editor.read { reader in
                let keys = try reader.groupIDs(app: try reader.found(app).appleID)
                return GroupsAnswer(
                    groups: try keys.compactMap { key in
                        try reader.group(key).map { try GroupModel(FoundGroup(key: key, group: $0.group), reader) }
                    })
            }
        }
        routes.post("apps/:bundleId/catalog/groups", "Make a subscription group", .created, errors: [409], use: create)
        routes.get("apps/:bundleId/catalog/groups/:group", "A subscription group, by ID or reference name") {
            (_: Call<NoBody>, context) in
            let (name, app) = (context.name("group"), context.bundleID)
            return try await editor.read { try GroupModel(try $0.found(group: name, of: app), $0) }
        }
        routes.post(
            "apps/:bundleId/catalog/groups/:group", "Change a subscription group", errors: [409], use: change)
        routes.post(
            "apps/:bundleId/catalog/groups/:group/submit", "Submit a group's names for review", errors: [409]
        ) { (call: Call<NoBody>, context) in
            let (name, app) = (context.name("group"), context.bundleID)
            return try await editor.edit(by: call.request.catalogActor) { draft in
                let found = try draft.found(group: name, of: app)
                _ = try draft.submitForReview(.group(found.key, version: found.group.currentVersion.id))
                return try GroupModel(try draft.found(group: found.key, of: app), draft)
            }
        }
        routes.delete(
            "apps/:bundleId/catalog/groups/:group", "Delete a group without subscriptions", query: [.revision],
            errors: [409]
        ) { (call: Call<NoBody>, context) in
            let (name, app, revision) = (context.name("group"), context.bundleID, try call.expectedRevision())
            try await editor.edit(by: call.request.catalogActor) { draft in
                let key = try draft.found(group: name, of: app).key
                try draft.expect(revision, ofGroup: key)
                try draft.deleteGroup(key)
            }
            return NoContent()
        }
    }

    private func create(_ call: Call<NewBody>, _ context: ControlContext) async throws -> GroupModel {
        let (body, app) = (try await call.body(), context.bundleID)
        return try await editor.edit(by: call.request.catalogActor) { draft in
            let key = try draft.createGroup(body.name, app: try draft.found(app).appleID)
            try draft.update(group: key) { try Self.setTexts(body.localizations ?? [], of: &$0) }
            return try GroupModel(try draft.found(group: key, of: app), draft)
        }
    }

    private func change(_ call: Call<ChangeBody>, _ context: ControlContext) async throws -> GroupModel {
        let (body, name, app) = (try await call.body(), context.name("group"), context.bundleID)
        return try await editor.edit(by: call.request.catalogActor) { draft in
            let key = try draft.found(group: name, of: app).key
            try draft.expect(body.revision, ofGroup: key)
            if let name = body.name { try draft.renameGroup(key, name) }
            try draft.update(group: key) { group in
                try Self.setTexts(body.localizations ?? [], of: &group)
                for locale in body.removedLocales ?? [] {
                    guard let text = Self.text(in: locale, group) else {
                        throw CatalogEditError(
                            .notFound, at: .attribute("removedLocales"), "There is no text in '\(locale)'.")
                    }
                    try group.deleteLocalization(text.id, .first)
                }
            }
            return try GroupModel(try draft.found(group: key, of: app), draft)
        }
    }

    private static func text(in locale: String, _ group: SubscriptionGroup) -> GroupLocalization? {
        group.currentVersion.localizations.first {
            AppStoreLocale.connect($0.locale) == AppStoreLocale.connect(locale)
        }
    }

    private static func setTexts(_ texts: [Text], of group: inout SubscriptionGroup) throws {
        for new in texts {
            if let known = text(in: new.locale, group) {
                try group.updateLocalization(known.id, .first) {
                    $0.name = new.name ?? $0.name
                    $0.customAppName = new.customAppName ?? $0.customAppName
                }
            } else {
                _ = try group.addLocalization(locale: AppStoreLocale.connect(new.locale)) {
                    GroupLocalization(
                        id: $0, locale: AppStoreLocale.connect(new.locale), name: new.name ?? "",
                        customAppName: new.customAppName)
                }
            }
        }
    }
}
