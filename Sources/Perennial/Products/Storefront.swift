/// A country's store, by its ISO 3166-1 alpha-3 code (`USA`), as StoreKit's `SKStorefront.countryCode`.
package struct Storefront: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    private let code: ShortCode

    package init(rawValue: String) {
        code = ShortCode(rawValue)
    }

    package var rawValue: String { code.text }

    package static let usa = Storefront(rawValue: "USA")
    package var description: String { rawValue }

    package static func == (one: Storefront, other: Storefront) -> Bool { one.code == other.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
