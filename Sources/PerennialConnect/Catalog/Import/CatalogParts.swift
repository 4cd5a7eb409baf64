import AppStoreFormats

/// The parts of a catalog's node that are compared one by one: its keys, or the elements of a list by their identities.
struct CatalogParts {
    /// The keys of all nodes in the order of their first appearance.
    let keys: [String]
    private let isList: Bool
    private let order: [String: Int]

    /// - Returns: `nil` for nodes that are compared as a whole: other values, different kinds, lists without identities.
    init?(_ nodes: CatalogNode?...) {
        let present = nodes.compactMap { $0 }
        guard let first = present.first else { return nil }
        isList = first.elements != nil
        var keys: [String] = []
        var order: [String: Int] = [:]
        for node in present {
            guard let parts = Self.parts(of: node, isList: isList) else { return nil }
            for part in parts where order.updateValue(keys.count, forKey: part.key) == nil { keys.append(part.key) }
        }
        self.keys = keys
        self.order = order
    }

    subscript(node: CatalogNode?, key: String) -> CatalogNode? {
        guard let node else { return nil }
        return isList ? node.elements?.first { Self.identity(of: $0) == key } : node[key]
    }

    /// Makes a node of parts. Keys follow the order of `keys`.
    func node(_ parts: [(key: String, node: CatalogNode)]) -> CatalogNode {
        isList ? .list(parts.map(\.node)) : .keys(parts.map { .init($0.key, $0.node) })
    }

    private static func parts(of node: CatalogNode, isList: Bool) -> [(key: String, node: CatalogNode)]? {
        guard isList else { return node.members?.map { ($0.key, $0.node) } }
        guard let elements = node.elements else { return nil }
        var seen: Set<String> = []
        var parts: [(String, CatalogNode)] = []
        for element in elements {
            guard let identity = identity(of: element), seen.insert(identity).inserted else { return nil }
            parts.append((identity, element))
        }
        return parts
    }

    /// Returns what tells an element of a list from the others: its ID, or the instant and storefront of a price.
    private static func identity(of element: CatalogNode) -> String? {
        if let id = element["id"]?.scalar { return id }
        guard let at = element["at"]?.scalar else { return nil }
        return [at, element["storefront"]?.scalar].compactMap { $0 }.joined(separator: " ")
    }
}
