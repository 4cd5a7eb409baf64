import Perennial
import PerennialStorage

/// Writes the changed rows and their entries in the catalog's journal.
extension CatalogDraft {
    /// Writes all changes before the end of the edit, for work in the same transaction that reads the catalog otherwise.
    package func writeThrough() throws {
        try prepareTransaction()
        try writeRows()
        try writeHead()
    }

    /// Writes the changes and the journal.
    func finish() throws {
        try writeRows()
        for change in try numberedChanges().map(CatalogChangesTable.Entry.init) {
            try CatalogChangesTable.insert(change, on: rows)
        }
        try writeHead()
    }

    /// Returns the entries of the journal with their positions.
    func numberedChanges() -> [CatalogChange] {
        (changes() + noted).map { change in
            head.position += 1
            var change = change
            change.position = head.position
            change.importedFile = importedFile
            return change
        }
    }

    /// Adds to the journal a change of an app's settings that are stored beside the catalog, such as the URLs of server
    /// notifications.
    package func note(_ fields: [CatalogChange.Field], ofApp id: Int64) throws {
        guard let app = try app(id), !fields.isEmpty else { return }
        noted.append(
            CatalogChange(
                position: 0, at: at, actor: actor, app: id, subject: .app, id: "\(id)", name: app.bundleID.rawValue,
                kind: .changed, fields: fields))
    }

    /// Gives the catalog the revision of the changed rows, if there are any.
    func raiseRevision() {
        if !originals.isEmpty || !originalGroups.isEmpty || !originalApps.isEmpty { head.revision = newRevision }
    }

    private func writeHead() throws {
        raiseRevision()
        guard head != writtenHead else { return }
        try CatalogHeadTable.update(head, on: rows)
        writtenHead = head
    }

    func writeRows() throws { try unwrittenRows().write(on: rows) }

    /// Returns the rows that aren't written yet, which then count as written.
    func unwrittenRows() throws -> CatalogRows {
        var changed = CatalogRows()
        for id in unwrittenApps.sorted() {
            guard case (let app, var record)?? = appRecords[id] else { continue }
            record.revision = newRevision
            record.definition = try CatalogDocument.encode(app)
            changed.apps.append(record)
        }
        for key in unwrittenGroups.sorted() {
            if case (let app, let group)?? = groups[key] {
                changed.groups.append(
                    SubscriptionGroupsTable.Record(
                        app: app, id: group.id, key: key, revision: newRevision,
                        definition: try CatalogDocument.encode(group)))
            } else {
                changed.deletedGroups.append(key)
            }
        }
        for id in unwritten.sorted() {
            let present = products[id] ?? nil
            guard let loaded = present ?? deleted[id] else { continue }
            let listing = loaded.product.listing
            changed.products.append(
                ProductsTable.Record(
                    loaded.product.product, app: loaded.app, revision: newRevision, isDeleted: present == nil,
                    definition: try CatalogDocument.encode(loaded.product.product),
                    listing: listing == ProductListing() ? "" : try CatalogDocument.encode(listing)))
        }
        (unwrittenApps, unwrittenGroups, unwritten) = ([], [], [])
        return changed
    }

    /// The entries of the journal, without positions: apps, then groups, then products.
    private func changes() -> [CatalogChange] {
        var changes: [CatalogChange] = []
        for (id, before) in originalApps.sorted(by: { $0.key < $1.key }) {
            guard let after = appRecords[id]??.app else { continue }
            add(.app, "\(id)", after.bundleID.rawValue, app: id, before, after, to: &changes)
        }
        for (key, before) in originalGroups.sorted(by: { $0.key < $1.key }) {
            let after = groups[key] ?? nil
            guard let app = after?.app ?? before?.app else { continue }
            let name = after?.group.referenceName ?? before?.group.referenceName ?? ""
            add(.group, key, name, app: app, before?.group, after?.group, to: &changes)
        }
        for (id, before) in originals.sorted(by: { $0.key < $1.key }) {
            let after = products[id] ?? nil
            guard let either = after ?? before else { continue }
            let name = either.product.id.rawValue
            add(.product, "\(id)", name, app: either.app, before?.product, after?.product, to: &changes)
        }
        return changes
    }

    private func add<Resource>(
        _ subject: CatalogChange.Subject, _ id: String, _ name: String, app: Int64, _ before: Resource?,
        _ after: Resource?, to changes: inout [CatalogChange]
    ) {
        let kind: CatalogChange.Kind
        var fields: [CatalogChange.Field] = []
        switch (before, after) {
        case (nil, nil): return
        case (nil, _?): kind = .created
        case (_?, nil): kind = .deleted
        case (let before?, let after?):
            kind = .changed
            fields = CatalogChange.Field.differences(between: before, and: after)
            guard !fields.isEmpty else { return }
        }
        changes.append(
            CatalogChange(
                position: 0, at: at, actor: actor, app: app, subject: subject, id: id, name: name, kind: kind,
                fields: fields))
    }
}
