/// The properties of an app that only reports show.
package struct ReportingInfo: Hashable, Sendable, Codable {
    /// The seller's own ID of the app; its bundle ID, if there is none.
    package var sku: String?
    /// The seller's name; the app's name, if there is none.
    package var developer: String?
    /// The app's category, such as `Games`.
    package var category: String?
    /// The platforms that the app runs on, such as `iOS` or `iOS and tvOS`.
    package var platforms: String?

    package init(
        sku: String? = nil, developer: String? = nil, category: String? = nil, platforms: String? = nil
    ) {
        self.sku = sku
        self.developer = developer
        self.category = category
        self.platforms = platforms
    }
}

extension App {
    /// The app's SKU in reports.
    package var sku: String { reporting?.sku ?? bundleID.rawValue }
    /// The seller's name in reports.
    package var developer: String { reporting?.developer ?? name }
    /// The app's category in reports; `nil` if the catalog has none.
    package var category: String? { reporting?.category }
    /// The platforms of the app in reports.
    package var platforms: String { reporting?.platforms ?? "iOS" }
}
