import AppStoreFormats
import Perennial
import PerennialStorage

/// The effect of importing an app's files, before anything is written.
struct CatalogImportPlan {
    let bundleID: App.BundleID
    /// The app's Apple ID; `nil` for an app that the store doesn't have.
    let appleID: Int64?
    let file: CatalogTree
    let base: CatalogTree
    /// The record of the last imported file.
    let recorded: CatalogTree
    let store: CatalogTree
    private(set) var merged = CatalogTree()
    private(set) var merge: CatalogMerge
    /// Changes of the file that products with sales don't allow.
    private(set) var contradictions: [CatalogContradiction] = []

    /// - Parameters:
    ///   - app: The app in the files.
    ///   - preference: The side that wins a conflict; `nil` to collect conflicts.
    init(_ app: App, in catalog: Catalog, preferring preference: CatalogPreference?, from reader: CatalogReader) throws
    {
        bundleID = app.bundleID
        merge = CatalogMerge(preferring: preference)
        let read = try CatalogTree(app, in: catalog)
        if let known = try reader.apps().first(where: { $0.bundleID == app.bundleID }) {
            appleID = known.appleID
            store = try CatalogTree(
                known, from: reader,
                sharedSecret: try AppsTable.record(known.appleID, on: reader.connection)?.sharedSecret)
            (base, recorded) = try CatalogTree.imported(into: known, store: store, from: reader)
            if catalog.storeKitApps.contains(app.bundleID) {
                let exported = try store.asStoreKitFile(appleID: known.appleID, app.bundleID)
                file = read.completed(from: store, exported: exported)
            } else {
                file = read
            }
        } else {
            (appleID, store, base, recorded) = (nil, CatalogTree(), CatalogTree(), CatalogTree())
            file = read
        }
        mergeApp()
        mergeGroups()
        try mergeProducts(sold: reader)
    }

    var isChanged: Bool {
        appleID == nil || merged.app != store.app || merged.groups != store.groups || merged.products != store.products
    }

    /// The changes of the store.
    var changes: [CatalogDifference] { store.differences(to: merged, bundleID) }

    /// The products of the store that the file doesn't have, and of which it says nothing: they stay as they are.
    var onlyInStore: [String] {
        let named = Set(contradictions.map(\.product)).union(merge.conflicts.map(\.subject.id))
            .union(merge.kept.map(\.subject.id))
        return store.productIDs.filter {
            file.products[$0] == nil && merged.products[$0] != nil && !named.contains($0)
        }
    }

    private mutating func mergeApp() {
        guard appleID != nil else {
            merged.app = file.app
            return
        }
        var base = base.app
        // Without a secret or a receiver, a file says nothing about it.
        if file.app["notifications"] == nil { base["notifications"] = nil }
        // A store generates secrets by itself, which is no edit.
        if file.app["sharedSecret"] == nil {
            base["sharedSecret"] = nil
        } else if base["sharedSecret"] == nil {
            base["sharedSecret"] = store.app["sharedSecret"]
        }
        for key in ["production", "sandbox"] where file.app["notifications"]?[key] == nil {
            base["notifications"]?[key] = nil
        }
        merged.app =
            merge.merge(
                CatalogSubject(.app, bundleID.rawValue), base: base, file: file.app, store: store.app) ?? store.app
    }

    private mutating func mergeGroups() {
        for id in Set(file.groups.keys).union(store.groups.keys).sorted() {
            merged.groups[id] = merge.merge(
                CatalogSubject(.group, id), base: base.groups[id], file: file.groups[id], store: store.groups[id])
        }
    }

    private mutating func mergeProducts(sold reader: CatalogReader) throws {
        merged.appleIDs = store.appleIDs
        for id in file.productIDs + store.productIDs.filter({ file.products[$0] == nil }) {
            let subject = CatalogSubject(.product, id)
            merged.products[id] = merge.merge(
                subject, base: base.products[id], file: file.products[id], store: store.products[id])
            if merged.products[id] != nil { merged.productIDs.append(id) }
        }
        guard let appleID else {
            merged.appleIDs = file.appleIDs
            return
        }
        try refuseContradictions(app: appleID, on: reader.connection)
        for (id, number) in file.appleIDs where merged.appleIDs[id] == nil { merged.appleIDs[id] = number }
    }

    /// Finds what the file would change although products were sold with it. The store's values stay in the plan.
    private mutating func refuseContradictions(app: Int64, on connection: any Connection) throws {
        var found: [(id: String, contradiction: CatalogContradiction)] = []
        for id in store.productIDs {
            guard let before = store.products[id] else { continue }
            if let wanted = file.appleIDs[id], let number = store.appleIDs[id], wanted != number {
                found.append((id, CatalogContradiction(id, "appleId", "\(number)", "\(wanted)")))
            }
            let after = merged.products[id]
            guard after != before else { continue }
            guard let after else {
                found.append((id, CatalogContradiction(id, "", nil, nil)))
                continue
            }
            for path in Self.fixedFields {
                let (old, new) = (before[path], after[path])
                if old != new {
                    found.append(
                        (id, CatalogContradiction(id, path.joined(separator: "."), old?.scalar, new?.scalar)))
                }
            }
        }
        guard !found.isEmpty else { return }
        let sold = try TransactionsTable.soldProducts(app: app, on: connection)
        for (id, contradiction) in found where sold.contains(id) || contradiction.field == "appleId" {
            contradictions.append(contradiction)
            if contradiction.field == "appleId" { continue }
            guard let before = store.products[id], !contradiction.field.isEmpty, contradiction.field != "type" else {
                if merged.products[id] == nil { merged.productIDs.append(id) }
                merged.products[id] = store.products[id]
                continue
            }
            for path in Self.fixedFields { merged.products[id]?[path] = before[path] }
        }
    }

    /// The fields that can't change after the first sale.
    private static let fixedFields = [["type"], ["subscription", "group"], ["subscription", "period"]]
}

/// A change of a file that contradicts what was sold.
package struct CatalogContradiction: Hashable, Sendable, CustomStringConvertible {
    package var product: String
    /// The keys to the field; empty for a product that the file doesn't have any more.
    package var field: String
    package var store: String?
    package var file: String?

    init(_ product: String, _ field: String, _ store: String?, _ file: String?) {
        self.product = product
        self.field = field
        self.store = store
        self.file = file
    }

    package var description: String {
        switch field {
        case "": "\(product): was sold, and the file doesn't have it any more; clearedForSale: false takes it off sale"
        case "appleId": "\(product): has the Apple ID \(store ?? "") for good, and \(file ?? "none") in the file"
        default:
            "\(product): was sold with \(field) \(store ?? "none"), and the file says \(file ?? "none")"
        }
    }
}

extension CatalogNode {
    /// The value at the end of a path of keys.
    fileprivate subscript(path: [String]) -> CatalogNode? {
        get { path.reduce(.some(self)) { $0?[$1] } }
        set {
            guard let first = path.first else { return }
            guard path.count > 1 else {
                self[first] = newValue
                return
            }
            guard var inner = self[first] else { return }
            inner[Array(path.dropFirst())] = newValue
            self[first] = inner
        }
    }
}
