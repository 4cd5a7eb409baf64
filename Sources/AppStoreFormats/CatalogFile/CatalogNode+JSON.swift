extension CatalogNode {
    /// Reads JSON. `null` is left out; the keys of objects are in alphabetical order.
    /// - Throws: ``StoreKitFileError`` for text that isn't JSON.
    package init(json bytes: some Sequence<UInt8>) throws {
        self = Self.node(try StoreKitJSONParser.value(of: Array(bytes))) ?? .keys([])
    }

    /// The tree as JSON.
    package var json: String { StoreKitFileText.compact(value) }

    private static func node(_ value: StoreKitJSON) -> CatalogNode? {
        switch value {
        case .null: nil
        case .bool(let value): .bool(value)
        case .number(let text): .literal(text)
        case .string(let text): .text(text)
        case .array(let elements): .list(elements.compactMap(node))
        case .object(let object): .fields(object.members.map { ($0.key, node($0.value)) })
        }
    }

    private var value: StoreKitJSON {
        switch self {
        case .text(let text): .string(text)
        case .literal("true"): .bool(true)
        case .literal("false"): .bool(false)
        case .literal(let text): .number(text)
        case .list(let elements): .array(elements.map(\.value))
        case .keys(let members): .object(.init(members.map { .init($0.key, $0.node.value) }))
        }
    }
}
