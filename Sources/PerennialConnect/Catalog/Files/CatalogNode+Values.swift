import AppStoreFormats
import Foundation
import Perennial

extension CatalogNode {
    static func text(_ text: String?) -> CatalogNode? { text.map { .text($0) } }

    /// A switch that is written only if it differs from its default.
    static func flag(_ value: Bool, default: Bool = false) -> CatalogNode? { value == `default` ? nil : .bool(value) }

    /// An amount, with its currency unless a reader assumes it.
    static func price(_ money: Money, in assumed: Currency? = nil) -> CatalogNode {
        money.currency == assumed ? .literal(money.exactDecimal) : .text("\(money.exactDecimal) \(money.currency)")
    }

    /// Prices by storefront, in alphabetical order.
    static func prices(_ prices: [Storefront: Money]) -> CatalogNode? {
        guard !prices.isEmpty else { return nil }
        let sorted = prices.sorted { $0.key.rawValue < $1.key.rawValue }
        return .keys(sorted.map { Member($0.key.rawValue, .price($0.value, in: $0.key.currency ?? .usd)) })
    }

    static func texts(_ texts: [String]) -> CatalogNode? { texts.isEmpty ? nil : .list(texts.map { .text($0) }) }

    /// A list, unless it is empty.
    static func nonEmpty(_ elements: [CatalogNode]) -> CatalogNode? { elements.isEmpty ? nil : .list(elements) }

    static func time(_ instant: Instant) -> CatalogNode {
        .text(instant.rfc3339(fraction: instant != instant.wholeSeconds))
    }

    static func storefronts(_ storefronts: Set<Storefront>) -> CatalogNode {
        .list(storefronts.map(\.rawValue).sorted().map { .text($0) })
    }

    /// A value by its JSON.
    static func json(_ value: some Encodable) throws -> CatalogNode {
        // So that an export has the same text each time.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try CatalogNode(json: encoder.encode(value))
    }

    /// A value by its JSON; `nil` if that has no keys.
    static func encoded(_ value: some Encodable) throws -> CatalogNode? {
        let node = try json(value)
        return node.members?.isEmpty == true ? nil : node
    }

    /// Decodes a value that ``encoded(_:)`` has made.
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }
}

extension Money {
    /// The amount without loss: also with more decimals than the currency has.
    fileprivate var exactDecimal: String {
        if milliunits % currency.smallestAmount == 0 { return decimal }
        let fraction = String(milliunits.magnitude % 1000 + 1000).dropFirst()
        return "\(milliunits < 0 ? "-" : "")\(milliunits.magnitude / 1000).\(fraction)"
    }
}
