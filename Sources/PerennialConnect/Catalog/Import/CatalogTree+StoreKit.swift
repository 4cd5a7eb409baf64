import AppStoreFormats

/// Imports of `.storekit` files, which say less than the store has: of one storefront only, without states, schedules,
/// availability and notes.
extension CatalogTree {
    /// Keys that a file leaves as they are in the store if it lacks them, in any form.
    private static let unsaidKeys = ["sharedSecret", "notifications"]
    private static let nameKey = "name"

    /// Returns the trees of a `.storekit` file, completed by what such a file can't say.
    ///
    /// A value of the file that an export of the store would have is taken for unchanged: the store's value stands, also where the
    /// export has lost a part of it. The rest is the file's.
    /// - Parameters:
    ///   - store: The app in the store.
    ///   - exported: The same after an export as a `.storekit` file.
    func completed(from store: CatalogTree, exported: CatalogTree) -> CatalogTree {
        var tree = self
        tree.app = Self.completed(app, store.app, exported.app) ?? app
        // The name is that of the file, not of the app.
        tree.app[Self.nameKey] = store.app[Self.nameKey]
        for key in Self.unsaidKeys { tree.app[key] = app[key] }
        for id in Set(groups.keys).union(store.groups.keys) {
            tree.groups[id] = Self.completed(groups[id], store.groups[id], exported.groups[id])
        }
        for id in productIDs + store.productIDs.filter({ products[$0] == nil }) {
            tree.products[id] = Self.completed(products[id], store.products[id], exported.products[id])
            guard products[id] == nil, tree.products[id] != nil else { continue }
            tree.productIDs.append(id)
            tree.appleIDs[id] = store.appleIDs[id]
        }
        return tree
    }

    private static func completed(
        _ file: CatalogNode?, _ store: CatalogNode?, _ exported: CatalogNode?
    ) -> CatalogNode? {
        if file == exported { return store }
        guard let file, let store, let exported, let parts = CatalogParts(store, file, exported) else { return file }
        return parts.node(
            parts.keys.compactMap { key in
                completed(parts[file, key], parts[store, key], parts[exported, key]).map { (key: key, node: $0) }
            })
    }
}
