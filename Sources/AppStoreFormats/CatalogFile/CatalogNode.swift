/// A catalog as a tree of keys, lists and texts: what a YAML catalog says, without places in a file.
///
/// Catalogs are compared, merged and written as such trees, so that each difference has the name that it has in a file.
package indirect enum CatalogNode: Hashable, Sendable {
    /// A text. It is written in quotes where YAML would read something else.
    case text(String)
    /// A number, `true` or `false`, written as it is.
    case literal(String)
    case list([CatalogNode])
    case keys([Member])

    package struct Member: Hashable, Sendable {
        package var key: String
        package var node: CatalogNode

        package init(_ key: String, _ node: CatalogNode) {
            self.key = key
            self.node = node
        }
    }

    /// Returns true for equal values. The order of keys has no meaning.
    package static func == (one: CatalogNode, other: CatalogNode) -> Bool {
        switch (one, other) {
        case (.text(let one), .text(let other)), (.literal(let one), .literal(let other)): one == other
        case (.list(let one), .list(let other)): one == other
        case (.keys(let one), .keys(let other)):
            one.count == other.count
                && (one == other || one.allSatisfy { member in other.contains { $0 == member } })
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text), .literal(let text): hasher.combine(text)
        case .list(let elements): hasher.combine(elements)
        case .keys(let members): hasher.combine(Set(members))
        }
    }

    /// Keys with the values that aren't `nil`.
    package static func fields(_ members: [(String, CatalogNode?)]) -> CatalogNode {
        .keys(members.compactMap { key, node in node.map { Member(key, $0) } })
    }

    package static func bool(_ value: Bool) -> CatalogNode { .literal(value ? "true" : "false") }
    package static func integer(_ value: some BinaryInteger) -> CatalogNode { .literal("\(value)") }

    /// The value of a key; `nil` for other nodes than keys. Setting `nil` removes the key; setting changes nothing else.
    package subscript(key: String) -> CatalogNode? {
        get { members?.first { $0.key == key }?.node }
        set {
            guard case .keys(var members) = self else { return }
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let node?): members[index].node = node
            case (let index?, nil): members.remove(at: index)
            case (nil, let node?): members.append(Member(key, node))
            case (nil, nil): break
            }
            self = .keys(members)
        }
    }

    package var members: [Member]? { if case .keys(let members) = self { members } else { nil } }
    package var elements: [CatalogNode]? { if case .list(let elements) = self { elements } else { nil } }

    /// The text of a text or literal.
    package var scalar: String? {
        switch self {
        case .text(let text), .literal(let text): text
        case .list, .keys: nil
        }
    }

    /// Reads a YAML file.
    /// - Throws: ``CatalogFileError`` for text that isn't YAML.
    package init(yaml bytes: some Sequence<UInt8>) throws {
        self = try YAMLNode.root(of: Array(bytes)).tree ?? .keys([])
    }

    /// True if YAML reads a plain text as a number, `true` or `false`.
    static func isLiteral(_ text: String) -> Bool {
        if text == "true" || text == "false" { return true }
        var digits = text.utf8[...]
        if digits.first == UInt8(ascii: "-") { digits = digits.dropFirst() }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (48...57).contains($0) } }
    }
}
