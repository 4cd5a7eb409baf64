import AppStoreFormats
import Perennial
import PerennialStorage

/// The definitions of the last imported file, kept for the comparison with the next.
extension CatalogTree {
    /// The key above a definition that was stored as a tree. Without it, the definition is a product's own JSON, moved from
    /// the time before catalogs were compared.
    private static let treeKey = "catalog"

    /// Returns what the last imported file said about an app, and the part of it that is recorded.
    ///
    /// An app without any entry in the catalog's journal is as its files made it, also if no import was recorded.
    static func imported(
        into app: App, store: CatalogTree, from reader: CatalogReader
    ) throws -> (base: CatalogTree, recorded: CatalogTree) {
        let (number, connection) = (app.appleID, reader.connection)
        func definitions(_ subject: CatalogChange.Subject) throws -> [String: CatalogNode] {
            try CatalogImportsTable.definitions(subject, app: number, on: connection).mapValues {
                try Self.tree(of: $0, in: app.defaultStorefront)
            }
        }
        var recorded = CatalogTree()
        recorded.products = try definitions(.product)
        guard let imported = try definitions(.app).values.first else {
            let isUnchanged = try reader.changes(after: 0, limit: 1, app: number).isEmpty
            return (isUnchanged ? store : recorded, recorded)
        }
        recorded.app = imported
        recorded.groups = try definitions(.group)
        return (recorded, recorded)
    }

    private static func tree(of definition: String, in storefront: Storefront) throws -> CatalogNode {
        let node = try CatalogNode(json: definition.utf8)
        if let tree = node[treeKey] { return tree }
        let product: Product = try CatalogDocument.decode(from: definition)
        return try CatalogNode(CatalogProduct(product), hasAppleID: false, in: storefront.currency ?? .usd)
    }

    /// Records an app and its groups that were registered without a file.
    static func record(
        _ app: App, _ groups: [SubscriptionGroup], number: Int64, sharedSecret: String?, on connection: any Connection
    ) throws {
        var bare = app
        bare.products = []
        let secrets = sharedSecret.map { [app.bundleID: $0] } ?? [:]
        let catalog = Catalog(apps: [bare], sharedSecrets: secrets, groups: [app.bundleID: groups])
        try CatalogTree(bare, in: catalog).record(app: number, replacing: CatalogTree(), on: connection)
    }

    /// Records what an imported file said, as far as it differs from the record.
    func record(app number: Int64, replacing before: CatalogTree, on connection: any Connection) throws {
        func put(_ subject: CatalogChange.Subject, _ after: [String: CatalogNode], _ before: [String: CatalogNode])
            throws
        {
            for (id, node) in after where before[id] != node {
                let definition = CatalogNode.fields([(Self.treeKey, node)]).json
                try CatalogImportsTable.put(definition, subject, id, app: number, on: connection)
            }
            for id in before.keys where after[id] == nil {
                try CatalogImportsTable.remove(subject, id, app: number, on: connection)
            }
        }
        try put(.app, ["app": app], before.app == .keys([]) ? [:] : ["app": before.app])
        try put(.group, groups, before.groups)
        try put(.product, products, before.products)
    }
}
