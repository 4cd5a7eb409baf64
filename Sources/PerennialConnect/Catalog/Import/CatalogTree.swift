import AppStoreFormats
import Perennial
import PerennialStorage

/// An app's catalog as trees, one for each resource, so that versions can be compared.
struct CatalogTree {
    /// The app itself, without its Apple ID.
    var app: CatalogNode = .keys([])
    var groups: [String: CatalogNode] = [:]
    /// The products by product ID, without Apple IDs.
    var products: [String: CatalogNode] = [:]
    /// The product IDs in the order of the file, or of the Apple IDs.
    var productIDs: [String] = []
    /// The Apple IDs of the products that have one.
    var appleIDs: [String: Int64] = [:]

    init() {}

    /// Creates the trees of an app in files.
    init(_ app: App, in catalog: Catalog) throws {
        let bundleID = app.bundleID
        var app = app
        app.saleTerms = catalog.saleTerms[bundleID] ?? app.saleTerms
        self.app = try CatalogNode(
            app, notifications: catalog.notifications[bundleID], sharedSecret: catalog.sharedSecrets[bundleID])
        self.app["appleId"] = nil
        for group in catalog.groups[bundleID] ?? [] { groups[group.id] = try CatalogNode(group) }
        let listings = catalog.listings[bundleID] ?? [:]
        let withoutAppleID = catalog.withoutAppleID[bundleID] ?? []
        for product in app.products {
            try add(
                CatalogProduct(product, listing: listings[product.id] ?? ProductListing()), app.defaultStorefront,
                hasAppleID: !withoutAppleID.contains(product.id))
        }
        removeDefaultGroups()
    }

    /// Creates the trees of an app in the store.
    init(_ app: App, from reader: CatalogReader, sharedSecret: String? = nil) throws {
        let number = app.appleID
        self.app = try CatalogNode(
            app, notifications: try CatalogFile.Notifications(of: number, on: reader.connection),
            sharedSecret: sharedSecret)
        self.app["appleId"] = nil
        for key in try reader.groupIDs(app: number) {
            guard let group = try reader.group(key)?.group else { continue }
            groups[group.id] = try CatalogNode(group)
        }
        for product in try reader.products(try reader.productIDs(app: number, renewing: nil)) {
            try add(product, app.defaultStorefront, hasAppleID: true)
        }
        removeDefaultGroups()
    }

    private mutating func add(_ product: CatalogProduct, _ storefront: Storefront, hasAppleID: Bool) throws {
        let id = product.id.rawValue
        products[id] = try CatalogNode(product, hasAppleID: false, in: storefront.currency ?? .usd)
        productIDs.append(id)
        if hasAppleID, product.appleID != 0 { appleIDs[id] = product.appleID }
    }

    /// Removes the groups that say no more than the products in them: files needn't have them.
    private mutating func removeDefaultGroups() {
        for product in products.values {
            guard let id = product["subscription"]?["group"]?.scalar,
                groups[id] == (try? CatalogNode(SubscriptionGroup(id: id, referenceName: id)))
            else { continue }
            groups[id] = nil
        }
    }

    /// The whole catalog as one tree: what a file has.
    /// - Parameter appleID: The app's Apple ID; `nil` to leave all Apple IDs out.
    func file(appleID: Int64?) -> CatalogNode {
        var members = app.members ?? []
        if let appleID { members.insert(.init("appleId", .integer(appleID)), at: min(1, members.count)) }
        let named = groups.sorted { $0.key < $1.key }.map(\.value)
        if !named.isEmpty { members.append(.init("groups", .list(named))) }
        let elements = productIDs.compactMap { id -> CatalogNode? in
            guard var fields = products[id]?.members else { return nil }
            if appleID != nil, let number = appleIDs[id] { fields.insert(.init("appleId", .integer(number)), at: 1) }
            return .keys(fields)
        }
        if !elements.isEmpty { members.append(.init("products", .list(elements))) }
        return .keys(members)
    }
}

extension CatalogFile.Notifications {
    /// The receivers of an app's notifications in Production and Sandbox; `nil` if there are none.
    init?(of app: Int64, on connection: any Connection) throws {
        func receiver(_ environment: StoreEnvironment.ID) throws -> Receiver? {
            try NotificationSettingsTable.record(app: app, environment, on: connection).map {
                Receiver(
                    url: $0.url, version: $0.version, retries: $0.retries,
                    timeoutMilliseconds: $0.timeoutMilliseconds)
            }
        }
        self.init(production: try receiver(.production), sandbox: try receiver(.sandbox))
        if production == nil, sandbox == nil { return nil }
    }
}
