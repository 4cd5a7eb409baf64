import AppStoreFormats
import Perennial

extension Catalog {
    private static let storeKitSuffix = ".storekit"

    /// Returns true for the name of a `.storekit` file.
    package static func isStoreKitFile(named name: String) -> Bool { name.lowercased().hasSuffix(storeKitSuffix) }

    /// Reads a file that a seller sends: YAML, or a `.storekit` file of an app.
    ///
    /// - Parameters:
    ///   - name: The file's name, which ends in `.storekit` for such a file.
    ///   - app: The app of a `.storekit` file, which names none.
    ///   - products: The app's products that a `.storekit` file can't say and that stay: free subscriptions.
    /// - Throws: ``CatalogError`` with the place.
    package init(
        file bytes: [UInt8], name: String, of app: App, keeping products: [CatalogProduct] = []
    ) throws {
        guard Self.isStoreKitFile(named: name) else {
            try self.init(document: bytes, name: name)
            return
        }
        let file = try StoreKitFile(parsing: bytes, at: CatalogPlace(file: name, spot: .file))
        var builder = CatalogImport.builder(
            from: file, path: name, bundleID: app.bundleID, name: app.name, storefront: app.defaultStorefront)
        // Such a file says the products, the storefront and the language. The app's other settings stay.
        var known = app
        known.products = builder.app.products + products.map(\.product)
        for kept in products where kept.listing != ProductListing() { builder.listings[kept.id] = kept.listing }
        (known.defaultStorefront, known.defaultLocale) = (builder.app.defaultStorefront, builder.app.defaultLocale)
        (builder.app, builder.saleTerms, builder.isStoreKitFile) = (known, app.saleTerms, true)
        try builder.finish()
        self.init()
        add(builder)
    }

    /// Makes a catalog with a new app without products.
    ///
    /// - Throws: ``CatalogEditError`` `.invalid` or `.required` at `bundleId` or `name`.
    package init(
        newApp bundleID: App.BundleID, name: String, isNewsstand: Bool, defaultStorefront: Storefront
    ) throws {
        guard ProductValidation.isWellFormed(identifier: bundleID.rawValue) else {
            throw CatalogEditError(
                .invalid, at: .attribute("bundleId"), "A bundle ID has \(ProductValidation.identifierRule).")
        }
        guard !name.isEmpty else { throw CatalogEditError(.required, at: .attribute("name"), "The app has no name.") }
        var builder = AppBuilder(bundleID: bundleID, place: CatalogPlace(file: bundleID.rawValue, spot: .file))
        builder.app.name = name
        builder.app.isNewsstand = isNewsstand
        builder.app.defaultStorefront = defaultStorefront
        try builder.finish()
        self.init()
        add(builder)
    }
}
