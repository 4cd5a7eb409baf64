import Perennial
import PerennialStorage

/// A product in a transaction, with its app.
struct LoadedProduct: Sendable {
    var app: Int64
    var product: CatalogProduct

    init(app: Int64, product: CatalogProduct) {
        self.app = app
        self.product = product
    }

    init(_ record: ProductsTable.Record) throws {
        app = record.app
        product = CatalogProduct(
            try CatalogDocument.decode(from: record.definition),
            listing: record.listing.isEmpty ? ProductListing() : try CatalogDocument.decode(from: record.listing),
            revision: record.revision)
    }
}

/// Reads the catalog's rows in a transaction. Each row is decoded once.
package class CatalogReader {
    /// The transaction, for the catalog's rows.
    final let rows: any Connection
    /// The transaction, for tables beside the catalog.
    package var connection: any Connection { rows }
    private let decoded: DecodedCatalog?
    /// The catalog's version, if `decoded` may be used.
    private let decodedVersion: CatalogVersion?
    /// `nil` for an Apple ID that no product has.
    final var products: [Int64: LoadedProduct?] = [:]
    /// The groups by key; `nil` for one that no group has.
    final var groups: [String: (app: Int64, group: SubscriptionGroup)?] = [:]
    final var appRecords: [Int64: (app: App, record: AppsTable.Record)?] = [:]
    private var hasAllApps = false

    package init(on connection: any Connection) {
        rows = connection
        decoded = nil
        decodedVersion = nil
    }

    init(on connection: any Connection, decoded: DecodedCatalog) throws {
        rows = connection
        self.decoded = decoded
        decodedVersion = try decoded.prepare(on: connection)
    }

    /// Reads a value of tables beside the catalog. If it is another one when the edit is written, the edit is decided
    /// again.
    package func consistent<Value: Equatable & Sendable>(
        _ read: @escaping @Sendable (any Connection) throws -> Value
    ) throws -> Value {
        try read(connection)
    }

    /// Called before rows are looked for by anything but their keys.
    func prepareQuery() throws {}

    /// Returns the catalog's revision, which every change raises.
    package func revision() throws -> Int64 {
        try decodedVersion?.revision ?? CatalogHeadTable.revision(on: rows)
    }

    /// The era of the revision (`Database.era`).
    package var era: Int64 { decodedVersion?.era ?? rows.era }

    // MARK: Apps

    /// Returns the apps without their products, ordered by Apple ID.
    package func apps() throws -> [App] {
        if !hasAllApps {
            for record in try AppsTable.all(on: rows) where appRecords[record.id] == nil {
                appRecords[record.id] = (try CatalogDocument.decode(from: record.definition), record)
            }
            hasAllApps = true
        }
        return appRecords.values.compactMap { $0?.app }.sorted { $0.appleID < $1.appleID }
    }

    /// Returns an app without its products.
    package func app(_ appleID: Int64) throws -> App? { try loadedApp(appleID)?.app }

    /// Returns an app with its products, ordered by Apple ID.
    package func completeApp(_ appleID: Int64) throws -> App? {
        guard var app = try app(appleID) else { return nil }
        app.products = try products(try productIDs(app: appleID, renewing: nil)).map(\.product)
        return app
    }

    final func loadedApp(_ appleID: Int64) throws -> (app: App, record: AppsTable.Record)? {
        if let known = appRecords[appleID] { return known }
        let loaded = try AppsTable.record(appleID, on: rows).map {
            (app: try CatalogDocument.decode(App.self, from: $0.definition), record: $0)
        }
        appRecords[appleID] = .some(loaded)
        return loaded
    }

    // MARK: Products

    /// Returns a product of any type by its Apple ID.
    package func product(_ appleID: Int64) throws -> CatalogProduct? { try loaded(appleID)?.product }

    /// Returns a product of an app by its product ID.
    package func product(_ id: Product.ID, app: Int64) throws -> CatalogProduct? {
        guard let number = try number(of: id, app: app), !number.isDeleted else { return nil }
        return try product(number.id)
    }

    /// Returns products by their Apple IDs, in their order. Faster than one by one; unknown ones are left out.
    package func products(_ appleIDs: some Collection<Int64>) throws -> [CatalogProduct] {
        let missing = appleIDs.filter { products[$0] == nil && shared($0) == nil }
        if missing.count > 1 {
            try prepareQuery()
            let read = try ProductsTable.records(Array(missing), on: rows).map(LoadedProduct.init)
            for loaded in read { products[loaded.product.appleID] = loaded }
            if let decoded, let decodedVersion { decoded.insert(read, at: decodedVersion) }
        }
        return try appleIDs.compactMap { try product($0) }
    }

    /// Returns the Apple ID of a product's app.
    package func owner(of product: Int64) throws -> Int64? { try loaded(product)?.app }

    /// Returns the Apple IDs of an app's products in ascending order, without decoding them.
    /// - Parameter renewing: True for auto-renewable and free subscriptions only, false for the others only.
    package func productIDs(app: Int64, renewing: Bool?) throws -> [Int64] {
        guard let renewing else {
            return try (productIDs(app: app, renewing: false) + productIDs(app: app, renewing: true)).sorted()
        }
        return try list(DecodedCatalog.List(app: app, renewing: renewing)) {
            try ProductsTable.ids(app: app, renewing: renewing, on: rows)
        }
    }

    /// Returns true if a deleted product had the ID: product IDs are never used again.
    package func isReserved(_ id: Product.ID, app: Int64) throws -> Bool {
        try number(of: id, app: app)?.isDeleted == true
    }

    /// Returns the Apple ID of a product ID, also of a deleted product.
    package func number(of id: Product.ID, app: Int64) throws -> (id: Int64, isDeleted: Bool)? {
        try prepareQuery()
        return try ProductsTable.number(of: id, app: app, on: rows)
    }

    final func loaded(_ appleID: Int64) throws -> LoadedProduct? {
        if let known = products[appleID] { return known }
        if let known = shared(appleID) {
            products[appleID] = known
            return known
        }
        var loaded: LoadedProduct?
        if let record = try ProductsTable.record(appleID, on: rows), !record.isDeleted {
            let read = try LoadedProduct(record)
            if let decoded, let decodedVersion { decoded.insert([read], at: decodedVersion) }
            loaded = read
        }
        products[appleID] = .some(loaded)
        return loaded
    }

    private func shared(_ appleID: Int64) -> LoadedProduct? {
        guard let decoded, let decodedVersion else { return nil }
        return decoded.product(appleID, at: decodedVersion)
    }

    private func list(_ list: DecodedCatalog.List, _ read: () throws -> [Int64]) throws -> [Int64] {
        try prepareQuery()
        guard let decoded, let decodedVersion else { return try read() }
        if let known = decoded.list(list, at: decodedVersion) { return known }
        let ids = try read()
        decoded.insert(ids, as: list, at: decodedVersion)
        return ids
    }

    // MARK: Groups

    /// Returns a subscription group by its key: its ID, unless another app had a group with the ID before.
    package func group(_ key: String) throws -> (app: Int64, group: SubscriptionGroup)? {
        if let known = groups[key] { return known }
        let record = try SubscriptionGroupsTable.record(key: key, on: rows)
        let loaded = try record.map { record in
            var group = try CatalogDocument.decode(SubscriptionGroup.self, from: record.definition)
            group.revision = record.revision
            group.identifyParts(by: key)
            return (app: record.app, group: group)
        }
        groups[key] = .some(loaded)
        return loaded
    }

    /// Returns the key of a group by its ID in an app, such as a product's `groupID`.
    package func groupKey(_ id: String, app: Int64) throws -> String? {
        try prepareQuery()
        return try SubscriptionGroupsTable.key(of: id, app: app, on: rows)
    }

    /// Returns the keys of an app's subscription groups in ascending order.
    package func groupIDs(app: Int64) throws -> [String] {
        try prepareQuery()
        return try SubscriptionGroupsTable.keys(app: app, on: rows)
    }

    /// Returns the keys of an app's subscription groups whose IDs come after one, by their IDs.
    ///
    /// - Parameter id: Empty for the first.
    package func groupKeys(app: Int64, after id: String, limit: Int) throws -> [String] {
        try prepareQuery()
        return try SubscriptionGroupsTable.keys(app: app, after: id, limit: limit, on: rows)
    }

    /// Returns the Apple IDs of a group's products in ascending order, without decoding them.
    package func productIDs(group key: String) throws -> [Int64] {
        guard let (app, group) = try group(key) else { return [] }
        return try list(DecodedCatalog.List(app: app, group: group.id)) {
            try ProductsTable.ids(group: group.id, app: app, on: rows)
        }
    }

    // MARK: Journal

    /// Returns entries of the catalog's journal, oldest first.
    /// - Parameter app: An app's Apple ID; `nil` for all apps.
    package func changes(after: Int64, limit: Int, app: Int64?) throws -> [CatalogChange] {
        try CatalogChangesTable.changes(after: after, limit: limit, app: app, on: rows)
    }

    /// Returns the latest entries of a resource in the catalog's journal, newest first.
    /// - Parameters:
    ///   - id: The Apple ID of a product, or a group's key.
    ///   - position: Only entries before this one; `nil` for the newest.
    package func latestChanges(
        of subject: CatalogChange.Subject, _ id: String, app: Int64, before position: Int64? = nil, limit: Int
    ) throws -> [CatalogChange] {
        try CatalogChangesTable.latest(of: subject, id, before: position, limit: limit, app: app, on: connection)
    }

    /// Returns the latest entries of an app in the catalog's journal, newest first.
    /// - Parameter position: Only entries before this one; `nil` for the newest.
    package func latestChanges(app: Int64, before position: Int64? = nil, limit: Int) throws -> [CatalogChange] {
        try CatalogChangesTable.latest(app: app, before: position, limit: limit, on: connection)
    }
}
