/// A country's store, by its ISO 3166-1 alpha-3 code (`USA`), as StoreKit's `SKStorefront.countryCode`.
package struct Storefront: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let usa = Storefront(rawValue: "USA")
    package var description: String { rawValue }
}
