import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStore

/// control/v1/catalog/changes: the catalog's journal, which all environments share.
struct CatalogChangeRoutes {
    private struct ChangesAnswer: AnswerModel {
        struct Field: Model, Encodable {
            var name: String
            var before: String?
            var after: String?

            static let constraints: [String: Constraint] = [
                "name": .described("The path of the field, such as prices.DEU"),
                "before": .described("Missing if there was none, or if the value has parts"),
            ]
        }

        struct Item: Model, Encodable {
            var position: Int64
            var at: String
            var actor: String
            var bundleId: String?
            var subject: String
            var id: String
            var name: String
            var kind: String
            var fields: [Field]
            /// Missing for an edit.
            var importedFile: String?

            static let constraints: [String: Constraint] = [
                "at": .time, "subject": .oneOf(CatalogChange.Subject.self), "kind": .oneOf(CatalogChange.Kind.self),
                "actor": .described(
                    "key:ID, user:EMAIL, control or command-line:NAME; file:PATH in entries of earlier versions"),
                "importedFile": .described("The file that the actor has imported; missing for an edit"),
                "id": .described("The Apple ID of an app or product, or a subscription group's ID"),
                "name": .described("The bundle ID, product ID or reference name"),
            ]

            init(_ change: CatalogChange, bundleID: App.BundleID?) {
                position = change.position
                at = change.at.rfc3339(fraction: true)
                actor = change.actor.description
                bundleId = bundleID?.rawValue
                subject = change.subject.rawValue
                id = change.id
                name = change.name
                kind = change.kind.rawValue
                fields = change.fields.map { Field(name: $0.name, before: $0.before, after: $0.after) }
                importedFile = change.importedFile
            }
        }

        /// Oldest first.
        var changes: [Item]
        /// The value of `after` for the next page; missing on the last.
        var next: Int64?
    }

    let editor: CatalogEditor

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "catalog/changes", "Who changed the catalog, and which fields",
            query: [.changedApp, .afterChange, .listLimit], use: changes)
    }

    private func changes(_ call: Call<NoBody>, _: ControlContext) async throws -> ChangesAnswer {
        let limit = try call.listLimit()
        let after = try call.afterChange()
        let bundleID = call.query(.changedApp).map(App.BundleID.init(rawValue:))
        return try await editor.read { reader in
            let apps = try reader.apps()
            let app = apps.first { $0.bundleID == bundleID }
            if let bundleID, app == nil {
                throw StoreError(.appNotFound, bundleID.rawValue, "this store has no app with that bundle ID")
            }
            let found = try reader.changes(after: after, limit: limit + 1, app: app?.appleID)
            let names = Dictionary(apps.map { ($0.appleID, $0.bundleID) }) { first, _ in first }
            let page = found.prefix(limit)
            return ChangesAnswer(
                changes: page.map { ChangesAnswer.Item($0, bundleID: names[$0.app]) },
                next: found.count > limit ? page.last?.position : nil)
        }
    }
}

extension QueryParameter {
    fileprivate static let changedApp = QueryParameter("bundleId", .described("Only this app's changes"))
    fileprivate static let afterChange = QueryParameter(
        "after", .pattern("^[0-9]{1,18}$", "The `next` of the page before"))
}

extension Call {
    /// - Throws: ``APIError`` `malformedRequest`.
    fileprivate func afterChange() throws -> Int64 {
        guard let text = query(.afterChange) else { return 0 }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), text.utf8.count <= 18, let position = Int64(text) else {
            throw APIError(.badRequest, "malformedRequest", "after is the next of an earlier answer", field: "after")
        }
        return position
    }
}
