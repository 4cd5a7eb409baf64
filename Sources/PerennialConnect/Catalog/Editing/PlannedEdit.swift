import Perennial
import PerennialStorage

/// The rows that an edit writes, as text already.
struct CatalogRows: Sendable {
    var apps: [AppsTable.Record] = []
    var groups: [SubscriptionGroupsTable.Record] = []
    /// The deleted groups by key.
    var deletedGroups: [String] = []
    var products: [ProductsTable.Record] = []

    func write(on connection: any Connection) throws {
        for app in apps { try AppsTable.upsert(app, on: connection) }
        for group in groups { try SubscriptionGroupsTable.upsert(group, on: connection) }
        for key in deletedGroups { try SubscriptionGroupsTable.delete(key: key, on: connection) }
        for product in products { try ProductsTable.upsert(product, on: connection) }
    }
}

/// An edit that was decided on a snapshot of the catalog, ready to be written if nothing it depends on has changed.
struct PlannedEdit: Sendable {
    /// The era of the snapshot (`Database.era`): in another one the same counters may stand for another catalog.
    let era: Int64
    /// The catalog's counters in the snapshot; every edit changes them.
    let before: CatalogHeadTable.Head
    let after: CatalogHeadTable.Head
    let rows: CatalogRows
    let journal: [CatalogChangesTable.Entry]
    /// True if what the edit has read beside the catalog is still the same.
    let conditions: [@Sendable (any Connection) throws -> Bool]
    /// The changed products, as they will be read.
    let products: [LoadedProduct]

    /// True if there is nothing to write.
    var isEmpty: Bool { before == after }

    /// Writes the edit.
    ///
    /// - Returns: False, and nothing is written, if the edit must be decided again.
    func write(on connection: any Connection) throws -> Bool {
        guard try CatalogHeadTable.lock(on: connection) == before, connection.era == era else { return false }
        for isMet in conditions {
            guard try isMet(connection) else { return false }
        }
        try rows.write(on: connection)
        for entry in journal { try CatalogChangesTable.insert(entry, on: connection) }
        try CatalogHeadTable.update(after, on: connection)
        return true
    }
}

/// Signals that an edit can't be decided on a snapshot, because it reads or writes more than the catalog's rows.
struct EditNeedsTransaction: Error {}

/// Stands in for the connection of an edit on a snapshot: reads of tables beside the catalog could be out of date
/// when the edit is written, and writes aren't possible.
final class UnplannedConnection: Connection {
    private let snapshot: any Connection
    /// True if a statement was refused, also where the edit has caught the error.
    private(set) var hasRefused = false

    init(_ snapshot: any Connection) { self.snapshot = snapshot }

    var engine: DatabaseEngine { snapshot.engine }
    var snapshotID: SnapshotID { snapshot.snapshotID }
    var era: Int64 { snapshot.era }
    var hasChangedCatalog: Bool { snapshot.hasChangedCatalog }
    var journalHead: JournalHead?

    func invalidateSnapshot() { hasRefused = true }

    func execute(_ sql: SQL, _ values: [SQLValue]) throws -> Int { throw refusal() }

    func forEachRow(_ sql: SQL, _ values: [SQLValue], _ body: (any Row) throws -> Void) throws { throw refusal() }

    func refusal() -> EditNeedsTransaction {
        hasRefused = true
        return EditNeedsTransaction()
    }
}
