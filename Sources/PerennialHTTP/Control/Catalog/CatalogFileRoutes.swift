import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStore

/// control/v1/catalog/import and export: the catalog as files.
struct CatalogFileRoutes {
    /// The largest catalog in a request, as in a file.
    private static let maximumBodyLength = 64 << 20

    private struct ImportBody: RequestModel {
        var catalog: String
        var keep: String?
        var preview: Bool?
        var file: String?
        var storeKitApps: [String]?
        var revision: Int64?

        static let constraints: [String: Constraint] = [
            "catalog": .described("YAML, as in a catalog file"), "keep": .oneOf(CatalogPreference.self),
            "preview": .described("True to change nothing"),
            "revision": Constraint.range(0...Int64.max).and(
                .described("That of a preview: if the catalog has changed since, nothing is imported")),
            "storeKitApps": .described("Apps from .storekit files alone: what such files can't say stays"),
            "file": .pattern(#"^[^\u0000-\u001F]{1,1000}$"#, "The file's name, beside the author in the journal"),
        ]
    }

    private struct ImportAnswer: AnswerModel {
        struct App: Model, Encodable {
            var bundleId: String
            var isNew: Bool
            var changes: [CatalogDifferenceModel]
            var conflicts: [Conflict]
            var kept: [Conflict]
            var contradictions: [Contradiction]
            var leftOut: [Contradiction]
            var onlyInStore: [String]

            static let constraints: [String: Constraint] = [
                "conflicts": .described("Fields that the file and the store have changed"),
                "kept": .described("Conflicts that keep: store has decided"),
                "contradictions": .described("Changes that the sales of a product don't allow"),
                "leftOut": .described("Contradictions that keep: store has left out"),
                "onlyInStore": .described("Products that the catalog doesn't have and that stay"),
            ]

            init(_ app: CatalogImportReport.App) {
                bundleId = app.bundleID.rawValue
                isNew = app.isNew
                changes = app.changes.map(CatalogDifferenceModel.init)
                conflicts = app.conflicts.map(Conflict.init)
                kept = app.kept.map(Conflict.init)
                contradictions = app.contradictions.map(Contradiction.init)
                leftOut = app.leftOut.map(Contradiction.init)
                onlyInStore = app.onlyInStore
            }
        }

        struct Conflict: Model, Encodable {
            var subject: String
            var id: String
            var field: String
            var base: String?
            var file: String?
            var store: String?
            var text: String

            static let constraints: [String: Constraint] = [
                "subject": .oneOf(CatalogChange.Subject.self), "field": .described("Empty for the whole resource"),
                "base": .described("The value in the last imported file"),
            ]

            init(_ conflict: CatalogConflict) {
                (subject, id) = (conflict.subject.kind.rawValue, conflict.subject.id)
                (field, base, file, store) = (conflict.field, conflict.base, conflict.file, conflict.store)
                text = conflict.description
            }
        }

        struct Contradiction: Model, Encodable {
            var productId: String
            var field: String
            var file: String?
            var store: String?
            var text: String

            init(_ contradiction: CatalogContradiction) {
                productId = contradiction.product
                (field, file, store) = (contradiction.field, contradiction.file, contradiction.store)
                text = contradiction.description
            }
        }

        /// True if the changes are made.
        var isApplied: Bool
        var apps: [App]
        /// The catalog's revision at a preview.
        var revision: Int64?
    }

    private struct ExportAnswer: AnswerModel {
        struct App: Model, Encodable {
            var bundleId: String
            /// YAML.
            var catalog: String
        }

        var apps: [App]
    }

    let registry: StoreRegistry
    let editor: CatalogEditor

    func add(to routes: RouteGroup<ControlContext>) {
        routes.post(
            "catalog/import", "Import a catalog, or preview its changes", errors: [409],
            maximumBodyLength: Self.maximumBodyLength, use: importFile)
        routes.get(
            "catalog/export", "The catalog as files", query: [.exportedApp, .exportedSecrets], errors: [404],
            use: export)
    }

    private func importFile(_ call: Call<ImportBody>, _ context: ControlContext) async throws -> ImportAnswer {
        let body = try await call.body()
        let preference = try body.keep.map { try ControlFields.value($0, field: "keep") as CatalogPreference }
        let importer = CatalogImporter(editor: editor, randomBytes: registry.randomBytes)
        do {
            var catalog = try Catalog(document: body.catalog.utf8, name: body.file ?? "catalog")
            catalog.storeKitApps = Set((body.storeKitApps ?? []).map(App.BundleID.init(rawValue:)))
            let isPreview = body.preview ?? false
            let report: CatalogImportReport
            if isPreview {
                report = try await importer.preview(catalog, preferring: preference)
            } else {
                report = try await importer.import(
                    catalog, by: call.request.catalogActor, from: body.file, preferring: preference,
                    expecting: body.revision)
                try await registry.redirect(report.notifications)
            }
            return ImportAnswer(
                isApplied: !isPreview, apps: report.apps.map(ImportAnswer.App.init), revision: report.revision)
        } catch let error as CatalogError {
            throw APIError(.conflict, "catalogRefused", "\(error)", field: "catalog")
        } catch let error as CatalogImportError {
            throw APIError(.conflict, "catalogConflict", "\(error)", field: "catalog")
        }
    }

    private func export(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ExportAnswer {
        let bundleID = call.query(.exportedApp).map(App.BundleID.init(rawValue:))
        let includesSecrets = call.query(.exportedSecrets) == "true"
        return try await editor.read { reader in
            if let bundleID { _ = try reader.found(bundleID) }
            return ExportAnswer(
                apps: try reader.export(bundleID, includesSecrets: includesSecrets).map {
                    ExportAnswer.App(bundleId: $0.bundleID.rawValue, catalog: $0.document)
                })
        }
    }
}

/// A field of the catalog with two values.
struct CatalogDifferenceModel: Model, Encodable {
    var subject: String
    var id: String
    var field: String
    var before: String?
    var after: String?
    var text: String

    static let constraints: [String: Constraint] = [
        "subject": .oneOf(CatalogChange.Subject.self), "field": .described("Empty for the whole resource"),
        "before": .described("Missing for the default"), "after": .described("Missing for the default"),
    ]

    init(_ difference: CatalogDifference) {
        (subject, id) = (difference.subject.kind.rawValue, difference.subject.id)
        (field, before, after) = (difference.field, difference.before, difference.after)
        text = difference.description
    }
}

/// control/v1/apps/BUNDLE_ID/catalog/overrides: what an environment sells differently from the catalog.
struct CatalogOverrideRoutes {
    private struct OverridesAnswer: AnswerModel { var overrides: [CatalogDifferenceModel] }

    let editor: CatalogEditor

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("apps/:bundleId/catalog/overrides", "What this environment sells differently from the catalog") {
            (_: Call<NoBody>, context) in
            let (app, environment) = (context.bundleID, context.store.environment)
            return try await editor.read { reader in
                OverridesAnswer(
                    overrides: try reader.overrides(of: try reader.found(app), in: environment)
                        .map(CatalogDifferenceModel.init))
            }
        }
    }
}

extension QueryParameter {
    fileprivate static let exportedApp = QueryParameter("bundleId", .described("Only this app"))
    fileprivate static let exportedSecrets = QueryParameter(
        "secrets", .described("true for a catalog with the apps' shared secrets"))
}
