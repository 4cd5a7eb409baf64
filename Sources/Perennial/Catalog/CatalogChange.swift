/// An entry of the catalog's journal: a change of one resource.
package struct CatalogChange: Hashable, Sendable {
    package enum Subject: String, Sendable, Codable, CaseIterable {
        case app, product, group
    }

    package enum Kind: String, Sendable, Codable, CaseIterable {
        case created, changed, deleted
    }

    /// A changed field.
    package struct Field: Hashable, Sendable, Codable {
        /// The path of the field, such as `referenceName` or `subscription.level`.
        package var name: String
        /// The value before; `nil` if there was none, or if it has parts.
        package var before: String?
        package var after: String?

        package init(name: String, before: String? = nil, after: String? = nil) {
            self.name = name
            self.before = before
            self.after = after
        }
    }

    /// The place in the journal, from 1 upwards.
    package var position: Int64
    /// The real time.
    package var at: Instant
    package var actor: CatalogActor
    /// The app's Apple ID.
    package var app: Int64
    package var subject: Subject
    /// The Apple ID of an app or product, or the group's ID.
    package var id: String
    /// The bundle ID, product ID or reference name.
    package var name: String
    package var kind: Kind
    /// The changed fields; empty for a created or deleted resource.
    package var fields: [Field]
    /// The name of the file that the author has imported; `nil` for an edit.
    package var importedFile: String?

    package init(
        position: Int64, at: Instant, actor: CatalogActor, app: Int64, subject: Subject, id: String, name: String,
        kind: Kind, fields: [Field] = [], importedFile: String? = nil
    ) {
        self.position = position
        self.at = at
        self.actor = actor
        self.app = app
        self.subject = subject
        self.id = id
        self.name = name
        self.kind = kind
        self.fields = fields
        self.importedFile = importedFile
    }
}
