import AppStoreFormats
import Perennial

/// The side that wins where a file and the store have changed the same field since the last import.
package enum CatalogPreference: String, Sendable, CaseIterable {
    case store, file
}

/// Merges the changes of a file into the store's version of a resource, field by field.
///
/// A field that only one side has changed since the last import takes that side's value. A field that both have changed
/// differently is a conflict, unless a side is preferred.
struct CatalogMerge {
    let preference: CatalogPreference?
    private(set) var conflicts: [CatalogConflict] = []
    /// The conflicts that the preference has decided for the store.
    private(set) var kept: [CatalogConflict] = []

    /// Keys whose value is a map of equal entries: a missing one is an empty one.
    private static let maps: Set<String> = ["prices", "taxes", "terms"]

    init(preferring preference: CatalogPreference?) {
        self.preference = preference
    }

    /// Returns the merged resource; `nil` to delete it.
    /// - Parameter base: The resource in the last imported file; `nil` for none.
    mutating func merge(
        _ subject: CatalogSubject, base: CatalogNode?, file: CatalogNode?, store: CatalogNode?, path: [String] = []
    ) -> CatalogNode? {
        if file == store || file == base { return store }
        if base == store { return file }
        if let merged = mergeParts(subject, base: base, file: file, store: store, path: path) { return merged.node }
        let conflict = CatalogConflict(subject, path, base: base, file: file, store: store)
        switch preference {
        case nil: conflicts.append(conflict)
        case .store: kept.append(conflict)
        case .file: return file
        }
        return store
    }

    /// - Returns: `nil` if the values are compared as a whole.
    private mutating func mergeParts(
        _ subject: CatalogSubject, base: CatalogNode?, file: CatalogNode?, store: CatalogNode?, path: [String]
    ) -> (node: CatalogNode?, Void)? {
        let isMap = path.last.map(Self.maps.contains) == true || [base, file, store].contains { $0?.elements != nil }
        guard isMap || file != nil && store != nil, let parts = CatalogParts(store, file, base) else { return nil }
        var merged: [(key: String, node: CatalogNode)] = []
        for key in parts.keys {
            let node = merge(
                subject, base: parts[base, key], file: parts[file, key], store: parts[store, key], path: path + [key])
            if let node { merged.append((key, node)) }
        }
        return (merged.isEmpty && (file == nil || store == nil) ? nil : parts.node(merged), ())
    }
}
