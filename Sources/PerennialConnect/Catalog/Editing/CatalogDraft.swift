import Perennial
import PerennialStorage

/// Reads and changes the catalog's rows. A read returns what was changed before.
///
/// A draft writes in its transaction, or it is made on a snapshot and becomes a ``PlannedEdit``.
package final class CatalogDraft: CatalogReader {
    package let actor: CatalogActor
    /// The real time of the edit.
    package let at: Instant
    /// Counters at present; written at the end.
    var head: CatalogHeadTable.Head
    /// The counters in the database.
    var writtenHead: CatalogHeadTable.Head
    /// The revision that the changed rows get.
    let newRevision: Int64
    /// The changed resources as they were before the edit; `nil` for new ones.
    var originals: [Int64: LoadedProduct?] = [:]
    var originalGroups: [String: (app: Int64, group: SubscriptionGroup)?] = [:]
    var originalApps: [Int64: App?] = [:]
    /// The changed resources that aren't written yet.
    var unwritten: Set<Int64> = []
    var unwrittenGroups: Set<String> = []
    var unwrittenApps: Set<Int64> = []
    /// The deleted products, whose rows stay.
    var deleted: [Int64: LoadedProduct] = [:]
    /// The name of the file that the edit imports; the journal has it beside the author.
    var importedFile: String?
    /// Changes of settings beside the catalog, for the journal.
    var noted: [CatalogChange] = []
    /// True if a row that isn't written yet would be found, or not found, otherwise than by its key.
    private var mustWriteBeforeQuery = false
    /// Stands in for the connection of a draft on a snapshot.
    private let unplanned: UnplannedConnection?
    /// The era in which the counters were read (`Database.era`).
    private let headEra: Int64
    private var conditions: [@Sendable (any Connection) throws -> Bool] = []

    /// Locks the catalog against other edits until the commit.
    init(actor: CatalogActor, at: Instant, on connection: any Connection) throws {
        self.actor = actor
        self.at = at
        headEra = connection.era
        head = try CatalogHeadTable.lock(on: connection)
        writtenHead = head
        newRevision = head.revision + 1
        unplanned = nil
        super.init(on: connection)
    }

    /// Makes a draft on a snapshot.
    init(planning actor: CatalogActor, at: Instant, on snapshot: any Connection, decoded: DecodedCatalog) throws {
        self.actor = actor
        self.at = at
        headEra = snapshot.era
        head = try CatalogHeadTable.head(on: snapshot)
        writtenHead = head
        newRevision = head.revision + 1
        unplanned = UnplannedConnection(snapshot)
        try super.init(on: snapshot, decoded: decoded)
    }

    package override var connection: any Connection { unplanned ?? rows }

    package override func consistent<Value: Equatable & Sendable>(
        _ read: @escaping @Sendable (any Connection) throws -> Value
    ) throws -> Value {
        guard unplanned != nil else { return try read(rows) }
        let value = try read(rows)
        conditions.append { try read($0) == value }
        return value
    }

    /// - Throws: ``EditNeedsTransaction`` if the draft is on a snapshot.
    func prepareTransaction() throws {
        if let unplanned { throw unplanned.refusal() }
    }

    /// True if a draft on a snapshot must be made in a transaction instead.
    var needsTransaction: Bool { unplanned?.hasRefused ?? false }

    /// Ends a draft on a snapshot.
    func plan() throws -> PlannedEdit {
        let before = writtenHead
        let rows = try unwrittenRows()
        let journal = try numberedChanges().map(CatalogChangesTable.Entry.init)
        raiseRevision()
        return PlannedEdit(
            era: headEra, before: before, after: head, rows: rows, journal: journal, conditions: conditions,
            products: mustWriteBeforeQuery ? [] : originals.keys.compactMap { products[$0] ?? nil })
    }

    override func prepareQuery() throws {
        guard mustWriteBeforeQuery else { return }
        try prepareTransaction()
        try writeRows()
        mustWriteBeforeQuery = false
    }

    /// Returns a number that was never given before, of 10 digits: for products, groups and offers.
    package func nextNumber() throws -> Int64 {
        try prepareQuery()
        while try ProductsTable.isTaken(head.nextNumber, on: rows)
            || SubscriptionGroupsTable.record(key: "\(head.nextNumber)", on: rows) != nil
        { head.nextNumber += 1 }
        defer { head.nextNumber += 1 }
        return head.nextNumber
    }

    // MARK: Products

    /// Adds a product. Its Apple ID must be set.
    /// - Throws: ``CatalogEditError`` `.duplicate` if the app has or had a product with the ID.
    package func insert(_ product: CatalogProduct, app: Int64) throws {
        if let known = try number(of: product.id, app: app) {
            throw CatalogEditError(
                .duplicate, at: .attribute("productId"),
                known.isDeleted
                    ? "'\(product.id)' was the ID of a deleted product, and IDs are never used again"
                    : "'\(product.id)' is the ID of another product")
        }
        try put(product, app: app)
    }

    /// Adds a product again after it was deleted, with the Apple ID that it had. For files, which may have it again.
    package func revive(_ product: CatalogProduct, app: Int64) throws {
        guard let known = try number(of: product.id, app: app), known.isDeleted else {
            throw CatalogEditError(.notFound, "no deleted product has the ID '\(product.id)'")
        }
        var product = product
        product.product.appleID = known.id
        deleted[known.id] = nil
        record(known.id, nil)
        set(LoadedProduct(app: app, product: product))
    }

    private func put(_ product: CatalogProduct, app: Int64) throws {
        guard product.appleID > 0, try !ProductsTable.isTaken(product.appleID, on: rows) else {
            throw CatalogEditError(.duplicate, "another product has or had the Apple ID \(product.appleID)")
        }
        guard try loadedApp(app) != nil else {
            throw CatalogEditError(.notFound, at: .relationship("app"), "there is no app with the Apple ID \(app)")
        }
        record(product.appleID, nil)
        set(LoadedProduct(app: app, product: product))
    }

    /// Changes a product. Its Apple ID stays.
    /// - Parameter revision: The revision that the caller has read; `nil` to change any.
    /// - Throws: ``CatalogEditError`` `.notFound`, `.changedMeanwhile` or `.duplicate`, or the error of the change.
    package func update(
        _ appleID: Int64, expecting revision: Int64? = nil, _ change: (inout CatalogProduct) throws -> Void
    ) throws {
        guard let loaded = try loaded(appleID) else { throw Self.missing("product", "\(appleID)") }
        try expect(revision, of: appleID)
        var changed = loaded
        try change(&changed.product)
        changed.product.product.appleID = appleID
        guard changed.product != loaded.product else { return }
        if changed.product.id != loaded.product.id, try number(of: changed.product.id, app: loaded.app) != nil {
            throw CatalogEditError(
                .duplicate, at: .attribute("productId"), "'\(changed.product.id)' is or was the ID of another product")
        }
        record(appleID, loaded)
        set(changed, before: loaded.product)
    }

    /// Deletes a product. Its ID stays reserved.
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package func delete(_ appleID: Int64) throws {
        guard let loaded = try loaded(appleID) else { throw Self.missing("product", "\(appleID)") }
        record(appleID, loaded)
        deleted[appleID] = loaded
        products[appleID] = .some(nil)
        unwritten.insert(appleID)
        mustWriteBeforeQuery = true
    }

    private func record(_ appleID: Int64, _ original: LoadedProduct?) {
        if originals[appleID] == nil { originals[appleID] = .some(original) }
    }

    private func set(_ loaded: LoadedProduct, before: CatalogProduct? = nil) {
        var loaded = loaded
        loaded.product.revision = newRevision
        let product = loaded.product.product
        products[product.appleID] = loaded
        unwritten.insert(product.appleID)
        if before?.id != product.id || before?.product.type != product.type
            || before?.product.subscription?.groupID != product.subscription?.groupID
        {
            mustWriteBeforeQuery = true
        }
    }

    // MARK: Groups

    /// Adds a subscription group.
    /// - Returns: The group's key.
    /// - Throws: ``CatalogEditError`` `.duplicate`.
    @discardableResult
    package func insert(_ group: SubscriptionGroup, app: Int64) throws -> String {
        guard try groupKey(group.id, app: app) == nil else {
            throw CatalogEditError(.duplicate, "the app has a group with the ID '\(group.id)'")
        }
        let key = try self.group(group.id) == nil ? group.id : "\(app).\(group.id)"
        if originalGroups[key] == nil { originalGroups[key] = .some(nil) }
        set(group, key, app: app)
        return key
    }

    /// Changes a subscription group. Its ID stays.
    /// - Throws: ``CatalogEditError`` `.notFound` or `.changedMeanwhile`, or the error of the change.
    package func update(
        group key: String, expecting revision: Int64? = nil, _ change: (inout SubscriptionGroup) throws -> Void
    ) throws {
        guard let loaded = try group(key) else { throw Self.missing("subscription group", key) }
        try expect(revision, ofGroup: key)
        var changed = loaded.group
        try change(&changed)
        changed.id = loaded.group.id
        guard changed != loaded.group else { return }
        if originalGroups[key] == nil { originalGroups[key] = loaded }
        set(changed, key, app: loaded.app)
    }

    /// Deletes a subscription group.
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package func delete(group key: String) throws {
        guard let loaded = try group(key) else { throw Self.missing("subscription group", key) }
        if originalGroups[key] == nil { originalGroups[key] = loaded }
        groups[key] = .some(nil)
        unwrittenGroups.insert(key)
        mustWriteBeforeQuery = true
    }

    private func set(_ group: SubscriptionGroup, _ key: String, app: Int64) {
        var group = group
        group.revision = newRevision
        let isNew = groups[key]?.map { _ in true } == nil
        groups[key] = (app, group)
        unwrittenGroups.insert(key)
        if isNew { mustWriteBeforeQuery = true }
    }

    // MARK: Apps

    /// Changes an app. Its products, bundle ID and Apple ID stay.
    /// - Throws: ``CatalogEditError`` `.notFound`, or the error of the change.
    package func update(app appleID: Int64, _ change: (inout App) throws -> Void) throws {
        guard let loaded = try loadedApp(appleID) else { throw Self.missing("app", "\(appleID)") }
        var app = loaded.app
        try change(&app)
        (app.products, app.appleID, app.bundleID) = ([], appleID, loaded.app.bundleID)
        guard app != loaded.app else { return }
        if originalApps[appleID] == nil { originalApps[appleID] = loaded.app }
        appRecords[appleID] = (app, loaded.record)
        unwrittenApps.insert(appleID)
    }

    /// Adds an app, without its products, or gives a known one another shared secret.
    func put(_ app: App, sharedSecret: String) throws {
        var app = app
        app.products = []
        let known = try loadedApp(app.appleID)
        if originalApps[app.appleID] == nil { originalApps[app.appleID] = .some(known?.app) }
        let record = AppsTable.Record(
            id: app.appleID, bundleID: app.bundleID, revision: newRevision, sharedSecret: sharedSecret, definition: "")
        appRecords[app.appleID] = (app, record)
        unwrittenApps.insert(app.appleID)
        // Others look for apps by their bundle IDs.
        try prepareTransaction()
        try writeRows()
    }

    static func missing(_ kind: String, _ id: String) -> CatalogEditError {
        CatalogEditError(.notFound, "there is no \(kind) with the ID '\(id)'")
    }
}

/// Two writers on one product or group: the later one states the revision that it has read, and is refused if there is
/// another by now. The parts of a product, such as its prices and offers, have the product's revision.
extension CatalogDraft {
    /// Checks that a product is as the caller has read it.
    ///
    /// - Parameter revision: The revision that the caller has read; `nil` to change any.
    /// - Throws: ``CatalogEditError`` `.notFound` or `.changedMeanwhile`.
    package func expect(_ revision: Int64?, of appleID: Int64) throws {
        guard let revision else { return }
        guard let loaded = try loaded(appleID) else { throw Self.missing("product", "\(appleID)") }
        // The edit itself may have changed it before.
        let before = originals[appleID] ?? loaded
        guard revision == before?.product.revision else { throw Self.changedMeanwhile("\(loaded.product.id)") }
    }

    /// Checks that a subscription group is as the caller has read it.
    ///
    /// - Parameter revision: The revision that the caller has read; `nil` to change any.
    /// - Throws: ``CatalogEditError`` `.notFound` or `.changedMeanwhile`.
    package func expect(_ revision: Int64?, ofGroup key: String) throws {
        guard let revision else { return }
        guard let loaded = try group(key) else { throw Self.missing("subscription group", key) }
        let before = originalGroups[key] ?? loaded
        guard revision == before?.group.revision else { throw Self.changedMeanwhile(loaded.group.referenceName) }
    }

    /// Checks that the whole catalog is as the caller has read it.
    ///
    /// - Parameter revision: The catalog's revision that the caller has read; `nil` to change any.
    /// - Throws: ``CatalogEditError`` `.changedMeanwhile`.
    package func expect(catalogRevision revision: Int64?) throws {
        guard let revision, try self.revision() != revision else { return }
        throw Self.changedMeanwhile("catalog")
    }

    /// The refusal of an edit of something that isn't as its caller has read it.
    package static func changedMeanwhile(_ name: String) -> CatalogEditError {
        CatalogEditError(.changedMeanwhile, "'\(name)' was changed by another writer after it was read: read it again")
    }
}
